#include "framework/algorithms/dag_levels.hpp"

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "framework/graph/kept_forms.hpp"
#include "framework/graph/look_up.hpp"
#include "framework/graph/vertex_map.hpp"
#include "framework/graph/vertex_set.hpp"
#include "system/containers/flat_table.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/step_log.hpp"

namespace orujo::internal::algorithms {
namespace {

using graph::vertex, graph::vertex_set;

// Takes edges from removed vertices. A vertex that has no others left goes to the next level.
struct removed {
  using value = std::uint32_t;
  static constexpr auto combine = gas::sum{};
  value show(const vertex&) const { return 1; }
  bool wants(const vertex& v) const { return levels[v] == no_level; }
  bool visit(const vertex& v, value total) const {
    sources[v] -= total;
    if (sources[v] != 0) return false;
    levels[v] = level;
    return true;
  }

  graph::property<std::uint32_t> levels, sources;
  std::uint32_t level;
};

// A cycle among vertices without a level, from the one with the smallest position on.
class cycle_finder {
 public:
  cycle_finder(graph::distributed_graph graph, graph::property<std::uint32_t> levels)
      : graph_(graph), numbers_(graph.here().numbers), levels_(levels) {}

  std::vector<std::uint64_t> find() {
    std::vector<std::uint64_t> path;                           // against the edges
    containers::flat_table<std::uint64_t, std::size_t> steps;  // by position
    for (std::uint64_t at = first_left();; at = smallest_source(at)) {
      const auto [step, is_new] = steps.find_or_insert(at);
      if (!is_new) {
        path.erase(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(*step));
        break;
      }
      *step = path.size();
      path.push_back(at);
    }
    std::reverse(path.begin(), path.end());
    std::rotate(path.begin(), std::min_element(path.begin(), path.end()), path.end());
    return path;
  }

 private:
  std::uint64_t first_left() const {
    return vertex_reduce(
        vertex_set::all(graph_),
        [levels = levels_](const vertex& v) {
          return levels[v] == no_level ? v.part->position_of(v.local) : ~std::uint64_t{0};
        },
        [](std::uint64_t a, std::uint64_t b) { return std::min(a, b); });
  }
  std::uint64_t smallest_source(std::uint64_t position) const {
    std::vector<std::uint64_t> sources;
    for (const graph::adjacent_vertex& source : graph::in_neighbours(graph_, numbers_.number(position)))
      sources.push_back(source.number);
    std::vector<std::uint32_t> levels(sources.size());
    graph::gather_values(graph_, levels_, sources, std::span(levels));
    std::uint64_t smallest = ~std::uint64_t{0};
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (levels[k] == no_level) smallest = std::min(smallest, numbers_.position(sources[k]));
    }
    return smallest;
  }

  const graph::distributed_graph graph_;
  const graph::numbering& numbers_;
  const graph::property<std::uint32_t> levels_;
};

}  // namespace

dag_report dag_levels(graph::distributed_graph graph, graph::property<std::uint32_t> levels,
                      const dag_options& options, const call_site& at) {
  levels.require_graph(graph.here(), at);
  graph::require_forms(graph.here(), {.in_rows = true, .out_rows = true}, "dag_levels:");
  const auto begin = std::chrono::steady_clock::now();
  loops::on_all_cores([] { observe::begin_run_of_steps(); });
  const auto sources = graph::property<std::uint32_t>::create(graph);
  vertex_set frontier = vertex_filter(vertex_set::all(graph), [=](const vertex& v) {
    sources[v] = v.in_degree();
    levels[v] = sources[v] == 0 ? 0 : no_level;
    return sources[v] == 0;
  });
  dag_report report;
  std::uint64_t done = 0;
  while (!frontier.empty() && report.ended) {
    done += frontier.size();
    report.widest = std::max(report.widest, frontier.size());
    ++report.levels;
    frontier = edge_map(graph, frontier, removed{levels, sources, report.levels}, options.maps);
    report.ended = !options.stop.is_set();
  }
  sources.destroy();
  if (report.ended && done < graph.here().vertices) report.cycle = cycle_finder(graph, levels).find();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms
