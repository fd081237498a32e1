// The start of a text file as its readers take it, for people who look at a file before they load it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/text_file.hpp"
#include "framework/formats/text_layout.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

struct text_sample {
  text_file file;                       // the edges, and all that is said of them, of these lines only
  std::vector<std::string> names = {};  // of a table's columns, in order; empty without a header
  std::size_t columns = 0;              // of a table
  std::vector<std::size_t> others_of_numbers = {};  // columns from 0 on, no ends and no weights, of a table
};

// head: the first bytes of a file, or all of it (`whole`). A last line that is cut off is left out. Fails as
// read_text() does, but for counts that the file announces, which only the whole file can have.
result<text_sample> read_sample(std::string_view head, bool whole, const std::string& path,
                                const text_request& wanted);

}  // namespace orujo::internal::formats
