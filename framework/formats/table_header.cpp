#include "framework/formats/table_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/names.hpp"
#include "framework/formats/table_fields.hpp"
#include "framework/formats/text_tokens.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

// Names of columns, in small letters and without the part after a colon. The ends of an edge come in pairs.
constexpr std::pair<std::string_view, std::string_view> known_ends[] = {{"source", "target"},
                                                                        {"src", "dst"},
                                                                        {"from", "to"},
                                                                        {"fromnodeid", "tonodeid"},
                                                                        {"start", "end"},
                                                                        {"start_id", "end_id"},
                                                                        {"source_id", "target_id"},
                                                                        {"sourceid", "targetid"},
                                                                        {"from_id", "to_id"},
                                                                        {"node1", "node2"},
                                                                        {"node_1", "node_2"},
                                                                        {"src_id", "dst_id"},
                                                                        {"follower", "followee"},
                                                                        {"source", "destination"},
                                                                        {"sender", "receiver"},
                                                                        {"id1", "id2"},
                                                                        {"numeric_id_1", "numeric_id_2"}};
// Pairs of columns whose values are of two sets.
constexpr std::pair<std::string_view, std::string_view> known_sides[] = {
    {"userid", "movieid"},  {"userid", "itemid"}, {"user_id", "movie_id"},
    {"user_id", "item_id"}, {"user", "item"},     {"user", "movie"}};
constexpr std::string_view known_weights[] = {"weight",   "weights", "w",   "rating",
                                              "distance", "length",  "cost"};

struct column {
  std::string name;   // as it stands there
  std::string plain;  // as known_ends has it
  std::string space;  // Neo4j's, of ids: "Person" of ":START_ID(Person)"
  std::size_t at;     // in the line

  std::string name_in_small_letters() const { return lower(name); }
};

// ":START_ID(Person)", "id:START_ID", "weight:double", and plain ones.
column column_of(std::string name, std::size_t at) {
  std::string plain = lower(name), space;
  const std::size_t colon = plain.find(':'), open = plain.find('(', std::min(colon, plain.size()));
  if (open != plain.npos && plain.ends_with(')')) {
    space = name.substr(open + 1, name.size() - open - 2);
    plain.resize(open);
  }
  const std::string type = colon == plain.npos ? "" : plain.substr(colon + 1);
  if (type == "start_id" || type == "end_id") {
    plain = type;
  } else if (colon != plain.npos) {
    plain.resize(colon);
  }
  return {std::move(name), std::move(plain), std::move(space), at};
}

struct first_row {
  std::vector<column> columns;
  std::string error;
  std::size_t error_column = 0;
};

first_row split(std::string_view line, char separator) {
  first_row row;
  field_reader fields(line, separator);
  std::string quoted;
  std::size_t count = 0;
  for (table_field field; fields.next(field); ++count) {
    if (separator != ':' || count % 2 == 0)  // else what is between two colons
      row.columns.push_back(column_of(std::string(field.value(quoted)), field.column));
  }
  row.error = fields.error();
  row.error_column = fields.error_column();
  return row;
}

struct edge_ends {
  std::uint32_t source = 0, target = 1;
  bool known = false;      // by their names
  bool bipartite = false;  // which are of two sets
};

edge_ends find_ends(const std::vector<column>& columns) {
  const auto find = [&](std::string_view name) {
    return std::ranges::find(columns, name, &column::plain) - columns.begin();
  };
  const auto find_pair = [&](const auto& pairs, bool bipartite) {
    for (const auto& [source, target] : pairs) {
      const auto from = find(source), to = find(target);
      if (from < std::ssize(columns) && to < std::ssize(columns))
        return edge_ends{static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to), true, bipartite};
    }
    return edge_ends{};
  };
  const edge_ends ends = find_pair(known_ends, false);
  return ends.known ? ends : find_pair(known_sides, true);
}

std::vector<std::string> names_of(const std::vector<column>& columns) {
  std::vector<std::string> names;
  for (const column& c : columns) names.push_back(c.name);
  return names;
}

std::string shown_names(const std::vector<column>& columns) {
  std::string text;
  for (const column& c : columns) text += (text.empty() ? "" : ", ") + shown(c.name);
  return text;
}

bool is_number(const std::string& text) {
  double number = 0;
  return parse_number(text, number) != std::errc::invalid_argument;
}

// Finds out which columns are what, by the first row.
class column_chooser {
 public:
  column_chooser(const header_reader& at, const first_row& row, const text_request& wanted)
      : at_(at), columns_(row.columns), wanted_(wanted) {}

  // After choose(): there is a weight, which the request ignores.
  bool ignores_weight() const { return ignores_weight_; }

  // has_header is what choose_header() says.
  status choose(table_columns& table, bool has_header, const edge_ends& ends) {
    has_header_ = has_header;
    const table_request& by_user = wanted_.table;
    status failed = find(by_user.source, "--source_column", ends.source, table.source);
    if (failed.ok()) failed = find(by_user.target, "--target_column", ends.target, table.target);
    std::uint32_t time = table_columns::none;
    if (failed.ok()) failed = find(by_user.time, "--time_column", table_columns::none, time);
    if (!failed.ok()) return failed;
    const bool chosen = !by_user.source.empty() && !by_user.target.empty();
    if (has_header && !ends.known && !chosen && columns_.size() > 2)
      return at_.bad(
          columns_[0].at,
          fmt::format("the columns are {}; choose an edge's ends by --source_column and --target_column",
                      shown_names(columns_)));
    if (table.source == table.target)
      return at_.bad(1,
                     "source and target in one column; expected two, by --source_column and --target_column");
    if (ends.known && !chosen && columns_[ends.source].space != columns_[ends.target].space)
      return at_.bad(
          columns_[ends.source].at,
          fmt::format("sources are ids of {} and targets of {}, which may be the same numbers; give "
                      "them ids of one kind, or --source_column and --target_column if they are",
                      shown(columns_[ends.source].space), shown(columns_[ends.target].space)));
    if (has_header && ends.known) find_type(table);
    return choose_weight(table, time);
  }

 private:
  void find_type(table_columns& table) const {
    const auto type = static_cast<std::uint32_t>(
        std::ranges::find(columns_, "type", &column::name_in_small_letters) - columns_.begin());
    if (type < columns_.size()) table.type = type;
  }

  status find(const std::string& name, std::string_view flag, std::uint32_t otherwise, std::uint32_t& to) {
    to = otherwise;
    if (!name.empty()) {
      const auto by_name = find_column(names_of(columns_), name);
      const auto number = base::number_of<std::uint64_t>(name);
      if (has_header_ && by_name) {
        to = static_cast<std::uint32_t>(*by_name);
      } else if (number && *number > 0 && *number <= columns_.size()) {
        to = static_cast<std::uint32_t>(*number - 1);
      } else {
        return at_.bad(1, fmt::format("no column {} for {}; {}", shown(name), flag, what_there_is()));
      }
    }
    if (to == table_columns::none || to < columns_.size()) return {};
    return at_.bad(at_.line().size() + 1, fmt::format("only one column; {}", what_there_is()));
  }

  std::string what_there_is() const {
    return has_header_ ? fmt::format("the columns are {}", shown_names(columns_))
                       : fmt::format(
                             "columns have numbers from 1 to {}, and names with --header; --separator "
                             "chooses what separates them",
                             columns_.size());
  }

  // Selects the weight. In a table without column names it is the third column. A weight that is ignored is
  // only noted.
  status choose_weight(table_columns& table, std::uint32_t time) {
    if (!wanted_.ignores_weights && !wanted_.table.weight.empty())
      return find(wanted_.table.weight, "--weight_column", table_columns::none, table.weight);
    std::uint32_t others = 0, one = table_columns::none, weight = table_columns::none;
    for (std::uint32_t k = 0; k < columns_.size(); ++k) {
      if (k == table.source || k == table.target || k == time) continue;
      ++others;
      one = k;
      const bool known = std::ranges::find(known_weights, columns_[k].plain) != std::end(known_weights);
      if (has_header_ && known && weight == table_columns::none) weight = k;
    }
    if (wanted_.ignores_weights) {
      ignores_weight_ =
          has_header_ ? weight != table_columns::none : others == 1 && is_number(columns_[one].name);
      return {};
    }
    table.weight = weight;
    if (has_header_ || others == 0) return {};
    if (others > 1)
      return at_.bad(
          1, fmt::format(
                 "{} columns without names; choose the weight by --weight_column=N, or pass --ignore_weights",
                 columns_.size()));
    table.weight = one;
    return {};
  }

  const header_reader& at_;
  const std::vector<column>& columns_;
  const text_request& wanted_;
  bool has_header_ = false, ignores_weight_ = false;
};

// The first row is one of these. It is doubtful if all of it may be names of vertices.
enum class row_kind { edge, header, doubtful };

// `behind` is the second row, or nothing.
row_kind kind_of_first(const first_row& row, const first_row& behind, const text_request& wanted) {
  const table_request& by_user = wanted.table;
  if (by_user.header) return *by_user.header ? row_kind::header : row_kind::edge;
  if (find_ends(row.columns).known) return row_kind::header;
  for (const std::string* name : {&by_user.source, &by_user.target, &by_user.weight}) {
    if (!name->empty() && !base::number_of<std::uint64_t>(*name)) return row_kind::header;
  }
  if (std::ranges::any_of(row.columns, [](const column& c) { return is_number(c.name); }))
    return row_kind::edge;
  if (!wanted.named) return row_kind::header;
  // Numbers beside the names of vertices, and none in the first row.
  const std::uint64_t source = base::number_of<std::uint64_t>(by_user.source).value_or(1);
  const std::uint64_t target = base::number_of<std::uint64_t>(by_user.target).value_or(2);
  for (std::size_t k = 0; k < std::min(row.columns.size(), behind.columns.size()); ++k) {
    const std::string& text = behind.columns[k].name;
    if (k + 1 != source && k + 1 != target && is_number(text) &&
        text.find_first_of("0123456789") != text.npos)
      return row_kind::header;
  }
  return row_kind::doubtful;
}

// The row after the one that `header` is at.
first_row row_behind(header_reader header, char separator) {
  return header.next() ? split(header.line(), separator) : first_row{};
}

// Sets the direction if the first row after the header has a type of edges, as Gephi writes it. Other columns
// of that name are ignored.
void set_direction(const header_reader& header, text_layout& layout) {
  table_columns& table = layout.table;
  if (table.type == table_columns::none) return;
  const first_row row = row_behind(header, table.separator);
  const std::string type =
      table.type < row.columns.size() ? row.columns[table.type].name_in_small_letters() : "";
  if (type != directed_type && type != undirected_type) table.type = table_columns::none;
  layout.mirrored = type == undirected_type;
}

// True if targets are of another set than sources. `ends` are the names of detected columns.
result<bool> has_two_sides(const header_reader& header, const edge_ends& ends, char separator,
                           const text_request& wanted) {
  const bool chosen = !wanted.table.source.empty() && !wanted.table.target.empty();
  const bool found = (ends.bipartite && !chosen) || separator == ':';
  const bool bipartite = wanted.table.bipartite.value_or(found);
  if (bipartite && wanted.named)
    return header.bad(1,
                      "sources and targets of two sets, which may have the same names; remove --names, or "
                      "pass --nobipartite if a name means the same in both");
  return bipartite;
}

// Two columns stand at their places, and what is between two colons is a column, too.
void count_colons(table_columns& table) {
  for (std::uint32_t* column : {&table.source, &table.target, &table.weight, &table.type}) {
    if (*column != table_columns::none) *column *= 2;
  }
}

}  // namespace

bool is_passed_over(const header_reader& header) {
  return header.words().empty() || begins_comment(header.words()[0].text);
}

bool is_between_colons(std::string_view line) {
  return separator_of(line) == ' ' && line.find("::") != line.npos;
}

bool begins_with_ratings(std::string_view line) {
  const first_row row = is_between_colons(line) ? split(line, ':') : first_row{};
  return row.columns.size() > 1 && base::number_of<std::uint64_t>(row.columns[0].name) &&
         base::number_of<std::uint64_t>(row.columns[1].name);
}

bool is_known_header(std::string_view line) {
  return find_ends(split(line, separator_of(line)).columns).known;
}

result<text_layout> read_csv_header(header_reader& header, const text_request& wanted) {
  text_layout layout;
  layout.format = text_format::csv;
  if (header.line().starts_with("\xff\xfe") || header.line().starts_with("\xfe\xff"))
    return header.bad(1, "UTF-16 text; expected ASCII or UTF-8: convert it with iconv -f UTF-16 -t UTF-8");
  while (is_passed_over(header)) {
    if (!header.next())
      return header.bad(1, "no row in the first MiB; expected a table with a row for each edge");
  }
  char& separator = layout.table.separator;
  separator = wanted.table.separator;
  if (separator == 0) separator = is_between_colons(header.line()) ? ':' : separator_of(header.line());
  const first_row row = split(header.line(), layout.table.separator);
  if (!row.error.empty()) return header.bad(row.error_column, row.error);
  const row_kind kind = kind_of_first(row, row_behind(header, separator), wanted);
  const bool named_columns = kind == row_kind::header;
  const edge_ends ends = named_columns ? find_ends(row.columns) : edge_ends{};
  column_chooser chooser(header, row, wanted);
  const status failed = chooser.choose(layout.table, named_columns, ends);
  if (!failed.ok()) return failed;
  const auto bipartite = has_two_sides(header, ends, separator, wanted);
  if (!bipartite.ok()) return bipartite.status();
  layout.bipartite = bipartite.value();
  const bool weighted = layout.table.weight != table_columns::none;
  layout.columns = weighted || chooser.ignores_weight() ? 3 : 2;
  layout.may_have_header = kind == row_kind::doubtful && !weighted;
  if (named_columns) {
    header.set_body_behind(layout);
    set_direction(header, layout);
  } else {
    header.set_body_here(layout);
  }
  if (separator == ':') count_colons(layout.table);
  return layout;
}

}  // namespace orujo::internal::formats
