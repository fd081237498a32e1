// Breadth-first search from one vertex after the other.
#include <algorithm>
#include <memory>
#include <span>

#include "applications/harness/tree_search.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/device_search.hpp"
#include "framework/device/selection.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

using harness::place_in_tree;

const base::flag_need ahead_need(
    {"levels_ahead"}, [] { return device::device_from_flags().may_be_cpu(); }, "with --device=cpu or auto");

// The searches, which share their memory. Search is breadth_first_search or device_search.
template <class Search>
class searcher {
  using search_parts = containers::symmetric<std::shared_ptr<Search>>;

 public:
  // make(locale_graph&) creates a core's part of them.
  template <class Make>
  searcher(graph::distributed_graph graph, Make make)
      : graph_(graph),
        parts_(search_parts::create_by([graph, make] { return make(graph.here()); })),
        places_(graph::property<place_in_tree>::create(graph)) {}
  ~searcher() {
    places_.destroy();
    parts_.destroy();
  }
  searcher(const searcher&) = delete;

  // False if no GPU is available.
  bool there() const { return parts_.here() != nullptr; }

  harness::search_result run(std::uint64_t source) {
    const algorithms::search_report found =
        loops::on_all_cores([parts = parts_, source] { return parts.here()->run(source); });
    return {found.seconds,
            found.levels,
            found.vertices,
            found.out_edges,
            {{"pulls", found.pulls}, {"rounds_ahead", found.rounds_ahead}}};
  }

  graph::property<place_in_tree> write_places() {
    loops::on_all_cores([parts = parts_, places = places_, graph = graph_] {
      const std::span<place_in_tree> all = places.here();
      const graph::core_part& part = graph.here().my_part();
      std::fill(all.begin() + part.first, all.begin() + part.last, harness::not_in_tree);
      collectives::barrier(collectives::group::locale);
      parts.here()->for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
        all[v] = {static_cast<std::int64_t>(parent), static_cast<std::int64_t>(level)};
      });
    });
    return places_;
  }

 private:
  graph::distributed_graph graph_;
  search_parts parts_;
  graph::property<place_in_tree> places_;
};

template <class Search>
status run_searches(const graph::loaded_graph& loaded, searcher<Search>& searches, files::output_file& output,
                    harness::report& report) {
  return harness::run_searches(
      "bfs", loaded,
      {[&](std::uint64_t source) { return searches.run(source); }, [&] { return searches.write_places(); }},
      output, report);
}

status run(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  if (const device::selection device = device::device_from_flags(); device.may_be_gpu()) {
    searcher<algorithms::device_search> searches(loaded.graph, [device](const graph::locale_graph& g) {
      return algorithms::device_search::make(g, steps::direction_options_from_flags(), device);
    });
    if (searches.there()) return run_searches(loaded, searches, output, report);
  }
  searcher<algorithms::breadth_first_search> searches(loaded.graph, [](const graph::locale_graph& g) {
    return std::make_shared<algorithms::breadth_first_search>(g, steps::direction_options_from_flags(),
                                                              algorithms::going_ahead_from_flags());
  });
  return run_searches(loaded, searches, output, report);
}

status main_task() {
  return harness::run_on_graph(
      "bfs", {.in_vectors = false, .in_rows = true, .out_rows = true, .weights = false}, run);
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(argc, argv,
                    "bfs: breadth-first search, with the parent and the level of every vertex.\n\n"
                    "  bin/orujo run bfs --generate=kronecker:18 --symmetrize --trials=16 --verify\n"
                    "  bin/orujo run -n 2 bfs --graph=web.txt.gz --source=17 --output=tree.txt",
                    &orujo::internal::main_task);
}
