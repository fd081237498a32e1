// N-Triples, one character after the other: what a reader of them is verified against.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orujo::query {

// Of text without mistakes. Takes the next triple off `left`; false at the end.
bool next_plain_triple(std::string_view& left, std::vector<std::optional<std::string>>& terms);

}  // namespace orujo::query
