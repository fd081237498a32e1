#include "framework/algorithms/delta_stepping.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "framework/gas/graph_checkpoints.hpp"
#include "framework/gas/program.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

// Found vertices that a core takes from an offer at a time.
constexpr std::size_t taken_at_once = 64;
// A core goes on by itself with fewer found vertices than this.
constexpr std::size_t few = 1000;
// How far ahead a row and the distances of neighbours are fetched.
constexpr std::size_t found_ahead = 8;
constexpr std::size_t neighbours_ahead = 16;

// The edges in the forms that rows have.
struct arcs {
  const graph::arc* edges;
  std::uint32_t target(std::uint64_t k) const { return edges[k].neighbour; }
  float weight(std::uint64_t k) const { return edges[k].weight; }
  void fetch(std::uint64_t k) const { __builtin_prefetch(&edges[k]); }
};
struct unweighted {
  const std::uint32_t* neighbours;
  std::uint32_t target(std::uint64_t k) const { return neighbours[k]; }
  float weight(std::uint64_t) const { return 1; }
  void fetch(std::uint64_t k) const { __builtin_prefetch(&neighbours[k]); }
};
struct side_by_side {
  const std::uint32_t* neighbours;
  const float* weights;
  std::uint32_t target(std::uint64_t k) const { return neighbours[k]; }
  float weight(std::uint64_t k) const { return weights[k]; }
  void fetch(std::uint64_t k) const {
    __builtin_prefetch(&neighbours[k]);
    __builtin_prefetch(&weights[k]);
  }
};

}  // namespace

void distance_bins::clear() {
  first_ = 0;
  for (std::vector<found_vertex>& bin : bins_) bin.clear();
  far_.clear();
}

std::uint64_t distance_bins::first_from(std::uint64_t b) {
  for (std::uint64_t k = b - first_; k < window; ++k) {
    if (!bins_[k].empty()) return first_ + k;
  }
  if (far_.empty()) return none;
  float nearest = far_[0].distance;
  for (const found_vertex& f : far_) nearest = std::min(nearest, f.distance);
  return bin_of(nearest);
}

void distance_bins::move_window(std::uint64_t first) {
  first_ = first;
  std::vector<found_vertex> before;
  std::swap(before, far_);
  for (const found_vertex& f : before) push(f);
}

void distance_bins::recycle(std::vector<found_vertex>&& emptied) {
  if (emptied.capacity() == 0) return;
  emptied.clear();
  spare_.push_back(std::move(emptied));
}

void distance_bins::grow(std::vector<found_vertex>& full) {
  if (full.empty() && !spare_.empty()) {
    full = std::move(spare_.back());
    spare_.pop_back();
  } else {
    full.reserve(std::max<std::size_t>(64, 2 * full.size()));
  }
}

delta_stepping::delta_stepping(const graph::locale_graph& g, std::span<float> distances, float delta)
    : graph_(g),
      rows_(*g.out_rows),
      distances_(distances),
      me_(static_cast<std::size_t>(my_core_of_locale())),
      arena_(loops::share_on_locale<arena>(
          [] { return std::make_shared<arena>(static_cast<std::size_t>(my_locales_cores())); })),
      bins_(delta) {
  CHECK_EQ(g.mirrors, 0u);
  CHECK_EQ(distances.size(), g.own);
}

stepping_report delta_stepping::run(std::uint32_t source) {
  report_ = {};
  bins_.clear();
  const graph::core_part& part = graph_.my_part();
  std::fill(distances_.begin() + part.first, distances_.begin() + part.last,
            std::numeric_limits<float>::infinity());
  current_ = 0;
  if (source >= part.first && source < part.last) {
    distances_[source] = 0;
    bins_.push({source, 0});
  }
  gas::detail::run_progress far{.active = 1, .active_out_edges = graph_.edges};
  gas::nothing no_sums;
  gas::graph_checkpoints checkpoints(graph_);
  // As the vertex program has it that finds paths on several locales.
  const auto name = [&](gas::program_state& kept) {
    far.supersteps = static_cast<std::int32_t>(report_.rounds);
    kept.add("run", far);
    kept.add("sums", no_sums);
    kept.add_vertices("distance", distances_.data());
  };
  if (checkpoints.resume(name)) {
    report_.rounds = static_cast<std::uint64_t>(far.supersteps);
    bins_.clear();
    for (std::uint32_t v = part.first; v < part.last; ++v) {
      if (distances_[v] < std::numeric_limits<float>::infinity()) bins_.push({v, distances_[v]});
    }
  }
  for (;;) {
    checkpoints.step(report_.rounds, name);
    if (!next_round()) break;
    ++report_.rounds;
    work_off_offers();
    work_off_own();
  }
  return report_;
}

// Offers what this core has found next, and takes part where it is what comes next for all.
bool delta_stepping::next_round() {
  for (;;) {
    turn_ = 1 - turn_;
    std::vector<offer>& offers = arena_->offers[turn_];
    offer& mine = offers[me_];
    mine.bin = bins_.first_from(current_);
    mine.found = {};
    if (mine.bin != distance_bins::none && bins_.within_window(mine.bin)) mine.found = bins_.bin(mine.bin);
    mine.taken.store(0, std::memory_order_relaxed);
    loops::barrier(loops::group::locale);
    bins_.recycle(std::move(offered_[1 - turn_]));
    offered_[1 - turn_] = {};
    current_ = distance_bins::none;
    for (const offer& o : offers) current_ = std::min(current_, o.bin);
    if (current_ == distance_bins::none) return false;
    if (!bins_.within_window(current_)) {
      bins_.move_window(current_);
      continue;
    }
    if (mine.bin == current_) std::swap(offered_[turn_], bins_.bin(current_));
    return true;
  }
}

void delta_stepping::work_off_offers() {
  std::vector<offer>& offers = arena_->offers[turn_];
  for (std::size_t k = 0; k < offers.size(); ++k) {
    offer& from = offers[(me_ + k) % offers.size()];
    if (from.bin != current_) continue;
    for (;;) {
      const std::size_t first = from.taken.fetch_add(taken_at_once, std::memory_order_relaxed);
      if (first >= from.found.size()) break;
      relax(from.found.subspan(first, std::min(taken_at_once, from.found.size() - first)));
    }
  }
}

void delta_stepping::work_off_own() {
  while (!bins_.bin(current_).empty() && bins_.bin(current_).size() < few) {
    std::vector<found_vertex> found;
    std::swap(found, bins_.bin(current_));
    relax(found);
    bins_.recycle(std::move(found));
  }
}

// Lowers the distance of a vertex and notes that it is found, if it is not as near already.
inline void delta_stepping::offer_distance(std::uint32_t vertex, float distance) {
  const std::atomic_ref<float> known(distances_[vertex]);
  float before = known.load(std::memory_order_relaxed);
  while (distance < before) {
    if (!known.compare_exchange_weak(before, distance, std::memory_order_relaxed)) continue;
    bins_.push({vertex, distance});
    return;
  }
}

void delta_stepping::relax(std::span<const found_vertex> found) {
  if (!graph_.weighted) return relax(found, unweighted{rows_.neighbours.data()});
  if (rows_.arcs.size() > 0) return relax(found, arcs{rows_.arcs.data()});
  relax(found, side_by_side{rows_.neighbours.data(), rows_.weights.data()});
}

template <class Edges>
void delta_stepping::relax(std::span<const found_vertex> found, const Edges& edges) {
  const float* const distances = distances_.data();
  const std::uint64_t* const offsets = rows_.offsets.data();
  const std::size_t count = found.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 2 * found_ahead < count) {
      const std::uint32_t v = found[i + 2 * found_ahead].vertex;
      __builtin_prefetch(&offsets[v]);
      __builtin_prefetch(&distances[v]);
    }
    if (i + found_ahead < count) edges.fetch(offsets[found[i + found_ahead].vertex]);
    const auto [vertex, distance] = found[i];
    if (std::atomic_ref(distances_[vertex]).load(std::memory_order_relaxed) < distance) continue;
    ++report_.relaxed;
    const std::uint64_t last = offsets[vertex + 1];
    report_.edges += last - offsets[vertex];
    for (std::uint64_t k = offsets[vertex]; k < last; ++k) {
      if (k + neighbours_ahead < last) __builtin_prefetch(&distances[edges.target(k + neighbours_ahead)]);
      offer_distance(edges.target(k), distance + edges.weight(k));
    }
  }
}

}  // namespace orujo::algorithms
