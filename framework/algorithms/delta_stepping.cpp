#include "framework/algorithms/delta_stepping.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "framework/algorithms/out_rows.hpp"
#include "framework/gas/graph_checkpoints.hpp"
#include "framework/gas/program.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

// Found vertices that a core takes from an offer at a time.
constexpr std::size_t taken_at_once = 64;
// A core goes on by itself with fewer found vertices than this.
constexpr std::size_t few = 1000;
// Several locales work off some bins at once where each core looks at fewer edges between two meetings, and a
// core goes no further once it has looked at so many. On meshes that saves most of the meetings; on Kronecker
// graphs one bin of hubs that is too early costs half a search.
constexpr std::uint64_t few_edges = 2'000, most_bins_at_once = 8;
// How far ahead a row and the distances of neighbours are fetched.
constexpr std::size_t found_ahead = 8;
constexpr std::size_t neighbours_ahead = 16;
// The same of a list of vertices of which only distances are looked at.
constexpr std::size_t distances_ahead = 16;

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

delta_stepping::delta_stepping(const graph::locale_graph& g, std::span<float> distances, float delta)
    : graph_(g),
      rows_(out_rows_of(g, "shortest_paths")),
      distances_(distances),
      me_(static_cast<std::size_t>(my_core_of_locale())),
      arena_(loops::share_on_locale<arena>(
          [&g] { return std::make_shared<arena>(static_cast<std::size_t>(my_locales_cores()), g.mirrors); })),
      bins_(delta),
      to_tell_(delta),
      homes_(g) {
  CHECK_EQ(distances.size(), g.own);
  if (locales() > 1) channel_.emplace(*this);
}

void delta_stepping::start(std::uint64_t source) {
  constexpr float unreached = std::numeric_limits<float>::infinity();
  report_ = {};
  edges_before_ = 0;
  bins_at_once_ = 1;
  bins_.clear();
  to_tell_.clear();
  untold_ = 0;
  const graph::core_part& part = graph_.my_part();
  std::fill(distances_.begin() + part.first, distances_.begin() + part.last, unreached);
  machine::huge_array<float>& mirrors = arena_->mirrors_distances;
  const loops::index_range my_mirrors = loops::my_part_of_locale({0, mirrors.size()});
  std::fill(mirrors.begin() + my_mirrors.first, mirrors.begin() + my_mirrors.last, unreached);
  current_ = 0;
  next_ = {0, 0};
  const std::uint64_t place = source - graph_.first_vertex;
  if (place < part.first || place >= part.last) return;
  distances_[place] = 0;
  bins_.push({static_cast<std::uint32_t>(place), 0});
}

stepping_report delta_stepping::run(std::uint64_t source) {
  start(source);
  const graph::core_part& part = graph_.my_part();
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
    next_ = loops::all_reduce(outlook{bins_.first_from(0), 0}, first_of);
  }
  for (;;) {
    checkpoints.step(report_.rounds, name);
    if (!step()) break;
    ++report_.rounds;
  }
  return report_;
}

// A round of all cores together; false when there is nothing left.
bool delta_stepping::step() {
  if (!channel_) {
    if (!next_round()) return false;
    work_off_offers();
    work_off_own();
    return true;
  }
  if (next_.bin == distance_bins::none) return false;
  edges_before_ = report_.edges;
  choose_bins_at_once(next_.edges);
  const std::uint64_t first = current_ = next_.bin;
  for (distance_bins* const bins : {&bins_, &to_tell_}) {
    if (!bins->within_window(first)) bins->move_window(first);
  }
  channel_->open();
  const auto few_so_far = [this] { return report_.edges - edges_before_ < few_edges; };
  while (next_round_of_locale(first + (few_so_far() ? bins_at_once_ : 1))) {
    work_off_offers();
    work_off_own();
  }
  const std::uint64_t next = std::max(current_, first) + 1;
  current_ = first;  // others may tell of vertices from there on
  const std::uint64_t told = tell_owners(first, bins_at_once_ > 1 ? distance_bins::none : next + 1);
  meet(told);
  return true;
}

// All hear where the next round begins: what is told counts for who tells it, whether or not its owner knows
// it as near already. Then what others have told this core is there.
void delta_stepping::meet(std::uint64_t told) {
  const std::uint64_t mine = std::min({told, bins_.first_from(current_), first_to_tell(current_)});
  next_ = channel_->finish(outlook{mine, report_.edges - edges_before_}, first_of);
  my_locales_cores() > 1 ? take_received<engine::sharing::cores>() : take_received<engine::sharing::none>();
}

// By the edges that all cores looked at in the last round: where they are few, meeting costs more than to
// look at some again because another locale knew a shorter way.
void delta_stepping::choose_bins_at_once(std::uint64_t edges) {
  const std::uint64_t each = edges / static_cast<std::uint64_t>(cores());
  if (each < few_edges) {
    bins_at_once_ = std::min(2 * bins_at_once_, most_bins_at_once);
  } else {
    bins_at_once_ = each < 2 * few_edges ? std::max<std::uint64_t>(bins_at_once_ / 2, 1) : 1;
  }
}

// Offers what this core has in a bin, if any; the first bin that any core of the locale has.
std::uint64_t delta_stepping::offer_bin(std::uint64_t bin) {
  turn_ = 1 - turn_;
  std::vector<offer>& offers = arena_->offers[turn_];
  offer& mine = offers[me_];
  mine.bin = bin;
  mine.found = {};
  if (bin != distance_bins::none && bins_.within_window(bin)) mine.found = bins_.bin(bin);
  mine.taken.store(0, std::memory_order_relaxed);
  loops::barrier(loops::group::locale);
  bins_.recycle(std::move(offered_[1 - turn_]));
  offered_[1 - turn_] = {};
  std::uint64_t first = distance_bins::none;
  for (const offer& o : offers) first = std::min(first, o.bin);
  return first;
}

void delta_stepping::take_offered() {
  if (arena_->offers[turn_][me_].bin == current_) std::swap(offered_[turn_], bins_.bin(current_));
}

// Offers what this core has found next, and takes part where it is what comes next for all.
bool delta_stepping::next_round() {
  for (;;) {
    current_ = offer_bin(bins_.first_from(current_));
    if (current_ == distance_bins::none) return false;
    if (bins_.within_window(current_)) break;
    bins_.move_window(current_);
  }
  take_offered();
  return true;
}

// The same of the locale's bins before `last`.
bool delta_stepping::next_round_of_locale(std::uint64_t last) {
  const std::uint64_t mine = bins_.first_from(current_);
  const std::uint64_t first =
      offer_bin(mine < last && bins_.within_window(mine) ? mine : distance_bins::none);
  if (first == distance_bins::none) return false;
  current_ = first;
  take_offered();
  return true;
}

// The first bin of mirrors, from bin b on.
std::uint64_t delta_stepping::first_to_tell(std::uint64_t b) {
  return untold_ == 0 ? distance_bins::none : to_tell_.first_from(b);
}

// Of the bins of mirrors from `first` on, up to `last`; returns the first of which there was something to
// tell. Those of the next bin are told with the current one's, so that their owners have them in time; what
// is further away may still be found nearer by then.
std::uint64_t delta_stepping::tell_owners(std::uint64_t first, std::uint64_t last) {
  std::uint64_t told = distance_bins::none;
  for (std::uint64_t b = first; b < last && untold_ > 0 && to_tell_.within_window(b); ++b) {
    std::vector<found_vertex> found;
    std::swap(found, to_tell_.bin(b));
    untold_ -= found.size();
    if (tell(found)) told = std::min(told, b);
    to_tell_.recycle(std::move(found));
  }
  return told;
}

// Whether there was something to tell.
bool delta_stepping::tell(std::span<const found_vertex> found) {
  const std::uint64_t before = channel_->sent();
  const float* const least = arena_->mirrors_distances.data();
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (k + distances_ahead < found.size()) {
      const std::uint32_t ahead = found[k + distances_ahead].vertex - graph_.own;
      __builtin_prefetch(&least[ahead]);
      homes_.fetch(ahead);
    }
    const std::uint32_t mirror = found[k].vertex - graph_.own;
    if (least[mirror] == found[k].distance) channel_->push(homes_[mirror], found[k].distance);
  }
  return channel_->sent() > before;
}

// What comes from others is found only when all of it is there: a core may still offer its bins meanwhile.
template <engine::sharing With>
void delta_stepping::take_received() {
  for (std::size_t k = 0; k < received_.size(); ++k) {
    if (k + distances_ahead < received_.size())
      __builtin_prefetch(&distances_[received_[k + distances_ahead].vertex], 1);
    offer_distance<With>(received_[k].vertex, received_[k].distance);
  }
  received_.clear();
}

// A handler's.
void delta_stepping::receive(std::span<const exchange::pushed<float>> found) {
  for (const auto& [vertex, distance] : found) received_.push_back({vertex, distance});
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

// Lowers the distance of a vertex or mirror and notes that it is found, if it is not as near already. Most
// edges lead to what is: that is looked at where an edge is, and the rest is a call.
template <engine::sharing With>
inline void delta_stepping::offer_distance(std::uint32_t vertex, float distance) {
  float& known = *distance_of(vertex);
  if (distance < std::atomic_ref(known).load(std::memory_order_relaxed)) lower<With>(known, vertex, distance);
}

template <engine::sharing With>
[[gnu::noinline]] void delta_stepping::lower(float& known, std::uint32_t vertex, float distance) {
  if constexpr (With == engine::sharing::none) {
    known = distance;  // found to be less by the caller
  } else {
    const std::atomic_ref<float> shared(known);
    float before = shared.load(std::memory_order_relaxed);
    do {
      if (distance >= before) return;
    } while (!shared.compare_exchange_weak(before, distance, std::memory_order_relaxed));
  }
  if (vertex < graph_.own) {
    bins_.push({vertex, distance});
  } else {
    to_tell_.push({vertex, distance});
    ++untold_;
  }
}

void delta_stepping::relax(std::span<const found_vertex> found) {
  if (!graph_.weighted) return relax(found, unweighted{rows_.neighbours.data()});
  if (rows_.arcs.size() > 0) return relax(found, arcs{rows_.arcs.data()});
  relax(found, side_by_side{rows_.neighbours.data(), rows_.weights.data()});
}

template <class Edges>
void delta_stepping::relax(std::span<const found_vertex> found, const Edges& edges) {
  my_locales_cores() > 1 ? relax_with<engine::sharing::cores>(found, edges)
                         : relax_with<engine::sharing::none>(found, edges);
}

template <engine::sharing With, class Edges>
void delta_stepping::relax_with(std::span<const found_vertex> found, const Edges& edges) {
  // Without mirrors no edge needs to ask where its target's distance is.
  if (graph_.mirrors > 0) {
    relax_at<With>(found, edges, [this](std::uint32_t v) -> float& { return *distance_of(v); });
  } else {
    float* const distances = distances_.data();
    relax_at<With>(found, edges, [distances](std::uint32_t v) -> float& { return distances[v]; });
  }
}

template <engine::sharing With, class Edges, class DistanceOf>
[[gnu::always_inline]] inline void delta_stepping::relax_at(std::span<const found_vertex> found,
                                                            const Edges& edges, DistanceOf distance_at) {
  const float* const distances = distances_.data();
  const std::uint64_t* const offsets = rows_.offsets.data();
  const std::size_t count = found.size();
  std::uint64_t relaxed = 0, looked_at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + 2 * found_ahead < count) {
      const std::uint32_t v = found[i + 2 * found_ahead].vertex;
      __builtin_prefetch(&offsets[v]);
      __builtin_prefetch(&distances[v]);
    }
    if (i + found_ahead < count) edges.fetch(offsets[found[i + found_ahead].vertex]);
    const auto [vertex, distance] = found[i];
    if (std::atomic_ref(distances_[vertex]).load(std::memory_order_relaxed) < distance) continue;
    const std::uint64_t last = offsets[vertex + 1];
    ++relaxed;
    looked_at += last - offsets[vertex];
    for (std::uint64_t k = offsets[vertex]; k < last; ++k) {
      if (k + neighbours_ahead < last) __builtin_prefetch(&distance_at(edges.target(k + neighbours_ahead)));
      const std::uint32_t target = edges.target(k);
      const float through = distance + edges.weight(k);
      float& known = distance_at(target);
      if (through < std::atomic_ref(known).load(std::memory_order_relaxed))
        lower<With>(known, target, through);
    }
  }
  report_.relaxed += relaxed;
  report_.edges += looked_at;
}

}  // namespace orujo::algorithms
