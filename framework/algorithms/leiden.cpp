#include "framework/algorithms/leiden.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <span>
#include <utility>

#include "framework/algorithms/coarser_level.hpp"
#include "framework/algorithms/community_moves.hpp"
#include "framework/algorithms/component_labels.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/base/check.hpp"
#include "system/base/random.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

// One core's part of a run.
class community_finder {
 public:
  community_finder(const graph::locale_graph& g, const leiden_options& options)
      : options_(options), lowest_(collectives::share_on_locale<community_level>([&] {
          return std::make_shared<community_level>(
              std::shared_ptr<const graph::locale_graph>(std::shared_ptr<void>(), &g), false);
        })) {
    double weight = 0;
    for (std::uint32_t v = lowest_->first(); v < lowest_->last(); ++v) {
      double edges = 0;
      for_each_edge(v, [&](std::uint32_t u, double of_edge) {
        edges += of_edge;
        loops_ += u == v ? 1 : 0;
      });
      weight += edges;
      lowest_->mass[v] = options.quality == community_quality::cpm ? 1 : edges;
    }
    rules_ = {.coefficient = options.resolution,
              .weight = collectives::all_reduce(weight),
              .seed = 0,
              .tolerance = options.tolerance,
              .stop = options.stop};
    has_edges_ = rules_.weight > 0;
    if (!has_edges_) rules_.weight = 1;
    if (options.quality == community_quality::modularity) rules_.coefficient /= rules_.weight;
    is_small_ = cores() > 1 && g.vertices + g.edges <= serial_below_;
    alone_ = lowest_->share<std::vector<std::uint64_t>>(g.own);
    for (std::uint32_t v = lowest_->first(); v < lowest_->last(); ++v) (*alone_)[v] = g.number_of(v);
    lowest_->meet();
  }

  const community_level& lowest() const { return *lowest_; }
  // Each vertex in a community of its own.
  const shared_numbers& alone() const { return alone_; }

  // [task; suspends; collective over the job] Improves communities by own vertex, and returns better ones.
  shared_numbers improve(shared_numbers start, int iteration, int max_levels) {
    struct step {
      std::shared_ptr<community_level> finer;
      coarser_level coarser;
    };
    std::vector<step> steps;
    std::shared_ptr<community_level> level = lowest_;
    shared_numbers found;
    report.levels.clear();
    while (level) {
      rules_.seed =
          mix64(options_.seed + (static_cast<std::uint64_t>(iteration) << 32) + report.levels.size());
      const auto groups = placed(*level, *start);
      std::shared_ptr<communities> parts = groups;
      const bool moves_to_core_0 = steps.empty() && is_small_;
      if (moves_to_core_0) {
        parts = placed(*level, *alone_);
      } else {
        const moving_report moved = move_vertices(*level, *groups, rules_);
        const auto [vertices, edges, count] = sizes(*level, *groups);
        report.levels.push_back({vertices, edges, count, moved.sweeps});
        report.sweeps += moved.sweeps;
        report.communities = count;
        report.ended = !moved.stopped;
        found = numbers_of(*level, *groups);
        if (count == vertices || moved.stopped || static_cast<int>(report.levels.size()) >= max_levels) break;
        if (options_.method == community_method::leiden) {
          parts = level->share<communities>(*level);
          refine(*level, *groups, *parts, rules_);
        }
      }
      coarser_level next = coarsen(*level, *groups, *parts, serial_below_);
      if (!moves_to_core_0 && next.vertices == report.levels.back().vertices) {
        found = numbers_of(*level, *parts);  // communities may not be connected
        report.communities = report.levels.back().communities = next.vertices;
        break;
      }
      start = next.start;
      steps.push_back({level, next});
      level = next.level;
    }
    for (; !steps.empty(); steps.pop_back()) found = spread(*steps.back().finer, steps.back().coarser, found);
    return found;
  }

  // [task; suspends; collective over the job] The quality of communities by own vertex.
  double quality(std::span<const std::uint64_t> numbers) {
    const community_level& level = *lowest_;
    const auto groups = placed(level, numbers);
    double inner = 0, squares = 0;
    for (std::uint32_t v = level.first(); v < level.last(); ++v) {
      for_each_edge(v, [&](std::uint32_t u, double weight) {
        if (groups->of[u] == groups->of[v]) inner += weight;
      });
      squares += groups->mass[v] * groups->mass[v];
    }
    const double all = collectives::all_reduce(inner - rules_.coefficient * squares);
    return has_edges_ ? all / rules_.weight : 0;
  }

  leiden_report report;

 private:
  // Edges of the lowest level, loops at both ends.
  template <class Visit>
  void for_each_edge(std::uint32_t v, Visit visit) const {
    const graph::adjacency& rows = *lowest_->graph->in_rows;
    for (std::uint64_t k = rows.offsets[v]; k < rows.offsets[v + 1]; ++k) {
      const auto [neighbour, weight] = rows.edge_at(k);
      visit(neighbour, neighbour == v ? 2 * double{weight} : double{weight});
    }
  }
  struct level_sizes {
    std::uint64_t vertices, edges, communities;
    level_sizes operator+(const level_sizes& b) const {
      return {vertices + b.vertices, edges + b.edges, communities + b.communities};
    }
  };
  level_sizes sizes(const community_level& level, const communities& groups) const {
    level_sizes mine{level.last() - level.first(), &level == lowest_.get() ? -loops_ : 0, 0};
    for (std::uint32_t v = level.first(); v < level.last(); ++v) {
      mine.edges += level.degree(v);
      mine.communities += groups.members[v] > 0 ? 1 : 0;
    }
    return level.sum(mine);
  }
  static std::shared_ptr<communities> placed(const community_level& level,
                                             std::span<const std::uint64_t> start) {
    const auto groups = level.share<communities>(level);
    place_vertices(level, *groups, start);
    return groups;
  }
  static shared_numbers numbers_of(const community_level& level, const communities& groups) {
    auto numbers = level.share<std::vector<std::uint64_t>>(level.graph->own);
    for (std::uint32_t v = level.first(); v < level.last(); ++v) (*numbers)[v] = groups.number(groups.of[v]);
    level.meet();
    return numbers;
  }

  const leiden_options options_;
  const std::uint64_t serial_below_ =
      options_.serial_below.value_or(std::uint64_t{1} << (locales() > 1 ? 20 : 14));
  std::shared_ptr<community_level> lowest_;
  community_rules rules_;
  bool has_edges_ = true;
  std::uint64_t loops_ = 0;  // of the calling core's vertices
  bool is_small_ = false;    // core 0 has all levels
  shared_numbers alone_;
};

void check_graph(const graph::locale_graph& g, const graph::property<std::uint64_t>& labels,
                 const call_site& at) {
  labels.require_graph(g, at);
  require(g.symmetric, "communities of a graph that is not symmetric: build it with symmetrize", at);
  graph::require_forms(g, {.in_rows = true, .in_arrays = false}, "leiden:");
}

}  // namespace

leiden_report leiden(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                     const leiden_options& options, const call_site& at) {
  check_graph(graph.here(), labels, at);
  const auto begin = std::chrono::steady_clock::now();
  leiden_report report = loops::on_all_cores([graph, labels, options] {
    const graph::locale_graph& g = graph.here();
    community_finder run(g, options);
    const community_level& lowest = run.lowest();
    shared_numbers found = run.alone();
    for (int k = 0; k < options.iterations; ++k) {
      const bool is_last = k + 1 == options.iterations;
      found = run.improve(found, k, is_last ? options.max_levels : std::numeric_limits<int>::max());
      if (collectives::broadcast(!run.report.ended, 0)) break;
    }
    for (std::uint32_t v = lowest.first(); v < lowest.last(); ++v) labels.here()[v] = (*found)[v];
    run.report.quality = run.quality(*found);
    return run.report;
  });
  label_by_positions(graph, labels);
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

double partition_quality(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                         const leiden_options& options, const call_site& at) {
  check_graph(graph.here(), labels, at);
  return loops::on_all_cores([graph, labels, options] {
    const graph::locale_graph& g = graph.here();
    community_finder run(g, options);
    const auto numbers = run.lowest().share<std::vector<std::uint64_t>>(g.own);
    for (std::uint32_t v = run.lowest().first(); v < run.lowest().last(); ++v)
      (*numbers)[v] = g.numbers.number(labels.here()[v]);
    run.lowest().meet();
    return run.quality(*numbers);
  });
}

}  // namespace orujo::internal::algorithms
