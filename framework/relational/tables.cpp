#include "framework/relational/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/formats/n_triples.hpp"
#include "framework/formats/text_tokens.hpp"
#include "framework/relational/syntax.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::relational {
namespace {

using formats::table_field, mapreduce::line_mistake;

constexpr std::size_t rows_behind_a_surprise = 10'000;
constexpr std::string_view no_utf8 =
    "a text that is no UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8";

bool parse_integer(std::string_view text, word& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return formats::parse_number(text, value) == std::errc();
}
bool parse_real(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return formats::parse_number(text, value) == std::errc() && std::isfinite(value);
}

// Takes fields, with the types that are known so far. A field that is none of its column's type makes it a
// wider one; what has been read is then of no use but for finding out more.
class column_reader {
 public:
  column_reader(std::vector<kind>& types, formats::name_set& met)
      : types_(types), met_(met), columns_(types.size()) {}

  // A text that is no UTF-8 is wrong().
  void take(std::size_t k, std::string_view text, bool is_null) {
    column& to = columns_[k];
    if (is_null) return to.push_null();
    word whole = 0;
    double real = 0;
    if (types_[k] == kind::integer) {
      if (parse_integer(text, whole)) return to.push_back(whole);
      surprised_ = true;
      types_[k] = kind::real;
    }
    if (types_[k] == kind::real) {
      if (parse_real(text, real)) return to.push_back(word_of(real));
      surprised_ = true;
      types_[k] = kind::text;
    }
    if (surprised_) return;
    const std::uint64_t before = met_.names().size(), number = met_.number_of(text);
    if (number == before && !mapreduce::is_utf8(text)) wrong_ = true;
    to.push_back(static_cast<word>(number));
  }
  void take(std::size_t k, const cell& value) {
    column& to = columns_[k];
    if (value.null) return to.push_null();
    const bool fits = types_[k] == value.type || (types_[k] == kind::real && value.type == kind::integer);
    require(fits, "a value of a brought_table is not of its column's type");
    if (value.type == kind::text) return take(k, value.text, false);
    to.push_back(types_[k] == value.type ? value.number : word_of(static_cast<double>(value.number)));
  }
  void end_row() { ++rows_; }
  bool wrong() const { return wrong_; }
  // The columns are to be read again, with other types.
  bool surprised() const { return surprised_; }
  bool wants_more() { return !surprised_ || ++behind_ < rows_behind_a_surprise; }
  row_part part() && { return {std::move(columns_), rows_}; }

 private:
  std::vector<kind>& types_;
  formats::name_set& met_;
  std::vector<column> columns_;
  std::size_t rows_ = 0;
  bool surprised_ = false, wrong_ = false;
  std::size_t behind_ = 0;  // rows since
};

class loader {
 public:
  explicit loader(const column_filter& wanted) : wanted_(wanted) {}

  status load(const table_file& file) {
    const auto files = mapreduce::find_input_on_all(file.path);
    if (!files.ok()) return files.status();
    auto found = shape_of(file, files.value());
    if (!found.ok()) return found.status();
    mapreduce::table_shape& shape = found.value().shape;
    table made{.name = file.name};
    shape.columns.clear();
    for (std::size_t k = 0; k < found.value().names.size(); ++k) {
      if (!wanted_(file.name, found.value().names[k])) {
        made.others.push_back(found.value().names[k]);
        continue;
      }
      shape.columns.push_back(k);
      made.names.push_back({found.value().names[k], kind::integer});
    }
    const std::size_t columns = made.names.size();
    const bool triples = found.value().triples;
    if (columns == 0 && !triples) shape.columns.push_back(0);  // rows are counted all the same
    std::vector<kind> types(columns, triples ? kind::text : kind::integer);
    for (;;) {
      column_reader reader(types, met_);
      const status mine = triples ? read_my_triples(files.value(), shape.columns, reader)
                                  : read_my_parts(files.value(), shape, reader, columns);
      if (status failed = loops::first_failure(mine); !failed.ok()) return failed;
      if (agree(types, reader.surprised())) {
        made.mine = std::move(reader).part();
        break;
      }
    }
    for (std::size_t k = 0; k < columns; ++k) made.names[k].type = types[k];
    add(std::move(made));
    return {};
  }

  // What it stops at for want of a type is no mistake, and nobody need look for its line.
  static status read_my_parts(const mapreduce::input_files& files, const mapreduce::table_shape& shape,
                              column_reader& reader, std::size_t columns) {
    std::string quoted;
    bool stopped = false;
    const mapreduce::row_visitor visit = [&](std::span<const table_field> fields) -> line_mistake {
      for (std::size_t k = 0; k < columns; ++k) {
        const table_field& field = fields[k];
        reader.take(k, field.value(quoted), field.text.empty() && !field.in_quotes);
        if (reader.wrong()) return {field.column, std::string(no_utf8)};
      }
      reader.end_row();
      stopped = !reader.wants_more();
      return stopped ? line_mistake{1, "stopped"} : line_mistake{};
    };
    for (const mapreduce::file_part& part : mapreduce::my_parts(files)) {
      mapreduce::mistake found;
      const mapreduce::input_file& file = files[part.file];
      if (status failed = mapreduce::read_rows_of(file, part, shape, visit, found); !failed.ok())
        return failed;
      if (stopped) return {};
      if (found.any()) return mapreduce::mistake_in(file, found);
    }
    return {};
  }

  static status read_my_triples(const mapreduce::input_files& files, const std::vector<std::size_t>& columns,
                                column_reader& reader) {
    formats::triple_reader lines;
    return mapreduce::read_lines(files, false, [&](std::string_view line) -> line_mistake {
      formats::triple found;
      if (!lines.read(line, found))
        return lines.failed() ? line_mistake{lines.error_column(), lines.error()} : line_mistake{};
      for (std::size_t k = 0; k < columns.size(); ++k) {
        reader.take(k, found[columns[k]].text, false);
        if (reader.wrong()) return {found[columns[k]].column, std::string(no_utf8)};
      }
      reader.end_row();
      return {};
    });
  }

  void load(const made_table& of) {
    table made{.name = of.name};
    std::vector<std::size_t> columns;
    std::vector<kind> types;
    for (std::size_t k = 0; k < of.names.size(); ++k) {
      if (!wanted_(of.name, of.names[k].name)) {
        made.others.push_back(of.names[k].name);
        continue;
      }
      columns.push_back(k);
      types.push_back(of.names[k].type);
      made.names.push_back(of.names[k]);
    }
    column_reader reader(types, met_);
    const loops::index_range mine = loops::my_part_of_job({0, of.parts});
    for (std::size_t part = mine.first; part < mine.last; ++part) {
      of.rows(part, [&](std::span<const std::string> fields) {
        for (std::size_t k = 0; k < columns.size(); ++k)
          reader.take(k, fields[columns[k]], fields[columns[k]].empty());
        reader.end_row();
      });
      if (part % 4096 == 0) tasks::yield();
    }
    made.mine = std::move(reader).part();
    add(std::move(made));
  }

  status load(const brought_table& of) {
    table made{.name = of.name, .names = of.names};
    std::vector<kind> types;
    for (const column_name& c : of.names) types.push_back(c.type);
    column_reader reader(types, met_);
    of.rows([&](std::initializer_list<cell> row) {
      require(row.size() == types.size(), "a row of a brought_table has not as many values as columns");
      for (std::size_t k = 0; const cell& value : row) reader.take(k++, value);
      reader.end_row();
    });
    const status mine = reader.wrong()
                            ? status(exit_status::bad_data, fmt::format("the table {}: {}", of.name, no_utf8))
                            : status();
    if (status failed = loops::first_failure(mine); !failed.ok()) return failed;
    made.mine = std::move(reader).part();
    add(std::move(made));
    return {};
  }

  tables finish() && {
    std::vector<word> codes;
    made_.texts = dictionary::build(met_.names(), codes);
    for (table& t : made_.all) {
      for (std::size_t k = 0; k < t.names.size(); ++k) {
        if (t.names[k].type != kind::text) continue;
        column& of = t.mine.columns[k];
        word* const words = of.words();
        for (std::size_t row = 0; row < t.mine.rows; ++row) {
          if (!of.null(row)) words[row] = codes[static_cast<std::size_t>(words[row])];
        }
      }
      know_ranges(t);
    }
    return std::move(made_);
  }

 private:
  // Whether nobody has been surprised; else the types are the widest of all cores'.
  static bool agree(std::vector<kind>& types, bool surprised) {
    std::vector<std::uint8_t> all{surprised};
    for (const kind k : types) all.push_back(static_cast<std::uint8_t>(k));
    loops::all_reduce(all, [](std::uint8_t a, std::uint8_t b) { return std::max(a, b); });
    for (std::size_t k = 0; k < types.size(); ++k) types[k] = static_cast<kind>(all[k + 1]);
    return !all[0];
  }

  static void know_ranges(table& t) {
    for (std::size_t k = 0; k < t.names.size(); ++k) {
      const bool text = t.names[k].type == kind::text;
      t.ranges.push_back(t.names[k].type == kind::real
                             ? key_range()
                             : key_range::of(t.mine.columns[k], text ? dictionary::code_bits_apart : 0));
    }
    loops::all_reduce(t.ranges, [](key_range a, const key_range& b) {
      a.add(b);
      return a;
    });
  }

  void add(table made) {
    made.rows = loops::all_reduce(std::uint64_t{made.mine.rows});
    made_.all.push_back(std::move(made));
  }

  const column_filter& wanted_;
  formats::name_set met_;
  tables made_;
};

}  // namespace

result<file_shape> shape_of(const table_file& file, const mapreduce::input_files& files) {
  if (formats::names_triples(files.front().path))
    return file_shape{{}, {formats::triple_columns.begin(), formats::triple_columns.end()}, true};
  auto found = mapreduce::find_table(files, {file.separator, true, {}});
  if (!found.ok()) return found.status();
  file_shape made{std::move(found).value(), {}, false};
  const auto is_name = [](const std::string& name) {
    double number = 0;
    return !name.empty() && !parse_real(name, number);
  };
  made.names = made.shape.names;
  if (file.has_header == header::automatic) made.shape.header = std::ranges::all_of(made.names, is_name);
  if (file.has_header == header::no) made.shape.header = false;
  if (!made.shape.header) {
    for (std::size_t k = 0; k < made.names.size(); ++k) made.names[k] = fmt::format("c{}", k + 1);
  }
  return made;
}

result<tables> load_tables(const std::vector<table_file>& files, const std::vector<made_table>& made,
                           const column_filter& wanted) {
  loader all(wanted);
  for (const table_file& file : files) {
    if (status failed = all.load(file); !failed.ok()) return failed;
  }
  for (const made_table& of : made) all.load(of);
  return std::move(all).finish();
}

result<tables> load_tables(const std::vector<table_file>& files, const std::vector<brought_table>& brought) {
  const column_filter every_column = [](std::string_view, std::string_view) { return true; };
  loader all(every_column);
  for (const table_file& file : files) {
    if (status failed = all.load(file); !failed.ok()) return failed;
  }
  for (const brought_table& of : brought) {
    if (status failed = all.load(of); !failed.ok()) return failed;
  }
  return std::move(all).finish();
}

}  // namespace orujo::relational
