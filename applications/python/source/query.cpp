#include "query.hpp"

#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "framework/graph/build/memory_needs.hpp"
#include "framework/tables/relational/database.hpp"
#include "job.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"
#include "system/tasks/scheduler.hpp"
#include "visit_edges.hpp"

namespace orujo::internal::python {
namespace {

using relational::kind;

constexpr std::uint64_t rows_between_yields = 1 << 16;

// The tables of the query under way, at this process.
const std::vector<given_table>* given_here = nullptr;

// The rows that the calling core brings.
index_range rows_here(const given_table& t) {
  if (t.everywhere) return my_part_of_job({0, t.rows});
  if (process() > 0) return {0, 0};
  const auto of = static_cast<std::uint64_t>(my_locales_cores());
  const auto me = static_cast<std::uint64_t>(my_core_of_locale());
  return {t.rows * me / of, t.rows * (me + 1) / of};
}

relational::cell cell_of(const table_column& c, std::uint64_t row) {
  if (c.nulls && c.nulls[row]) return std::nullopt;
  const std::int64_t word = c.words[row];
  if (c.type == kind::text) return c.texts[static_cast<std::size_t>(word)];
  return c.type == kind::real ? relational::cell(relational::real_of(word)) : relational::cell(word);
}

void take_edges(graph::distributed_graph graph, const relational::brought_table::taker& take) {
  const graph::locale_graph& here = graph.here();
  std::vector<relational::cell> row(here.weighted ? 3 : 2, std::nullopt);
  std::uint64_t taken = 0;
  visit_edges(here, [&](std::uint64_t source, std::uint64_t target, float weight) {
    row[0] = source;
    row[1] = target;
    if (here.weighted) row[2] = static_cast<double>(weight);
    take(row);
    if (++taken % rows_between_yields == 0) tasks::yield();
  });
}

// The edges of a graph whose ids are positions.
relational::brought_table brought(const std::string& name, graph::distributed_graph graph) {
  relational::brought_table made{
      .name = name, .names = {{"source", kind::integer}, {"target", kind::integer}}, .rows = {}};
  if (graph.here().weighted) made.names.push_back({"weight", kind::real});
  made.rows = [graph](const relational::brought_table::taker& take) { take_edges(graph, take); };
  return made;
}

relational::brought_table brought(const given_table& t) {
  if (t.graph) return brought(t.name, t.graph->get());
  relational::brought_table made{.name = t.name, .names = {}, .rows = {}};
  for (const table_column& c : t.columns) made.names.push_back({c.name, c.type});
  made.rows = [&t](const relational::brought_table::taker& take) {
    const index_range mine = rows_here(t);
    std::vector<relational::cell> row(t.columns.size(), std::nullopt);
    for (std::uint64_t k = mine.first; k < mine.last; ++k) {
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = cell_of(t.columns[c], k);
      take(row);
      if (k % rows_between_yields == 0) tasks::yield();
    }
  };
  return made;
}

// [task; suspends; collective over the job]
result<relational::tables> load_given() {
  std::vector<relational::table_file> files;
  std::vector<relational::brought_table> rows;
  for (const given_table& t : *given_here) {
    if (t.path.empty()) {
      rows.push_back(brought(t));
    } else {
      files.push_back({t.name, t.path});
    }
  }
  return relational::load_tables(files, rows);
}

// [task at core 0; suspends] There is room for the rows that the processes bring, beside those that they
// have, and for the stacks of the parser. These are mapped, but hardly used.
status check_room_for_tables() {
  return loops::on_all_cores([] {
    std::uint64_t bytes = 0;
    for (const given_table& t : *given_here) {
      const std::size_t columns = t.graph ? 3 : t.columns.size();
      const std::uint64_t all = memory::bytes_of(t.rows, columns * sizeof(relational::word));
      bytes += t.everywhere ? all / static_cast<std::uint64_t>(locales()) : process() == 0 ? all : 0;
    }
    const std::uint64_t stacks = my_locales_cores() * relational::query_stack_bytes;
    const std::uint64_t left = machine::mappable_memory();
    const bool fits = my_core_of_locale() > 0 || (stacks <= left && bytes <= left - stacks);
    const status mapped =
        fits ? status()
             : status(exit_status::no_resource,
                      "query() requires about " + std::to_string(bytes + stacks) +
                          " bytes in a process and its limits leave " + std::to_string(left) +
                          ": raise them (ulimit -v, ulimit -d), or use fewer cores or smaller tables");
    if (status failed = collectives::first_failure(mapped); !failed.ok()) return failed;
    return graph::check_room("query()", bytes);
  });
}

// [task at core 0; suspends] There is room for the answer at the cores, and then at every process.
status check_room_for(std::uint64_t rows, std::size_t columns) {
  return loops::on_all_cores([=] {
    const auto here = static_cast<std::uint64_t>(locales());
    return graph::check_room("the answer of query()",
                             memory::bytes_of(rows + rows / here, columns * sizeof(relational::word)));
  });
}

// [task at core 0; suspends] The results of value(part, row) for all rows of the answer, in order.
template <class T, class Value>
values<T> values_of(relational::answer rows, const Value& value) {
  return values<T>::of(loops::on_all_cores([=] {
    const relational::answer_part& part = rows.local();
    std::vector<T> mine;
    mine.reserve(part.rows.rows);
    for (std::size_t row = 0; row < part.rows.rows; ++row) mine.push_back(value(part, row));
    return containers::global_array<T>::of(mine);
  }));
}

std::string_view text_in(const relational::answer_part& part, std::size_t c, std::size_t row) {
  const relational::column& all = part.rows.columns[c];
  return all.null(row) ? std::string_view() : part.text(all[row]);
}

values<std::uint8_t> bytes_of_texts(relational::answer rows, std::size_t c) {
  return values<std::uint8_t>::of(loops::on_all_cores([=] {
    const relational::answer_part& part = rows.local();
    std::vector<std::uint8_t> mine;
    for (std::size_t row = 0; row < part.rows.rows; ++row) {
      const std::string_view text = text_in(part, c, row);
      mine.insert(mine.end(), text.begin(), text.end());
    }
    return containers::global_array<std::uint8_t>::of(mine);
  }));
}

// [task at core 0; suspends]
found_column column_of(relational::answer rows, std::size_t c) {
  using relational::answer_part;
  const relational::output& its = rows.local().columns[c];
  found_column made{.name = its.name, .type = its.type, .words = {}, .reals = {}, .nulls = {}, .bytes = {}};
  const bool any_null = loops::combined_on_all_cores(
      [=] {
        const relational::column& all = rows.local().rows.columns[c];
        bool any = false;
        for (std::size_t row = 0; row < all.size(); ++row) any |= all.null(row);
        return any;
      },
      std::logical_or<>());
  if (any_null) {
    made.nulls = values_of<std::uint8_t>(rows, [c](const answer_part& part, std::size_t row) -> std::uint8_t {
      return part.rows.columns[c].null(row);
    });
  }
  if (made.type == kind::integer) {
    made.words = values_of<std::int64_t>(
        rows, [c](const answer_part& part, std::size_t row) { return part.rows.columns[c][row]; });
  } else if (made.type == kind::real) {
    made.reals = values_of<double>(rows, [c](const answer_part& part, std::size_t row) {
      return relational::real_of(part.rows.columns[c][row]);
    });
  } else {
    made.words = values_of<std::int64_t>(rows, [c](const answer_part& part, std::size_t row) {
      return static_cast<std::int64_t>(text_in(part, c, row).size());
    });
    made.bytes = bytes_of_texts(rows, c);
  }
  return made;
}

// [task at core 0; suspends]
template <class T>
values<T> as_values(std::span<const T> all) {
  const auto made = containers::global_array<T>::create(all.size());
  made.put(0, all);
  return values<T>::of(made);
}

// [task at core 0; suspends] The steps of a plan, those that a step gets its rows from below it.
found_rows rows_of(const std::vector<relational::answer_part::step>& steps) {
  std::vector<std::int64_t> rows, lengths;
  std::vector<double> seconds;
  std::vector<std::uint8_t> bytes;
  for (const auto& s : steps) {
    const std::string text = std::string(2 * static_cast<std::size_t>(s.depth), ' ') + s.what;
    rows.push_back(static_cast<std::int64_t>(s.figures.rows));
    seconds.push_back(s.figures.seconds);
    lengths.push_back(static_cast<std::int64_t>(text.size()));
    bytes.insert(bytes.end(), text.begin(), text.end());
  }
  found_rows made;
  made.columns.resize(3);
  made.columns[0].name = "rows";
  made.columns[0].words = as_values<std::int64_t>(rows);
  made.columns[1].name = "seconds";
  made.columns[1].type = kind::real;
  made.columns[1].reals = as_values<double>(seconds);
  made.columns[2].name = "step";
  made.columns[2].type = kind::text;
  made.columns[2].words = as_values<std::int64_t>(lengths);
  made.columns[2].bytes = as_values<std::uint8_t>(bytes);
  return made;
}

// [task at core 0; suspends]
result<found_rows> found_in(relational::answer rows, bool explain) {
  if (explain) return rows_of(rows.local().steps);
  const std::size_t columns = rows.local().columns.size();
  if (status room = check_room_for(rows.rows(), columns); !room.ok()) return room;
  found_rows made;
  for (std::size_t c = 0; c < columns; ++c) made.columns.push_back(column_of(rows, c));
  return made;
}

// Names and types as processes compare them.
std::string shown(const given_table& t) {
  if (t.graph) return t.name + "=" + text_of(*t.graph);
  std::string all = t.name + (t.path.empty() ? "(" : "='" + t.path + "'");
  for (const table_column& c : t.columns)
    all += (all.back() == '(' ? "" : ", ") + c.name + " " + std::string(relational::name_of(c.type));
  return all + (t.path.empty() ? ")" : "");
}

}  // namespace

found_rows query(const std::string& sql, const std::vector<given_table>& tables) {
  require_not_forked();  // the fork may have left the mutex locked
  static std::mutex given_by_one;
  const std::lock_guard alone(given_by_one);
  given_here = &tables;
  call as_called = call("query").with("sql", sql);
  std::string all;
  for (const given_table& t : tables) {
    if (t.graph) t.graph->get();  // throws if its job is over
    all += (all.empty() ? "" : ", ") + shown(t);
  }
  return together(as_called.with("tables", all), [&]() -> result<found_rows> {
    if (status room = check_room_for_tables(); !room.ok()) return room;
    const auto asked = relational::parse(sql);
    if (!asked.ok()) return asked.status();
    const auto data = relational::database::made_by([] { return load_given(); });
    if (!data.ok()) return data.status();
    const auto rows = data.value().select(sql);
    if (!rows.ok()) {
      data.value().destroy();
      return rows.status();
    }
    auto found = found_in(rows.value(), asked.value().explain);
    rows.value().destroy();
    data.value().destroy();
    return found;
  });
}

}  // namespace orujo::internal::python
