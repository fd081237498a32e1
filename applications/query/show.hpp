// Answers as texts: for people, as CSV, as JSON.
#pragma once

#include <string>
#include <vector>

#include "framework/results/gathered_text.hpp"
#include "framework/tables/relational/database.hpp"

namespace orujo::internal::query {

enum class format { table, csv, json };

// A value for people and CSV: reals have a point or an exponent, NULL is empty.
std::string value_text(const relational::answer_part& of, std::size_t column, std::size_t row);

// A usage error if two columns have the same name, because an object of JSON cannot have both.
status check_names(const std::vector<relational::output>& columns);

// [task; suspends; collective over the job] The calling core's part of a file of that format, csv or json.
// JSON has no infinite numbers. The file has 1e999 instead, which is read as one.
results::text_pieces file_of(const relational::answer_part& of, format as);

// [task; suspends; collective over the job] At core 0 the values of the first rows of the answer, each as in
// a file; nothing elsewhere. `null` is the text of a NULL.
using text_rows = std::vector<std::vector<std::string>>;
text_rows first_rows(const relational::answer_part& of, std::uint64_t most, const std::string& null);

// For people: columns below each other, numbers to the right, and no characters that steer a terminal.
std::string aligned(std::vector<relational::output> columns, text_rows rows);

}  // namespace orujo::internal::query
