// Breadth-first search from one vertex after the other.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/sources.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

using search_parts = memory::symmetric<std::shared_ptr<algorithms::breadth_first_search>>;

// What a vertex is told: numbers, or -1 if it is not reached.
struct place_in_tree {
  std::int64_t parent, level;
};

// The result of a search at core 0, by vertex number.
struct search_tree {
  std::vector<std::uint64_t> ids;
  std::vector<std::int64_t> parents, levels;
};

// The searches, which share their memory.
class searcher {
 public:
  explicit searcher(graph::distributed_graph graph)
      : graph_(graph), parts_(search_parts::reserve()), places_(gas::property<place_in_tree>::create(graph)) {
    loops::on_all_cores([graph, parts = parts_] {
      parts.emplace_here(std::make_shared<algorithms::breadth_first_search>(
          graph.here(), engine::direction_options_from_flags(algorithms::search_push_threshold)));
    });
  }
  ~searcher() {
    places_.destroy();
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
  }
  searcher(const searcher&) = delete;

  algorithms::search_report run(std::uint64_t source) {
    algorithms::search_report report;
    loops::on_all_cores([parts = parts_, source, to = &report] {
      const algorithms::search_report mine = parts.here()->run(source);
      if (my_core() == 0) *to = mine;
    });
    return report;
  }

  // Of the last search.
  search_tree tree() {
    loops::on_all_cores([parts = parts_, places = places_, graph = graph_] {
      const std::span<place_in_tree> all = places.here();
      const graph::core_part& part = graph.here().my_part();
      std::fill(all.begin() + part.first, all.begin() + part.last, place_in_tree{-1, -1});
      loops::barrier(loops::group::locale);
      parts.here()->for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
        all[v] = {static_cast<std::int64_t>(parent), static_cast<std::int64_t>(level)};
      });
    });
    search_tree whole;
    harness::visit_vertices(graph_, places_, [&](const harness::vertex_values<place_in_tree>& part) {
      whole.ids.insert(whole.ids.end(), part.ids.begin(), part.ids.end());
      for (const place_in_tree& place : part.values) {
        whole.parents.push_back(place.parent);
        whole.levels.push_back(place.level);
      }
    });
    return whole;
  }

 private:
  graph::distributed_graph graph_;
  search_parts parts_;
  gas::property<place_in_tree> places_;
};

void write(const search_tree& tree, output_file& output) {
  for (std::size_t v = 0; v < tree.ids.size(); ++v) {
    if (tree.levels[v] < 0) {
      output.write(fmt::format("{} -1 -1\n", tree.ids[v]));
    } else {
      const auto parent = static_cast<std::size_t>(tree.parents[v]);
      output.write(fmt::format("{} {} {}\n", tree.ids[v], tree.ids[parent], tree.levels[v]));
    }
  }
}

// Over the trials: the mean time, and the harmonic mean of the rates, as the Graph500 has it.
void print_means(const std::vector<harness::trial>& trials) {
  if (trials.size() < 2) return;
  double seconds = 0, seconds_per_edge = 0;
  std::size_t with_edges = 0;
  for (const harness::trial& t : trials) {
    seconds += t.seconds;
    if (t.edges_processed == 0) continue;
    seconds_per_edge += t.seconds / static_cast<double>(t.edges_processed);
    ++with_edges;
  }
  fmt::print("mean of {} searches: {:.3f} ms", trials.size(),
             seconds / static_cast<double>(trials.size()) * 1e3);
  if (with_edges > 0) {
    fmt::print(", {} TEPS (harmonic mean)",
               harness::engineering(static_cast<double>(with_edges) / seconds_per_edge));
  }
  fmt::print("\n");
}

status run_searches(const graph::loaded_graph& loaded, output_file& output, harness::report& report) {
  const auto chosen = harness::choose_sources(loaded);
  if (!chosen.ok()) return chosen.status();
  const std::vector<harness::search_source>& sources = chosen.value();
  std::optional<verify::simple_graph> simple;
  if (harness::verify()) {
    auto made = harness::serial_graph();
    if (!made.ok()) return made.status();
    simple = std::move(made).value();
    report.verified = true;
  }
  const bool symmetric = loaded.graph.here().symmetric;
  searcher searches(loaded.graph);
  for (const harness::search_source& source : sources) {
    const algorithms::search_report found = searches.run(source.number);
    // An edge of a symmetrized graph is two.
    const std::uint64_t edges = symmetric ? found.out_edges / 2 : found.out_edges;
    report.trials.push_back({found.seconds,
                             found.levels,
                             edges,
                             {{"source", source.id}, {"reached", found.vertices}, {"pulls", found.pulls}}});
    fmt::print("bfs: source {}, {} levels, {} vertices reached, {} edges traversed, {:.3f} ms, {} TEPS\n",
               source.id, found.levels, harness::grouped(found.vertices), harness::grouped(edges),
               found.seconds * 1e3, harness::engineering(static_cast<double>(edges) / found.seconds));
    const bool last = &source == &sources.back();
    if (!simple && !(last && output.wanted())) continue;
    const search_tree tree = searches.tree();
    if (last && output.wanted()) write(tree, output);
    if (!simple) continue;
    const auto wrong = verify::check_search(*simple, source.number, tree.parents, tree.levels);
    if (!wrong) continue;
    report.verified = false;
    fmt::print("NOT VERIFIED: {}\n", *wrong);
  }
  print_means(report.trials);
  if (report.verified == true) fmt::print("verified {} searches\n", sources.size());
  return output.finish();
}

status main_task() {
  return harness::run_on_graph("bfs", {.in_vectors = false, .in_rows = true, .out_rows = true}, run_searches);
}

}  // namespace
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "bfs: breadth-first search from one vertex after the other.\n\n"
                    "  bin/orujo run bfs --generate=kronecker:18 --symmetrize --trials=16 --verify\n"
                    "  bin/orujo run -n 2 bfs --graph=web.txt.gz --source=17 --output=tree.txt",
                    &orujo::main_task);
}
