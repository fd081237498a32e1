#include "framework/mapreduce/table_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "framework/formats/table_header.hpp"
#include "framework/formats/text_tokens.hpp"

namespace orujo::mapreduce {
namespace {

using formats::field_reader, formats::table_field;

result<std::string> first_line_of(const input_file& file) {
  std::string line;
  mistake found;
  bool seen = false;
  const line_visitor keep = [&](std::string_view text) -> line_mistake {
    seen = true;
    line = text;
    return {1, "stop"};
  };
  const status failed = read_lines_of(file, {0, 0, 1}, false, keep, found);
  if (!failed.ok()) return failed;
  if (found.any() && !seen) return mistake_in(file, found);
  if (!seen || line.empty())
    return status(exit_status::bad_data,
                  fmt::format("{}:1:1: no row; expected a table with a row in each line", file.path));
  return line;
}

// The names of a header, or numbers from 1 on.
result<std::vector<std::string>> names_in(const std::string& line, const table_shape& shape,
                                          const std::string& path) {
  std::vector<std::string> names;
  std::string quoted;
  field_reader fields(line, shape.separator);
  for (table_field field; fields.next(field);)
    names.push_back(shape.header ? std::string(field.value(quoted)) : std::to_string(names.size() + 1));
  if (fields.failed())
    return status(exit_status::bad_data,
                  fmt::format("{}:1:{}: {}", path, fields.error_column(), fields.error()));
  return names;
}

std::optional<std::size_t> find_column(const std::vector<std::string>& names, const std::string& wanted) {
  const auto named = std::ranges::find(names, wanted);
  if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
  std::size_t number = 0;
  if (formats::parse_number(wanted, number) != std::errc() || number < 1 || number > names.size()) return {};
  return number - 1;
}

class row_reader {
 public:
  row_reader(const table_shape& shape, const row_visitor& visit)
      : shape_(shape),
        visit_(visit),
        last_(*std::ranges::max_element(shape.columns)),
        wanted_(shape.columns.size()) {}

  line_mistake operator()(std::string_view line) {
    if (line.find_first_not_of(formats::blanks) == line.npos) return {};
    field_reader fields(line, shape_.separator);
    fields_.clear();
    for (table_field field; fields.next(field);) fields_.push_back(field);
    if (fields.failed()) return {fields.error_column(), std::string(fields.error())};
    const bool fits = shape_.separator == ' ' ? fields_.size() > last_ : fields_.size() == shape_.width;
    if (!fits) return wrong_width(line);
    for (std::size_t k = 0; k < wanted_.size(); ++k) wanted_[k] = fields_[shape_.columns[k]];
    return visit_(wanted_);
  }

 private:
  line_mistake wrong_width(std::string_view line) const {
    const std::size_t column = fields_.size() > shape_.width ? fields_[shape_.width].column : line.size() + 1;
    if (shape_.separator == ' ')
      return {line.size() + 1,
              fmt::format("a line of {} columns; expected {} or more", fields_.size(), last_ + 1)};
    return {column, fmt::format("a line of {} columns; expected {}, as the first line has", fields_.size(),
                                shape_.width)};
  }

  const table_shape& shape_;
  const row_visitor& visit_;
  const std::size_t last_;  // column that is wanted
  std::vector<table_field> fields_, wanted_;
};

}  // namespace

result<table_shape> find_table(const input_files& files, const table_request& wanted) {
  const std::string& path = files.front().path;
  const auto line = first_line_of(files.front());
  if (!line.ok()) return line.status();
  table_shape shape;
  shape.header = wanted.header;
  shape.separator = wanted.separator != 0 ? wanted.separator : formats::separator_of(line.value());
  const auto names = names_in(line.value(), shape, path);
  if (!names.ok()) return names.status();
  shape.width = names.value().size();
  for (const std::string& column : wanted.columns) {
    const auto found = find_column(names.value(), column);
    if (!found)
      return status(
          exit_status::usage,
          fmt::format("{} has no column {}; expected a number from 1 to {}{}", path, formats::shown(column),
                      shape.width, shape.header ? ", or a name of its header" : ", or --header and a name"));
    shape.columns.push_back(*found);
  }
  if (wanted.columns.empty()) {
    shape.columns.resize(shape.width);
    std::iota(shape.columns.begin(), shape.columns.end(), std::size_t{0});
  }
  for (const std::size_t column : shape.columns) shape.names.push_back(names.value()[column]);
  return shape;
}

status read_rows(const input_files& files, const table_shape& shape, const row_visitor& visit) {
  return read_lines(files, shape.header, row_reader(shape, visit));
}

status read_rows_of(const input_file& file, const file_part& part, const table_shape& shape,
                    const row_visitor& visit, mistake& found) {
  return read_lines_of(file, part, shape.header, row_reader(shape, visit), found);
}

}  // namespace orujo::mapreduce
