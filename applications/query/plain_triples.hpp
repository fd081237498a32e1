// A simple parser of N-Triples, one character after the other, for verifying the reader.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace orujo::internal::query {

// Takes the next triple off `left`, a text without mistakes. Returns false at the end.
bool next_plain_triple(std::string_view& left, std::vector<std::optional<std::string>>& terms);

}  // namespace orujo::internal::query
