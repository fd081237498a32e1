#include "framework/tables/relational/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "framework/formats/n_triples.hpp"
#include "framework/tables/relational/cells.hpp"
#include "framework/tables/relational/graph_rows.hpp"
#include "framework/tables/relational/syntax.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::relational {
namespace {

using formats::table_field, mapreduce::line_mistake;

constexpr std::size_t rows_behind_a_surprise = 10'000;
constexpr std::size_t first_rows = 1000;  // these decide whether a text looks like a number
constexpr std::string_view no_utf8 =
    "a text that is not UTF-8; expected UTF-8: convert it with iconv -f LATIN1 -t UTF-8";

// The shape of all columns, with their names.
result<mapreduce::table_shape> shape_of(const table_file& file, const mapreduce::input_files& files) {
  mapreduce::table_request wanted{.separator = file.separator, .header = {}};
  if (file.has_header != header::automatic) wanted.header = file.has_header == header::yes;
  auto found = mapreduce::find_table(files, wanted);
  if (!found.ok() || found.value().header) return found;
  for (std::string& name : found.value().names) name.insert(0, "c");
  return found;
}
result<mapreduce::table_shape> shape_of_triples() {
  return mapreduce::table_shape{false, {formats::triple_columns.begin(), formats::triple_columns.end()}, {}};
}

// Only these columns.
void keep(const std::vector<std::size_t>& columns, mapreduce::table_shape& of) {
  for (mapreduce::file_columns& file : of.of_files) {
    if (file.wanted.empty()) continue;
    const std::vector<std::size_t> all = std::exchange(file.wanted, {});
    for (const std::size_t column : columns) file.wanted.push_back(all[column]);
  }
}

// Takes fields, with the types that are known so far. A field that is none of its column's type makes it a
// wider one; what has been read is then of no use but for finding out more.
class column_reader {
 public:
  column_reader(std::vector<kind>& types, formats::name_set& met)
      : types_(types),
        met_(met),
        columns_(types.size()),
        quoted_empty_(types.size()),
        more_numbers_(types.size()) {}

  // A text that is not UTF-8 is wrong().
  void take_field(std::size_t k, std::string_view text, bool in_quotes = false) {
    column& to = columns_[k];
    if (text.empty() && !(in_quotes && types_[k] == kind::text)) {
      quoted_empty_[k] |= in_quotes;
      return to.push_null();
    }
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
    if (rows_ < first_rows) more_numbers_[k] += parse_real(text, real) ? 1 : -1;
    if (!surprised_) take_text(k, text);
  }
  void take(std::size_t k, const cell& value) {
    column& to = columns_[k];
    if (value.null) return to.push_null();
    const bool fits = types_[k] == value.type || (types_[k] == kind::real && value.type == kind::integer);
    require(fits, "a value of a brought_table is not of its column's type");
    if (value.type == kind::text) return take_text(k, value.text);
    to.push_back(types_[k] == value.type ? value.number : word_of(static_cast<double>(value.number)));
  }
  void end_row() { ++rows_; }
  bool wrong() const { return wrong_; }
  bool wants_more() { return !surprised_ || ++behind_ < rows_behind_a_surprise; }
  // [collective] Whether the columns of all cores are right; else the types are the widest of all values.
  bool agree() {
    struct met {
      kind type;
      bool quoted_empty, number;
    };
    std::vector<met> all;
    for (std::size_t k = 0; k < types_.size(); ++k) {
      const vec values = columns_[k].all();
      const std::span nulls(values.nulls, values.nulls ? columns_[k].size() : 0);
      const bool any = values.nulls ? std::ranges::find(nulls, 0) != nulls.end() : columns_[k].size() > 0;
      all.push_back({types_[k], quoted_empty_[k] != 0, any});
    }
    collectives::all_reduce(all, [](met a, met b) {
      return met{std::max(a.type, b.type), a.quoted_empty || b.quoted_empty, a.number || b.number};
    });
    bool again = collectives::all_reduce(int{surprised_}, std::bit_or<>()) != 0;
    for (std::size_t k = 0; k < types_.size(); ++k) {
      types_[k] = all[k].type;
      if (again || all[k].type != kind::integer || !all[k].quoted_empty || all[k].number) continue;
      types_[k] = kind::text;  // without a number what is empty is a text
      again = true;
    }
    return !again;
  }
  // For each column, the surplus of numbers over other texts among the first rows.
  const std::vector<std::int64_t>& more_numbers() const { return more_numbers_; }
  row_part part() && { return {std::move(columns_), rows_}; }

 private:
  void take_text(std::size_t k, std::string_view text) {
    const std::uint64_t before = met_.names().size(), number = met_.number_of(text);
    if (number == before && !mapreduce::is_utf8(text)) wrong_ = true;
    columns_[k].push_back(static_cast<word>(number));
  }

  std::vector<kind>& types_;
  formats::name_set& met_;
  std::vector<column> columns_;
  std::vector<std::uint8_t> quoted_empty_;  // by column, whether one has been taken for NULL
  std::vector<std::int64_t> more_numbers_;
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
    const std::string& first = files.value().front().path;
    if (files.value().size() == 1 && names_a_graph(first)) {
      const auto edges = rows_of_graph(file.name, first);
      return edges.ok() ? load(edges.value()) : edges.status();
    }
    const bool triples = formats::names_triples(first);
    auto found = triples ? shape_of_triples() : shape_of(file, files.value());
    if (status failed = collectives::first_failure(found.status()); !failed.ok()) return failed;
    table made{.name = file.name};
    std::vector<std::size_t> columns = choose(found.value().names, made);
    std::vector<kind> types(columns.size(), triples ? kind::text : kind::integer);
    if (columns.empty()) columns.push_back(0);  // rows are counted all the same
    keep(columns, found.value());
    const auto from = std::make_shared<table_origin>(table_origin{files.value(), std::move(found).value()});
    for (;;) {
      column_reader reader(types, met_);
      const status mine = triples ? read_my_triples(from->files, columns, reader, types.size())
                                  : read_my_rows(*from, reader, types.size());
      if (status failed = collectives::first_failure(mine); !failed.ok()) return failed;
      if (reader.agree()) {
        made.more_numbers = reader.more_numbers();
        collectives::all_reduce(made.more_numbers);
        made.mine = std::move(reader).part();
        break;
      }
    }
    for (std::size_t k = 0; k < types.size(); ++k) made.names[k].type = types[k];
    if (!triples) made.from = from;
    add(std::move(made));
    return {};
  }

  // Which columns are wanted; their names, and those of the others, are the table's.
  std::vector<std::size_t> choose(const std::vector<std::string>& names, table& of) const {
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (!wanted_(of.name, names[k])) {
        of.others.push_back(names[k]);
        continue;
      }
      columns.push_back(k);
      of.names.push_back({names[k], kind::integer});
    }
    return columns;
  }

  // A stop for want of a type is not a mistake, so its line need not be found.
  static status read_my_rows(const table_origin& from, column_reader& reader, std::size_t columns) {
    std::string quoted;
    bool stopped = false;
    const mapreduce::row_visitor visit = [&](std::span<const table_field> fields) -> line_mistake {
      for (std::size_t k = 0; k < columns; ++k) {
        const table_field& field = fields[k];
        reader.take_field(k, field.value(quoted), field.in_quotes);
        if (reader.wrong()) return {field.column, std::string(no_utf8)};
      }
      reader.end_row();
      stopped = stopped || !reader.wants_more();
      return stopped ? line_mistake{1, "stopped"} : line_mistake{};
    };
    return mapreduce::read_my_parts(from.files, [&](const auto&, const auto& part, auto& found) -> status {
      if (stopped) return {};
      const status failed = mapreduce::read_rows_of(from.files, part, from.shape, visit, found);
      if (stopped) found = {};
      return failed;
    });
  }

  static status read_my_triples(const mapreduce::input_files& files, const std::vector<std::size_t>& wanted,
                                column_reader& reader, std::size_t columns) {
    formats::triple_reader lines;
    return mapreduce::read_lines(files, false, [&](std::string_view line) -> line_mistake {
      formats::triple found;
      if (!lines.read(line, found))
        return lines.failed() ? line_mistake{lines.error_column(), lines.error()} : line_mistake{};
      for (std::size_t k = 0; k < columns; ++k) {
        reader.take_field(k, found[wanted[k]].text, true);
        if (reader.wrong()) return {found[wanted[k]].column, std::string(no_utf8)};
      }
      reader.end_row();
      return {};
    });
  }

  void load(const made_table& of) {
    table made{.name = of.name};
    std::vector<std::string> names;
    for (const column_name& c : of.names) names.push_back(c.name);
    const std::vector<std::size_t> columns = choose(names, made);
    std::vector<kind> types;
    for (std::size_t k = 0; k < columns.size(); ++k)
      types.push_back(made.names[k].type = of.names[columns[k]].type);
    column_reader reader(types, met_);
    const index_range mine = my_part_of_job({0, of.parts});
    for (std::size_t part = mine.first; part < mine.last; ++part) {
      of.rows(part, [&](std::span<const std::string> fields) {
        for (std::size_t k = 0; k < columns.size(); ++k) reader.take_field(k, fields[columns[k]]);
        reader.end_row();
      });
      if (part % 4096 == 0) tasks::yield();
    }
    made.mine = std::move(reader).part();
    add(std::move(made));
  }

  status load(const brought_table& of) {
    table made{.name = of.name};
    std::vector<std::string> names;
    for (const column_name& c : of.names) names.push_back(c.name);
    const std::vector<std::size_t> columns = choose(names, made);
    std::vector<kind> types;
    for (std::size_t k = 0; k < columns.size(); ++k)
      types.push_back(made.names[k].type = of.names[columns[k]].type);
    column_reader reader(types, met_);
    of.rows(brought_table::taker([&](std::span<const cell> row) {
      require(row.size() == names.size(), "a row of a brought_table has not as many values as columns");
      for (std::size_t k = 0; k < columns.size(); ++k) reader.take(k, row[columns[k]]);
      reader.end_row();
    }));
    const status mine = reader.wrong()
                            ? status(exit_status::bad_data, fmt::format("the table {}: {}", of.name, no_utf8))
                            : status();
    if (status failed = collectives::first_failure(mine); !failed.ok()) return failed;
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
  static void know_ranges(table& t) {
    for (std::size_t k = 0; k < t.names.size(); ++k) {
      const bool text = t.names[k].type == kind::text;
      t.ranges.push_back(t.names[k].type == kind::real
                             ? key_range()
                             : key_range::of(t.mine.columns[k], text ? dictionary::code_bits_apart : 0));
    }
    collectives::all_reduce(t.ranges, [](key_range a, const key_range& b) {
      a.add(b);
      return a;
    });
  }

  void add(table made) {
    made.rows = collectives::all_reduce(std::uint64_t{made.mine.rows});
    made_.all.push_back(std::move(made));
  }

  const column_filter& wanted_;
  formats::name_set met_;
  tables made_;
};

}  // namespace

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

std::string why_text(const table& of, std::size_t column) {
  if (!of.from) return "";
  table_origin only = *of.from;
  keep({column}, only.shape);
  std::string quoted;
  const mapreduce::row_visitor find = [&](std::span<const table_field> fields) -> line_mistake {
    word whole = 0;
    double real = 0;
    const std::string_view text = fields[0].value(quoted);
    if (text.empty() || parse_integer(text, whole) || parse_real(text, real)) return {};
    return {fields[0].column, why_no_number(text)};
  };
  return collectives::first_failure(mapreduce::read_rows(only.files, only.shape, find)).message();
}

}  // namespace orujo::internal::relational
