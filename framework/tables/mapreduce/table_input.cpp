#include "framework/tables/mapreduce/table_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "framework/formats/text_tokens.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::mapreduce {
namespace {

using formats::field_reader, formats::table_field;

constexpr std::uint64_t sample_bytes = std::uint64_t{64} << 10;

constexpr std::pair<std::string_view, char> separators[] = {{"auto", 0},
                                                            {"comma", ','},
                                                            {"tab", '\t'},
                                                            {"semicolon", ';'},
                                                            {"pipe", '|'},
                                                            {"blanks", ' '},
                                                            {"none", formats::whole_line}};

// The lines that begin in the first bytes of a file, up to bytes that are not text. An empty file has none.
result<std::vector<std::string>> first_lines_of(const input_file& file, std::uint64_t bytes) {
  std::vector<std::string> lines;
  mistake found;
  const line_visitor keep = [&](std::string_view text) -> line_mistake {
    lines.emplace_back(text);
    return {};
  };
  const status failed = read_lines_of(file, {0, 0, bytes}, false, keep, found);
  if (!failed.ok()) return failed;
  if (found.any() && lines.empty()) return mistake_in(file, found);
  return lines;
}

bool is_number(std::string_view text) {
  double number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  return formats::parse_number(text, number) == std::errc() && std::isfinite(number);
}

// Fails if the line is not a row.
result<std::vector<std::string>> fields_of(std::string_view line, char separator, const std::string& path) {
  std::vector<std::string> all;
  std::string quoted;
  field_reader fields(line, separator);
  for (table_field field; fields.next(field);) all.emplace_back(field.value(quoted));
  if (fields.failed())
    return status(exit_status::bad_data,
                  fmt::format("{}:1:{}: {}", path, fields.error_column(), fields.error()));
  return all;
}

// Returns whether all lines have as many words, and one of the columns has only numbers below its name.
bool are_columns_of_words(const std::vector<std::string>& lines, const std::string& path) {
  std::size_t words = 0;
  std::vector<bool> numbers;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const auto fields = fields_of(lines[k], ' ', path);
    if (k == 0) numbers.assign(words = fields.value().size(), true);
    if (fields.value().size() != words) return false;
    for (std::size_t c = 0; c < words && (k > 0 || lines.size() == 1); ++c)
      numbers[c] = numbers[c] && is_number(fields.value()[c]);
  }
  return std::ranges::find(numbers, true) != numbers.end();
}

status no_row_in(const std::string& path) {
  return {exit_status::bad_data,
          fmt::format("{}:1:1: no row; expected a table with a row in each line", path)};
}

// One file's first line.
struct first_row {
  file_columns as;
  std::vector<std::string> fields;

  bool may_be_header() const { return std::ranges::none_of(fields, is_value); }
  // Empty, or a number, maybe with a decimal comma.
  static bool is_value(const std::string& field) {
    std::string with_point = field;
    std::ranges::replace(with_point, ',', '.');
    return field.empty() || is_number(with_point);
  }
};

// If only blanks may separate fields, further lines decide.
result<char> separator_in(const input_file& file, const std::string& line) {
  const char found = formats::separator_of(line);
  if (found != ' ') return found;
  const auto words = fields_of(line, ' ', file.path);
  if (words.value().size() == 1) return formats::whole_line;
  auto sample = first_lines_of(file, sample_bytes);
  if (!sample.ok()) return sample.status();
  std::erase_if(sample.value(),
                [](const std::string& one) { return one.find_first_not_of(formats::blanks) == one.npos; });
  if (are_columns_of_words(sample.value(), file.path)) return ' ';
  return status(
      exit_status::usage,
      fmt::format("{}:1:{}: blanks that may be between columns or within one; pass --separator=blanks, or "
                  "--separator=none where a line is one column",
                  file.path,
                  line.find_first_of(formats::blanks, line.find_first_not_of(formats::blanks)) + 1));
}

result<first_row> first_row_of(const input_file& file, char wanted) {
  const auto lines = first_lines_of(file, 1);
  if (!lines.ok()) return lines.status();
  if (lines.value().empty()) return first_row();
  const std::string& line = lines.value()[0];
  if (line.find_first_not_of(formats::blanks) == line.npos) return no_row_in(file.path);
  const result<char> separator = wanted != 0 ? wanted : separator_in(file, line);
  if (!separator.ok()) return separator.status();
  const auto fields = fields_of(line, separator.value(), file.path);
  if (!fields.ok()) return fields.status();
  return first_row{{separator.value(), wanted != ' ', fields.value().size(), {}}, fields.value()};
}

// Finds the columns of one file after the other.
class shape_finder {
 public:
  explicit shape_finder(const table_request& wanted) : wanted_(wanted) {}

  status add(const input_file& file) {
    auto found = first_row_of(file, wanted_.separator);
    if (!found.ok()) return found.status();
    first_row& row = found.value();
    status failed;
    if (!row.fields.empty()) failed = first_path_.empty() ? begin(row, file.path) : fit(row, file.path);
    shape_.of_files.push_back(std::move(row.as));
    return failed;
  }
  // No names where all files are empty.
  table_shape shape() && { return std::move(shape_); }

 private:
  // The requested columns, by the first file's header or by their numbers.
  status begin(first_row& row, const std::string& path) {
    shape_.header = wanted_.header.value_or(row.may_be_header());
    std::vector<std::string> names = row.fields;
    for (std::size_t k = 0; k < names.size() && !shape_.header; ++k) names[k] = std::to_string(k + 1);
    for (const std::string& column : wanted_.columns) {
      const auto named = formats::find_column(names, column);
      std::size_t at = named.value_or(names.size()), number = 0;
      if (!named && formats::parse_number(column, number) == std::errc()) at = number - 1;
      if (at >= names.size())
        return {exit_status::bad_data,
                fmt::format("{} has no column {}; expected a number from 1 to {}{}", path,
                            formats::shown(column), names.size(),
                            shape_.header ? ", or a name of its header" : ", or --header and a name")};
      row.as.wanted.push_back(at);
    }
    if (wanted_.columns.empty()) {
      row.as.wanted.resize(names.size());
      std::iota(row.as.wanted.begin(), row.as.wanted.end(), std::size_t{0});
    }
    for (const std::size_t column : row.as.wanted) shape_.names.push_back(names[column]);
    first_ = row;
    first_path_ = path;
    return {};
  }

  // The same columns of another file.
  status fit(first_row& row, const std::string& path) const {
    if (!wanted_.header && row.may_be_header() != shape_.header)
      return {
          exit_status::usage,
          fmt::format(
              "the first line of {} may be a header, and that of {} is not; pass --header=yes or --header=no",
              shape_.header ? first_path_ : path, shape_.header ? path : first_path_)};
    if (shape_.header) return fit_by_names(row, path);
    if (row.as.same_width && row.as.width != first_.as.width)
      return {exit_status::bad_data,
              fmt::format("{}:1:1: a line of {}; expected {}, as {} has", path,
                          base::counted(row.as.width, "column"), first_.as.width, first_path_)};
    row.as.wanted = first_.as.wanted;
    return {};
  }

  // Equal names go with each other in their order.
  status fit_by_names(first_row& row, const std::string& path) const {
    constexpr const char* expected = "expected the same columns in all files of a table, in any order";
    std::vector<std::size_t> places(first_.fields.size(), row.fields.size());
    std::vector<bool> taken(row.fields.size());
    for (std::size_t k = 0; k < first_.fields.size(); ++k) {
      std::size_t at = 0;
      while (at < row.fields.size() && (taken[at] || row.fields[at] != first_.fields[k])) ++at;
      if (at < row.fields.size()) taken[places[k] = at] = true;
    }
    for (const std::size_t column : first_.as.wanted) {
      if (places[column] == row.fields.size())
        return {exit_status::bad_data,
                fmt::format("{}:1:1: no column {}, which {} has; {}", path,
                            formats::shown(first_.fields[column]), first_path_, expected)};
      row.as.wanted.push_back(places[column]);
    }
    const auto further = static_cast<std::size_t>(std::ranges::find(taken, false) - taken.begin());
    if (wanted_.columns.empty() && further < taken.size())
      return {exit_status::bad_data, fmt::format("{}:1:1: a column {}, which {} lacks; {}", path,
                                                 formats::shown(row.fields[further]), first_path_, expected)};
    return {};
  }

  const table_request& wanted_;
  table_shape shape_;
  first_row first_;  // of the first file that has a line
  std::string first_path_;
};

class row_reader {
 public:
  row_reader(const file_columns& as, const row_visitor& visit)
      : as_(as), visit_(visit), last_(*std::ranges::max_element(as.wanted)), wanted_(as.wanted.size()) {}

  line_mistake operator()(std::string_view line) {
    if (line.find_first_not_of(formats::blanks) == line.npos) return {};
    field_reader fields(line, as_.separator);
    fields_.clear();
    for (table_field field; fields.next(field);) fields_.push_back(field);
    if (fields.failed()) return {fields.error_column(), std::string(fields.error())};
    const bool fits = as_.same_width ? fields_.size() == as_.width : fields_.size() > last_;
    if (!fits) return wrong_width(line);
    for (std::size_t k = 0; k < wanted_.size(); ++k) wanted_[k] = fields_[as_.wanted[k]];
    return visit_(wanted_);
  }

 private:
  line_mistake wrong_width(std::string_view line) const {
    if (!as_.same_width)
      return {line.size() + 1, fmt::format("a line of {}; expected {} or more",
                                           base::counted(fields_.size(), "column"), last_ + 1)};
    const std::size_t column = fields_.size() > as_.width ? fields_[as_.width].column : line.size() + 1;
    return {column, fmt::format("a line of {}; expected {}, as the first line has{}",
                                base::counted(fields_.size(), "column"), as_.width,
                                as_.separator == ' ' ? ", or --separator=blanks for lines of more, or "
                                                       "--separator=none where a line is one column"
                                                     : "")};
  }

  const file_columns& as_;
  const row_visitor& visit_;
  const std::size_t last_;  // column that is wanted
  std::vector<table_field> fields_, wanted_;
};

}  // namespace

std::optional<char> separator_named(std::string_view name) {
  const auto* const found = std::ranges::find(separators, name, [](const auto& one) { return one.first; });
  return found == std::end(separators) ? std::nullopt : std::optional(found->second);
}

result<table_shape> find_table(const input_files& files, const table_request& wanted) {
  shape_finder all(wanted);
  for (const input_file& file : files) {
    if (status failed = all.add(file); !failed.ok()) return failed;
  }
  table_shape shape = std::move(all).shape();
  if (shape.names.empty()) return no_row_in(files.front().path);
  return shape;
}

status read_rows(const input_files& files, const table_shape& shape, const row_visitor& visit) {
  return read_my_parts(files, [&](const input_file&, const file_part& part, mistake& found) {
    return read_rows_of(files, part, shape, visit, found);
  });
}

status read_rows_of(const input_files& files, const file_part& part, const table_shape& shape,
                    const row_visitor& visit, mistake& found) {
  const file_columns& as = shape.of_files[part.file];
  if (as.wanted.empty()) return {};  // it has no line
  return read_lines_of(files[part.file], part, shape.header, row_reader(as, visit), found);
}

}  // namespace orujo::internal::mapreduce
