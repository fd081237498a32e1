// Pushes along out-edges: from the vertices of lists at their own locale, and from their mirrors at the
// locales that own the neighbours.
//
// After Zhu, Chen, Zheng, Ma, "Gemini: A Computation-Centric Distributed Graph Processing System", OSDI 2016,
// section 4. Owners send to mirrors, and mirrors push.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/dealer.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::steps {

// The edges to the own vertices of a locale: from own vertices, and from mirrors.
class edges_to_own {
 public:
  // Any thread. The graph keeps out_rows in arrays. `weighted` is false if weights are not used.
  edges_to_own(const graph::locale_graph& g, bool weighted)
      : graph_(g),
        weighted_(weighted && g.weighted),
        offsets_(g.out_rows->offsets.data()),
        neighbours_(g.out_rows->neighbours.data()),
        weights_(weighted_ ? g.out_rows->weights.data() : nullptr) {}

  // [task; suspends; collective over the locale] Required before from_mirror().
  void know_mirrors() {
    if (of_mirrors_ || arcs_of_mirrors_) return;
    if (weighted_)
      arcs_of_mirrors_ = graph::turn_mirror_rows<graph::arc>(graph_);
    else
      of_mirrors_ = graph::turn_mirror_rows(graph_);
  }

  // Calls visit(own vertex, weight) for the edges from an own vertex, and fetch(own vertex) for later
  // targets.
  template <class Fetch, class Visit>
  void from_vertex(std::uint32_t v, Fetch fetch, Visit visit) const {
    const std::uint32_t own = graph_.own;
    const std::uint64_t first = offsets_[v], last = offsets_[v + 1];
    const std::uint32_t* const neighbours = neighbours_;
    const float* const weights = weights_;
    for (std::uint64_t k = first; k < last; ++k) {
      if (k + targets_ahead < last) fetch(std::min(neighbours[k + targets_ahead], own - 1));
      if (neighbours[k] < own) visit(neighbours[k], weights ? weights[k] : 1.0f);
    }
  }
  // Calls visit(own vertex, weight) for the edges from a mirror, which is given by its local index.
  template <class Visit>
  void from_mirror(std::uint32_t mirror, Visit visit) const {
    const std::uint32_t m = mirror - graph_.own;
    if (weighted_) {
      for (const graph::arc& to : arcs_of_mirrors_->of(m)) visit(to.neighbour, to.weight);
    } else {
      for (const std::uint32_t target : of_mirrors_->of(m)) visit(target, 1.0f);
    }
  }
  // These fetch what from_vertex() will read: the offsets early, then the row, and last the first targets.
  // The last own vertex stands for mirrors: beyond the own vertices there may be no page, and then each
  // prefetch costs a walk of page tables.
  void fetch_offsets(std::uint32_t v) const { __builtin_prefetch(offsets_ + v); }
  void fetch_row(std::uint32_t v) const { __builtin_prefetch(neighbours_ + offsets_[v]); }
  template <class Fetch>
  void fetch_targets(std::uint32_t v, Fetch fetch) const {
    const std::uint64_t first = offsets_[v], last = std::min(offsets_[v + 1], first + targets_ahead);
    for (std::uint64_t k = first; k < last; ++k) fetch(std::min(neighbours_[k], graph_.own - 1));
  }

 private:
  static constexpr std::uint64_t targets_ahead = 16;

  const graph::locale_graph& graph_;
  const bool weighted_;
  const std::uint64_t* const offsets_;
  const std::uint32_t* const neighbours_;
  const float* const weights_;  // null where every weight is 1
  std::shared_ptr<const graph::mirror_rows> of_mirrors_;
  std::shared_ptr<const graph::weighted_mirror_rows> arcs_of_mirrors_;  // where there are weights
};

// Traverses the edges from own vertices. It calls
//   fetch(own vertex)    for a target that may come soon
//   from(vertex)         for a function to be called with (target, weight) of each edge to an own vertex
template <class Fetch, class From>
void push_from(std::span<const std::uint32_t> vertices, const edges_to_own& edges, Fetch fetch, From from) {
  constexpr std::size_t ahead = 4;  // vertices from one fetch to the next, for a vertex to come
  const std::size_t last = vertices.size() - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    edges.fetch_offsets(vertices[std::min(k + 3 * ahead, last)]);
    edges.fetch_row(vertices[std::min(k + 2 * ahead, last)]);
    if (k + ahead <= last) edges.fetch_targets(vertices[k + ahead], fetch);
    edges.from_vertex(vertices[k], fetch, from(vertices[k]));
  }
}

// The part of a push that one core contributes and all cores of the locale take from.
struct alignas(64) push_share {
  dealer of_list, of_mirrors;
  std::vector<std::uint32_t> mirrors;  // for which its core has received something
};

// One core's part; made and used by one task per core. `Told` is the type of the values that mirrors receive.
// It is trivially copyable, or `exchange::no_value` if mirrors need no value.
//
// A push is a push_lists(). On several locales tell() and meet() come before or after it, and then
// push_mirrors(). After a barrier of the locale, finish() ends the push.
template <class Told>
class row_push {
 public:
  // [task; suspends; collective over the job] `shares` is by core of the locale. `told` is by local index,
  // and receives the values of mirrors.
  row_push(const graph::locale_graph& g, by_core<push_share>& shares, Told* told,
           const exchange::codec_options& codec)
      : shares_(shares), mine_(shares[my_core_of_locale()]), told_(told) {
    if (locales() > 1) exchange_.emplace(g, exchange::told_sets::unrelated, codec);
  }
  row_push(const row_push&) = delete;

  // Exists on several locales only.
  exchange::mirror_values<Told>& between_locales() { return *exchange_; }

  // [task; may suspend] Sends the vertices in `lists`, with the value show(vertex), to their mirrors. The
  // lists are a range of spans of the locale, which have each vertex once. All cores of the locale have their
  // lists.
  template <class Lists, class Show>
  void tell(const Lists& lists, Show show) {
    exchange_->send_listed(lists, show);
  }
  // [task; suspends; collective over the job] Follows tell(), which cores omit that have nothing to send.
  // Returns the combined values of all cores.
  template <class T, class Combine>
  T meet(const T& mine, Combine combine) {
    return exchange_->meet(mine, combine);
  }
  void meet() { exchange_->meet(); }

  // [task; may suspend] Calls push_from() for this core's share of the vertices in `lists`, a range with a
  // span for each core of the locale.
  template <class Lists, class Fetch, class From>
  void push_lists(const Lists& lists, const edges_to_own& edges, Fetch fetch, From from) {
    deal_shares(shares_, [&](push_share& share) {
      const std::span<const std::uint32_t> list = lists[static_cast<std::size_t>(&share - shares_.data())];
      share.of_list.deal(list.size(), batch, [&](std::size_t first, std::size_t last) {
        push_from(list.subspan(first, last - first), edges, fetch, from);
        tasks::yield();
      });
    });
  }
  // [task; suspends; collective over the job] Follows meet(). Pushes likewise from mirrors that have received
  // something.
  template <class From>
  void push_mirrors(const edges_to_own& edges, From from) {
    await_mirrors();
    collectives::barrier(collectives::group::locale);
    deal_shares(shares_, [&](push_share& share) {
      share.of_mirrors.deal(share.mirrors.size(), batch, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k)
          edges.from_mirror(share.mirrors[k], from(share.mirrors[k]));
        tasks::yield();
      });
    });
  }
  // [task; suspends; collective over the job] Follows meet() if another tell() and meet() come before the
  // mirrors push.
  void await_mirrors() { exchange_->await({.shown = told_, .news = &mine_.mirrors}); }
  // Follows meet() if no push comes after all.
  void pass_over() {
    await_mirrors();
    mine_.mirrors.clear();
  }
  // Resets this core's share.
  void finish() {
    mine_.of_list.reset();
    mine_.of_mirrors.reset();
    mine_.mirrors.clear();
  }

 private:
  static constexpr std::size_t batch = 64;  // vertices that a core takes at a time

  by_core<push_share>& shares_;
  push_share& mine_;
  Told* const told_;
  std::optional<exchange::mirror_values<Told>> exchange_;  // where there are several locales
};

}  // namespace orujo::internal::steps
