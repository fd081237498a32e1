// The sizes of what a memory hierarchy moves in one piece.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orujo::internal::layout {

// Bytes, ascending; each a multiple of the one before, so that blocks lie within blocks.
using block_levels = std::vector<std::size_t>;

// The levels of this machine: a cache line, 1 KiB, a page, and a huge page if there are any. On most machines
// these are 64, 1024, 4096, 2097152. 1 KiB is what a row of memory gives at a time, as in the paper.
block_levels machine_levels();

// Parses "64,1024,4096", at most 16 sizes up to 2^40, or returns nothing. "auto" is machine_levels().
std::optional<block_levels> parse_levels(std::string_view text);

std::string to_text(const block_levels& levels);

}  // namespace orujo::internal::layout
