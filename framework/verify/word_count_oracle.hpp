// How often words occur in files, counted one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::internal::verify {

// Any thread. Keeps all of the text in memory. length: words in a row, with a blank between. letters: words
// are letters, digits and bytes beyond ASCII. Otherwise they are all characters but blanks and control
// characters. Fails if a file cannot be read.
result<std::map<std::string, std::uint64_t, std::less<>>> count_words(const std::vector<std::string>& paths,
                                                                      std::size_t length, bool letters,
                                                                      bool lower_case);

}  // namespace orujo::internal::verify
