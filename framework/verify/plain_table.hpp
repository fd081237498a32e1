// Tables in files, read with as little as possible: what other readers of them are verified against. Shares
// nothing with framework/formats and framework/tables/mapreduce but the bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::internal::verify {

struct plain_cell {
  std::string text;
  bool in_quotes = false;
};

struct plain_table {
  std::vector<std::string> names;  // of the columns; none without a header
  std::vector<std::vector<plain_cell>> rows;

  // By name, maybe in other cases of letters, or by number from 1 on. There is one.
  std::size_t column(const std::string& name) const;
};

struct plain_request {
  char separator = 0;               // ' ': any blanks; '\n': a line is one cell; 0: found out
  std::optional<bool> header = {};  // none: there is one if no cell of the first line is empty or a number
};

// Any thread. All of the files in memory at once, one after the other, of well-formed tables only. Columns of
// further files are found by their names. Fails if a file cannot be read.
result<plain_table> read_plain_table(const std::vector<std::string>& paths, const plain_request& wanted);

// The type of a column: integers of 64 bits in the usual form, decimal numbers, or texts.
enum class plain_kind { integer, real, text };
plain_kind kind_of(const plain_table& table, std::size_t column);

}  // namespace orujo::internal::verify
