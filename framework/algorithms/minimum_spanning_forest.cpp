#include "framework/algorithms/minimum_spanning_forest.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <functional>
#include <limits>
#include <vector>

#include "framework/algorithms/boruvka.hpp"
#include "framework/algorithms/precise_sum.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

constexpr std::uint64_t no_component = ~std::uint64_t{0};

// The place of an edge in the order of all, as far as that is known without its other end.
struct edge_rank {
  float weight;
  std::uint64_t smaller_end;  // its position
  friend auto operator<=>(const edge_rank&, const edge_rank&) = default;
};
constexpr edge_rank last_rank{std::numeric_limits<float>::infinity(), no_component};

// One core's part of a run.
class forest_finder {
 public:
  forest_finder(graph::distributed_graph graph, graph::property<std::uint64_t> joined,
                const spanning_forest_options& options)
      : g_(graph.here()),
        mine_(g_.my_part()),
        options_(options),
        mirrors_before_(g_.mirrors_before(g_.first_vertex)),
        boruvka_(graph, joined) {}

  spanning_forest run() {
    const double edges = static_cast<double>(g_.edges) / (g_.both_ways ? 2 : 1);
    double share = edges > 0 ? options_.light_edges_per_vertex * static_cast<double>(g_.vertices) / edges : 1;
    for (;; share *= 8) {
      if (giant_ == no_component) {
        collect<true>(ranks({share / 4, share / 2, share}));
      } else {
        collect<false>(ranks({share}));
      }
      for (const std::vector<local_edge>& stage : stages_) {
        if (!join(stage)) return result(false);
      }
      if (share >= 1) return result(true);
      boruvka_.refresh_names();
      giant_ = guess_giant();
    }
  }

 private:
  // Returns false if the run is stopped.
  bool join(const std::vector<local_edge>& stage) {
    collected_ += stage.size();
    if (rounds_ > 0) boruvka_.refresh_names();
    boruvka_.begin(stage);
    while (boruvka_.round(options_.stop.is_set())) ++rounds_;
    return collectives::all_reduce(options_.stop.is_set() ? 1 : 0) == 0;
  }

  // True if a neighbour has a larger number than an own vertex.
  bool is_after(std::uint32_t neighbour, std::uint32_t v) const {
    return neighbour < g_.own ? neighbour > v : neighbour - g_.own >= mirrors_before_;
  }
  // Ranks that about these shares of the edges do not exceed.
  std::vector<edge_rank> ranks(const std::vector<double>& shares) const {
    const double samples = std::min(16384.0, static_cast<double>(g_.edges));
    const graph::adjacency& rows = *g_.out_rows;
    const auto *const first = rows.offsets.data() + mine_.first, *const last =
                                                                     rows.offsets.data() + mine_.last;
    const double edges = static_cast<double>(*last - *first);
    random_stream random(static_cast<std::uint64_t>(my_core()));
    std::vector<edge_rank> drawn;
    for (double k = 0; k < samples * edges / static_cast<double>(g_.edges); ++k) {
      const std::uint64_t slot = *first + random.below(*last - *first);
      const auto v =
          static_cast<std::uint32_t>(std::upper_bound(first, last, slot) - rows.offsets.data() - 1);
      const graph::arc arc = rows.edge_at(slot);
      drawn.push_back({arc.weight, std::min(g_.position_of(v), g_.position_of(arc.neighbour))});
    }
    std::vector<edge_rank> all;
    for (const std::vector<edge_rank>& of_core : collectives::all_gather(drawn))
      all.insert(all.end(), of_core.begin(), of_core.end());
    std::ranges::sort(all, std::less<>());
    std::vector<edge_rank> found;
    for (const double share : shares) {
      const auto k = static_cast<std::size_t>(share * static_cast<double>(all.size()));
      found.push_back(k < all.size() ? all[k] : last_rank);
    }
    return found;
  }

  // Collects the edges between components for stages, which end at these ranks. Each edge is collected once
  // in the job: an edge out of the giant component where it leads, any other at the end with the smaller
  // number.
  template <bool IsFirst>
  void collect(const std::vector<edge_rank>& ends) {
    stages_.assign(ends.size(), {});
    const auto add = [&](const local_edge& e) {
      if (e.weight > ends.back().weight) return;
      std::size_t stage = 0;
      while (stage < ends.size() && !is_up_to(ends[stage], e)) ++stage;
      if (stage < ends.size()) stages_[stage].push_back(e);
    };
    const auto collect_row = [&](const graph::adjacency& rows, std::uint32_t v, std::uint64_t component) {
      const graph::edge_reader edges = rows.any_form();
      for (std::uint64_t slot = rows.offsets[v + 1]; slot-- > rows.offsets[v];) {
        const std::uint32_t other = edges.neighbour(slot);
        if constexpr (IsFirst) {
          if (!is_after(other, v)) break;  // nor are those before it
        } else {
          const std::uint64_t component_there = boruvka_.component_of(other);
          if (component_there == component || (component_there != giant_ && !is_after(other, v))) continue;
        }
        add({v, other, edges.weight(slot)});
      }
    };
    for (std::uint32_t v = mine_.first; v < mine_.last; ++v) {
      const std::uint64_t component = IsFirst ? no_component : boruvka_.component_of(v);
      if (!IsFirst && component == giant_) continue;
      collect_row(*g_.out_rows, v, component);
      if (!g_.both_ways) collect_row(*g_.in_rows, v, component);
    }
  }
  bool is_up_to(const edge_rank& end, const local_edge& e) const {
    return e.weight < end.weight ||
           (e.weight == end.weight && boruvka_.with_positions(e).source <= end.smaller_end);
  }

  // The component that most vertices of a sample are in.
  std::uint64_t guess_giant() const {
    std::vector<std::uint64_t> components;
    random_stream random(static_cast<std::uint64_t>(my_core()));
    const std::uint32_t vertices = mine_.last - mine_.first;
    for (int k = 0; vertices > 0 && k < std::max(1024 / cores(), 16); ++k)
      components.push_back(
          boruvka_.component_of(mine_.first + static_cast<std::uint32_t>(random.below(vertices))));
    std::vector<std::uint64_t> all;
    for (const std::vector<std::uint64_t>& of_core : collectives::all_gather(components))
      all.insert(all.end(), of_core.begin(), of_core.end());
    std::ranges::sort(all);
    std::uint64_t giant = no_component;
    for (std::size_t first = 0, most = 0; first < all.size();) {
      const auto last = static_cast<std::size_t>(std::ranges::upper_bound(all, all[first]) - all.begin());
      if (last - first > most) most = last - first, giant = all[first];
      first = last;
    }
    return giant;
  }

  spanning_forest result(bool ended) const {
    precise_sum weight;
    for (const graph::valued_edge<float>& e : boruvka_.found()) weight = weight + precise_sum{e.value};
    weight = collectives::all_reduce(weight);
    const auto edges = graph::edge_array<float>::of(boruvka_.found());
    return {.edges = edges,
            .weight = weight.value(),
            .trees = g_.vertices - edges.size(),
            .collected = collectives::all_reduce(collected_),
            .rounds = rounds_,
            .ended = ended};
  }

  const graph::locale_graph& g_;
  const graph::core_part& mine_;
  const spanning_forest_options& options_;
  const std::uint32_t mirrors_before_;
  boruvka boruvka_;
  std::vector<std::vector<local_edge>> stages_;
  std::uint64_t giant_ = no_component;
  std::uint64_t collected_ = 0;
  int rounds_ = 0;
};

}  // namespace

spanning_forest minimum_spanning_forest(graph::distributed_graph graph,
                                        const spanning_forest_options& options) {
  graph::require_forms(graph.here(), {.in_rows = true, .out_rows = true, .in_arrays = false},
                       "minimum_spanning_forest:");
  const auto begin = std::chrono::steady_clock::now();
  const auto joined = graph::property<std::uint64_t>::create(graph);
  spanning_forest found = loops::on_all_cores([=] { return forest_finder(graph, joined, options).run(); });
  joined.destroy();
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

}  // namespace orujo::internal::algorithms
