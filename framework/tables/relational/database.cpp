#include "framework/tables/relational/database.hpp"

#include <glog/logging.h>

#include <functional>
#include <optional>
#include <utility>

#include "system/base/identity.hpp"
#include "system/base/printable.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"

namespace orujo::internal::relational {
namespace {

void list_steps(const plan_node& of, int depth, const std::vector<step_figures>& figures, const tables& data,
                std::vector<answer_part::step>& to) {
  to.push_back({describe(of, data), depth, figures[of.number]});
  for (const plan_node& one : of.of) list_steps(one, depth + 1, figures, data, to);
}

// Files as texts, which can travel.
std::vector<std::string> packed(const std::vector<table_file>& files) {
  std::vector<std::string> all;
  for (const table_file& f : files) {
    all.push_back(f.name);
    all.push_back(f.path);
    all.push_back({static_cast<char>(f.has_header), f.separator});
  }
  return all;
}
std::vector<table_file> unpacked(const std::vector<std::string>& all) {
  std::vector<table_file> files;
  for (std::size_t k = 0; k < all.size(); k += 3)
    files.push_back({all[k], all[k + 1], static_cast<header>(all[k + 2][0]), all[k + 2][1]});
  return files;
}

// The edges of the calling core's rows.
std::vector<edge> edges_here(const answer_part& part) {
  std::vector<edge> edges;
  const column &from = part.rows.columns[0], &to = part.rows.columns[1];
  for (std::size_t k = 0; k < part.rows.rows; ++k) {
    if (!from.null(k) && !to.null(k))
      edges.push_back({static_cast<std::uint64_t>(from[k]), static_cast<std::uint64_t>(to[k])});
  }
  return edges;
}

bool every_column(std::string_view, std::string_view) { return true; }

// [collective] With the field for which the column is one of texts.
status because_of(const table_column& a_text, const tables& data, const status& mistake) {
  const std::string why = why_text(data.all[a_text.table], a_text.column);
  return why.empty() ? mistake : status(mistake.code(), mistake.message() + "; " + why);
}

// [collective] Where a column of texts looks like one of numbers.
void warn_of_order(const table_column& a_text, const tables& data) {
  const table& of = data.all[a_text.table];
  if (!of.looks_like_numbers(a_text.column)) return;
  const std::string why = why_text(of, a_text.column);
  if (my_core() == 0)
    LOG(WARNING) << base::printable(why + ", so the column " + of.names[a_text.column].name +
                                    " orders as texts do: 10 comes before 9");
}

}  // namespace

std::uint64_t answer::rows() const {
  return delegates::sum_of_all([parts = parts_]() -> std::uint64_t { return parts.here().rows.rows; });
}

void answer::destroy() const { parts_.destroy(); }

containers::global_array<edge> edges_of(const answer& rows) {
  const std::vector<output>& columns = rows.local().columns;
  require(columns.size() >= 2 && columns[0].type != kind::real && columns[1].type != kind::real,
          "edges_of() an answer whose first two columns are not integers or texts; select them so");
  const std::uint64_t edges =
      delegates::sum_of_all([rows]() -> std::uint64_t { return edges_here(rows.local()).size(); });
  const auto made = containers::global_array<edge>::create(edges);
  loops::on_all_cores([rows, made] {
    const std::vector<edge> mine = edges_here(rows.local());
    const by_core<std::uint64_t> all = collectives::all_gather(std::uint64_t{mine.size()});
    std::uint64_t first = 0;
    for (core_id c = 0; c < my_core(); ++c) first += all[c];
    made.put(first, mine);
    collectives::barrier();
  });
  return made;
}

result<answer_part> select_on_all(const statement& query, const tables& data,
                                  const execute_options& options) {
  const query_texts texts = texts_of(query.query, data);
  std::optional<table_column> a_text;
  auto made = make_plan(query, data, texts, &a_text);
  if (!made.ok()) return a_text ? because_of(*a_text, data, made.status()) : made.status();
  const plan& of = made.value();
  for (const table_column& one : of.ordered_texts) warn_of_order(one, data);
  auto done = execute(of, data, query.text, options);
  if (!done.ok()) return done.status();
  answer_part part{of.outputs, std::move(done.value().rows), {}, {}, of.mixes_numbers};
  list_steps(of.root, 0, done.value().steps, data, part.steps);
  std::vector<word> codes;
  for (std::size_t c = 0; c < part.columns.size(); ++c) {
    if (part.columns[c].type != kind::text) continue;
    const column& values = part.rows.columns[c];
    for (std::size_t row = 0; row < part.rows.rows; ++row) {
      if (!values.null(row)) codes.push_back(values[row]);
    }
  }
  part.texts = data.texts.look_up(std::move(codes), texts.constants);
  return part;
}

result<database> database::load(const std::vector<table_file>& files) {
  const database made(containers::symmetric<tables>::reserve());
  status failed;
  const memory::global_address<status> said(my_core(), &failed);
  loops::on_all_cores(
      [made, said](const std::vector<std::string>& names) {
        made.take(load_tables(unpacked(names), {}, every_column), said);
      },
      packed(files));
  if (!failed.ok()) return failed;
  return made;
}

void database::take(result<tables> part, memory::global_address<status> said) const {
  const status mine = collectives::first_failure(part.status());
  if (mine.ok()) parts_.emplace_here(std::move(part).value());
  if (my_core() == said.core()) *said.local() = mine;
}

void database::destroy() const { parts_.destroy(); }

result<answer> database::select(std::string_view query, const execute_options& options) const {
  if (const auto parsed = parse(query); !parsed.ok()) return parsed.status();
  const auto parts = containers::symmetric<answer_part>::reserve();
  status failed;
  const memory::global_address<status> said(my_core(), &failed);
  loops::on_all_cores(
      [parts, said, data = parts_, options](const std::string& text) {
        const auto parsed = parse(text);
        auto made = parsed.ok() ? select_on_all(parsed.value(), data.here(), options)
                                : result<answer_part>(parsed.status());
        const status mine = collectives::first_failure(made.status());
        if (mine.ok()) parts.emplace_here(std::move(made).value());
        if (my_core() == said.core()) *said.local() = mine;
      },
      std::string(query));
  if (!failed.ok()) return failed;
  return answer(parts);
}

}  // namespace orujo::internal::relational
