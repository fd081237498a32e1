// Answers queries about tables, in SQL.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/query/show.hpp"
#include "applications/query/sp2bench.hpp"
#include "applications/query/sqlite_oracle.hpp"
#include "applications/query/tpch.hpp"
#include "framework/formats/n_triples.hpp"
#include "framework/tables/relational/database.hpp"
#include "framework/tables/relational/graph_rows.hpp"
#include "system/base/flags.hpp"
#include "system/base/printable.hpp"
#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"
#include "system/files/file_flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(query, "",
              "SQL query: SELECT ... or EXPLAIN SELECT ...; may also be given as an argument, in quotes");
DEFINE_string(
    table, "",
    "NAME=FILE, a table in a file or directory or the edges of a graph file, or FILE.csv, a table FILE; "
    "several by several --table, or separated by commas");
DEFINE_string(generate, "",
              "tables to generate: tpch:SCALE (scale 1 has six million lines) or sp2bench:TRIPLES");
DEFINE_string(header, "auto", "header of the files, the names of columns in the first line: yes, no or auto");
DEFINE_string(separator, "auto",
              "separator of the fields of a line: comma, tab, semicolon, pipe, blanks, none (a line is one "
              "field), or auto (detected in the first lines)");
DEFINE_string(output_format, "auto",
              "format of the answer: table, csv or json; auto: table on the terminal, csv for --output");
DEFINE_string(output, "", "file for the answer; -: stdout");
DEFINE_uint64(rows, 40, "maximum number of rows in a printed table");

namespace orujo::internal {
namespace {

using namespace relational;
using harness::grouped, harness::print;

const base::switch_texts switches{"header"};
const base::flag_alias name_of_table("input", "table");
constexpr std::pair<std::string_view, header> headers[] = {
    {"auto", header::automatic}, {"yes", header::yes}, {"no", header::no}};
constexpr std::string_view formats_known[] = {"auto", "table", "csv", "json"};

const auto* has_header() {
  return std::ranges::find(headers, FLAGS_header, [](const auto& h) { return h.first; });
}
const flag_rule separator_rule(
    "separator", [] { return mapreduce::separator_named(FLAGS_separator).has_value(); },
    mapreduce::separator_names);
const flag_rule header_rule(
    "header", [] { return has_header() != std::end(headers); }, "auto, yes or no");
const flag_rule format_rule(
    "output_format", [] { return std::ranges::count(formats_known, FLAGS_output_format) == 1; },
    "auto, table, csv or json");

// "NAME=FILE", or a path that has a slash or a suffix: its file's name up to the first point is the table's.
std::pair<std::string, std::string> name_and_path(const std::string& one) {
  const std::size_t equals = one.find('=');
  if (equals != one.npos) return {one.substr(0, equals), one.substr(equals + 1)};
  if (one.find_first_of("/.") == one.npos) return {};
  const std::string file = std::filesystem::path(one).filename().string();
  return {file.substr(0, file.find('.')), one};
}

// The flags are the same at every locale, and so is the result.
result<std::vector<table_file>> files_from_flags() {
  std::vector<table_file> files;
  for (std::size_t at = 0; at < FLAGS_table.size();) {
    const std::size_t end = std::min(FLAGS_table.find(',', at), FLAGS_table.size());
    const std::string one = FLAGS_table.substr(at, end - at);
    const auto [name, path] = name_and_path(one);
    if (name.empty() || path.empty())
      return status(exit_status::usage,
                    fmt::format("--table={}: expected NAME=FILE or FILE.csv, such as people.csv", one));
    files.push_back({name, path, has_header()->second, *mapreduce::separator_named(FLAGS_separator)});
    at = end + 1;
  }
  std::set<std::string> names;
  for (const table_file& f : files) {
    if (!names.insert(in_small_letters(f.name)).second)
      return status(exit_status::usage, fmt::format("--table: two tables {}; give one another name", f.name));
  }
  return files;
}

// Graph files have neither.
bool has_text_table() {
  const auto files = files_from_flags();
  return !files.ok() ||
         std::ranges::any_of(files.value(), [](const auto& f) { return !names_a_graph(f.path); });
}
const base::flag_need table_need(
    {"header", "separator"}, [] { return !FLAGS_table.empty() && has_text_table(); },
    "with --table and a file of lines");

// Errors in the names of tables are reported when the files are requested.
std::vector<std::string> paths_of_tables(const std::string&) {
  std::vector<std::string> paths;
  const auto files = files_from_flags();
  if (!files.ok()) return paths;
  for (const table_file& file : files.value()) paths.push_back(file.path);
  return paths;
}
const files::file_flag read_tables("table", files::file_flag::read, &paths_of_tables);
const files::file_flag written_answer("output", files::file_flag::written);

result<std::vector<made_table>> made_from_flags() {
  if (FLAGS_generate.empty()) return std::vector<made_table>();
  if (FLAGS_generate.starts_with("sp2bench:")) return query::sp2bench_tables(FLAGS_generate);
  if (FLAGS_generate.starts_with("tpch:")) return query::tpch_tables(FLAGS_generate);
  return status(exit_status::usage,
                fmt::format("--generate={}: expected tpch:SCALE or sp2bench:TRIPLES", FLAGS_generate));
}

// The columns that a query refers to.
class columns_of_query {
 public:
  explicit columns_of_query(const query_text& query) : all_(names_columns_anew(query)) {
    visit_expressions(query, [this](const expression& one) {
      if (one.is == expression::form::star) all_ = true;
      if (one.is == expression::form::column) names_.insert(in_small_letters(one.name));
    });
  }
  bool operator()(std::string_view, std::string_view column) const {
    return all_ || names_.contains(in_small_letters(column));
  }

 private:
  bool all_;
  std::set<std::string> names_;
};

result<tables> load_from_flags() {
  const auto query = parse(FLAGS_query);
  if (!query.ok()) return query.status();
  const auto files = files_from_flags();
  if (!files.ok()) return files.status();
  const auto made = made_from_flags();
  if (!made.ok()) return made.status();
  return load_tables(files.value(), made.value(), columns_of_query(query.value().query));
}

class run_of_query {
 public:
  explicit run_of_query(const statement& query) : query_(query) {}

  status all() {
    auto stats_file = harness::open_stats();
    if (!stats_file.ok()) return stats_file.status();
    const bool for_people =
        FLAGS_output_format == "table" || (FLAGS_output_format == "auto" && FLAGS_output.empty());
    if (query_.explain) {
      const status deaf =
          base::refuse_without_effect({"output", "output_format", "rows", "verify"}, "without EXPLAIN");
      if (!deaf.ok()) return deaf;
    } else if (!for_people) {
      const status deaf = base::refuse_without_effect({"rows"}, "where rows are printed for people");
      if (!deaf.ok()) return deaf;
    }
    if (FLAGS_output_format == "table" && !FLAGS_output.empty())
      return {exit_status::usage, "--output_format=table is for stdout; expected csv or json with --output"};
    auto output = files::output_file::open(for_people || query_.explain ? ""
                                           : FLAGS_output.empty()       ? "-"
                                                                        : FLAGS_output);
    if (!output.ok()) return output.status();
    std::uint64_t begun = base::now_ns();
    const auto data = database::made_by([] { return load_from_flags(); });
    if (!data.ok()) return data.status();
    harness::stats stats{"query", "query", {{"query", query_.text}}};
    tell_tables(data.value(), begun, stats);
    status failed;
    for (int k = 0; k < harness::trials() && failed.ok(); ++k) {
      if (found_) found_->destroy();
      begun = base::now_ns();
      auto found = data.value().select(query_.text);
      failed = found.status();
      if (!failed.ok()) break;
      found_ = found.value();
      const double seconds = 1e-9 * static_cast<double>(base::now_ns() - begun);
      print("query: {} in {:.4f} s\n", harness::counted(found_->rows(), "row"), seconds);
      stats.trials.push_back({{"seconds", seconds}, {"rows", found_->rows()}, {"steps", steps()}});
    }
    if (failed.ok() && FLAGS_output_format == "json") failed = query::check_names(found_->local().columns);
    if (failed.ok()) failed = tell(for_people, output.value(), stats);
    if (failed.ok()) failed = write_stats(stats, stats_file.value());
    if (found_) found_->destroy();
    data.value().destroy();
    if (failed.ok() && stats.verified == false)
      return {exit_status::failed, "the result is not that of SQLite"};
    return failed;
  }

 private:
  void tell_tables(const database& data, std::uint64_t begun, harness::stats& stats) const {
    std::string told;
    for (const table& t : data.local().all) {
      told += fmt::format("{}{}, {}", told.empty() ? "" : "; ", t.name, harness::counted(t.rows, "row"));
      stats.about_input["rows of " + t.name] = t.rows;
    }
    print("tables: {}, loaded in {:.2f} s ({})\n", told, 1e-9 * static_cast<double>(base::now_ns() - begun),
          harness::job_shape_text());
  }

  // As EXPLAIN prints them.
  base::json steps() const {
    base::json all = base::json::array();
    for (const answer_part::step& s : found_->local().steps)
      all.push_back(
          {{"step", s.what}, {"depth", s.depth}, {"rows", s.figures.rows}, {"seconds", s.figures.seconds}});
    return all;
  }

  status tell(bool for_people, files::output_file& output, harness::stats& stats) {
    if (query_.explain) {
      print("\n  {:>12}  {:>9}  step\n", "rows", "seconds");
      for (const answer_part::step& s : found_->local().steps)
        print("  {:>12}  {:>9.4f}  {}{}\n", grouped(s.figures.rows), s.figures.seconds,
              std::string(2 * static_cast<std::size_t>(s.depth), ' '), s.what);
      return {};
    }
    if (for_people) tell_people();
    if (output.wanted()) write(output);
    if (status written = output.finish(); !written.ok() || !harness::verify()) return written;
    return verify(stats);
  }

  void tell_people() const {
    const std::uint64_t all = found_->rows();
    print("\n{}", query::aligned(found_->local().columns, fetch(FLAGS_rows, "NULL")));
    if (all > FLAGS_rows)
      print("  ... {} more; --rows=N prints more of them, --output=FILE writes all\n",
            harness::counted(all - FLAGS_rows, "row"));
  }

  query::text_rows fetch(std::uint64_t most, const std::string& null) const {
    query::text_rows rows;
    const memory::global_address<query::text_rows> to(my_core(), &rows);
    loops::on_all_cores(
        [to, most, from = *found_](const std::string& null_text) {
          auto mine = query::first_rows(from.local(), most, null_text);
          if (my_core() == to.core()) *to.local() = std::move(mine);
        },
        null);
    return rows;
  }

  void write(files::output_file& output) const {
    const auto texts = containers::symmetric<results::text_pieces>::reserve();
    loops::on_all_cores([texts, from = *found_] {
      const query::format as = FLAGS_output_format == "json" ? query::format::json : query::format::csv;
      texts.emplace_here(query::file_of(from.local(), as));
    });
    results::write_texts(texts, output);
    texts.destroy();
  }

  // The verdict stays open if SQLite cannot answer, or answers differently for a known reason.
  status verify(harness::stats& stats) const {
    query::sqlite_oracle oracle;
    const std::vector<output>& columns = found_->local().columns;
    const status filled = fill(oracle);
    auto expected = filled.ok() ? oracle.run(query_, columns.size()) : result<query::oracle_rows>(filled);
    if (!expected.ok()) {
      print("\nnot compared: {}\n", expected.status().message());
      return {};
    }
    const std::string null("\0null", 5);  // no text has a NUL
    std::vector<std::vector<std::optional<std::string>>> found;
    for (const auto& row : fetch(~std::uint64_t{0}, null)) {
      auto& values = found.emplace_back();
      for (const std::string& value : row)
        values.push_back(value == null ? std::nullopt : std::optional(value));
    }
    const bool ordered = !query_.query.order.empty() || query_.query.limit_at > 0;
    const query::row_difference differs =
        query::difference(columns, std::move(found), std::move(expected).value(), ordered);
    const char* const reason =
        differs.in_text          ? nullptr
        : oracle.has_cancelled() ? "sums of reals that nearly cancel depend on the order of the rows"
        : found_->local().mixes_numbers
            ? "integers and reals in one CASE, coalesce or UNION are all reals here, and not in SQLite"
            : nullptr;
    if (differs.text.empty()) {
      print("\nverified against SQLite: {}\n", harness::counted(found_->rows(), "equal row"));
    } else if (reason) {
      print("\nnot compared: {} ({})\n", reason, base::printable(differs.text));
      return {};
    } else {
      print("\nNOT VERIFIED against SQLite: {}\n", base::printable(differs.text));
    }
    stats.verified = differs.text.empty();
    return {};
  }

  status fill(query::sqlite_oracle& oracle) const {
    const auto files = files_from_flags();
    const auto made = made_from_flags();
    const columns_of_query wanted(query_.query);
    for (const table_file& f : files.value()) {
      const auto input = mapreduce::find_input(f.path);
      if (!input.ok()) return input.status();
      const std::vector<std::string> paths = mapreduce::paths_of(input.value());
      verify::plain_request how{f.separator, {}};
      if (f.has_header != header::automatic) how.header = f.has_header == header::yes;
      const bool graph = paths.size() == 1 && names_a_graph(paths[0]);
      const status failed = graph                              ? oracle.add_graph(f.name, paths[0], wanted)
                            : formats::names_triples(paths[0]) ? oracle.add_triples(f.name, paths, wanted)
                                                               : oracle.add_file(f.name, paths, how, wanted);
      if (!failed.ok()) return failed;
    }
    for (const made_table& of : made.value()) {
      status failed = oracle.create(of.name, of.names);
      for (std::uint64_t part = 0; part < of.parts && failed.ok(); ++part) {
        of.rows(part, [&](std::span<const std::string> fields) {
          if (failed.ok()) failed = oracle.insert({fields.begin(), fields.end()});
        });
      }
      if (!failed.ok()) return failed;
    }
    return {};
  }

  const statement& query_;
  std::optional<answer> found_;
};

status main_task() {
  if (FLAGS_query.empty())
    return {exit_status::usage, "no query; pass one in quotes: \"SELECT count(*) FROM people\""};
  const auto query = parse(FLAGS_query);
  if (!query.ok()) return query.status();
  const auto files = files_from_flags();
  if (!files.ok()) return files.status();
  const auto made = made_from_flags();
  if (!made.ok()) return made.status();
  return run_of_query(query.value()).all();
}

// The query may be an argument of its own, also after a comment, and --table or --input may be repeated.
std::vector<std::string> gathered_flags(int argc, char** argv) {
  std::vector<std::string> flags;
  std::string tables;
  for (int k = 0; k < argc; ++k) {
    const std::string_view text = argv[k];
    if (k > 0 && (text.starts_with("--table=") || text.starts_with("--input="))) {
      tables += (tables.empty() ? "--table=" : ",") + std::string(text.substr(8));
    } else if (k > 0 && (!text.starts_with("-") || text.starts_with("-- ")) &&
               text.find_first_of(" \t\n(") != text.npos) {
      flags.push_back("--query=" + std::string(text));
    } else {
      flags.emplace_back(text);
    }
  }
  if (!tables.empty()) flags.push_back(tables);
  return flags;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  std::vector<std::string> flags = orujo::internal::gathered_flags(argc, argv);
  std::vector<char*> pointers;
  for (std::string& flag : flags) pointers.push_back(flag.data());
  pointers.push_back(nullptr);
  return orujo::run(
      static_cast<int>(flags.size()), pointers.data(),
      "query: SQL queries over tables in files.\n\n"
      "  bin/orujo run query --table=people=people.csv \"SELECT town, count(*) FROM people GROUP BY town\"\n"
      "  bin/orujo run -n 2 query --table=a=a.csv --table=b=b.csv \"SELECT * FROM a JOIN b ON a.id = b.id\" "
      "--output=joined.csv",
      &orujo::internal::main_task);
}
