// One core's part of random walks: the walks that are at its vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "framework/algorithms/random_walks.hpp"
#include "framework/algorithms/walk_rows.hpp"
#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms::detail {

using kept_walks = std::optional<containers::global_array<std::int64_t>>;
// The positions of the vertices where walks may start, unless all are.
using walk_starts = std::optional<containers::global_array<std::uint64_t>>;

class walker {
 public:
  // [task; suspends; collective over the job]
  walker(graph::distributed_graph graph, graph::property<std::uint64_t> visits, const walk_edges& edges,
         const walk_starts& starts)
      : graph_(&graph.here()),
        visits_(visits.here().data()),
        rows_(*graph_, edges),
        metapath_(edges.metapath),
        timed_(edges.timed),
        starts_(starts) {}

  void reset(const walk_options& options, const kept_walks& kept) {
    options_ = options;
    kept_ = kept;
    std::fill(visits_ + part().first, visits_ + part().last, 0);
    if (kept_) std::ranges::fill(kept_->local(), -1);
  }

  // [task; suspends] Starts this core's part of so many walks.
  void start(containers::symmetric<walker> all, delegates::event_ref event, std::uint64_t walks) {
    const std::uint64_t vertices = starts_ ? starts_->size() : graph_->vertices;
    loops::forall_here(my_part_of_job({0, walks}), [&](std::size_t w) {
      random_stream random(options_.seed, w);
      std::uint64_t position = options_.walks > 0 ? random.below(vertices) : w / options_.per_vertex;
      if (starts_) position = delegates::read((*starts_)[position]);
      const arrival at_start{all, random, 0, options_.length, event};
      if (kept_ || bias().is_any() || timed_) {
        send(traced{at_start, w, none, none}, graph_->numbers.number(position));
      } else {
        send(at_start, graph_->numbers.number(position));
      }
    });
  }

  std::uint64_t count_visits() const {
    return std::accumulate(visits_ + part().first, visits_ + part().last, std::uint64_t{0});
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0}, again = none - 1;  // numbers of no vertex

  // A walk that arrives at a vertex. It travels as a message.
  struct arrival {
    containers::symmetric<walker> all;
    random_stream random;
    std::uint32_t vertex;  // of its core's, from 0 on
    std::uint32_t left;    // steps
    delegates::event_ref event;

    void operator()() const { all.here().go_on(*this); }
    void prefetch() const { all.here().fetch(vertex); }
  };
  // A walk that is kept, or whose steps depend on the one before.
  struct traced : arrival {
    std::uint64_t walk;
    std::uint64_t before;  // the number of the vertex before, or none
    // The number of the vertex before that one, if the step is tested here. It is `none` if the step is done,
    // and `again` if it was rejected, so that another edge has to be drawn.
    std::uint64_t tested;
    float time = -std::numeric_limits<float>::infinity();  // of its last edge

    void operator()() const { this->all.here().go_on(*this); }
  };

  const graph::core_part& part() const { return graph_->my_part(); }
  walk_bias bias() const { return {options_.p, options_.q}; }

  // Also sends to vertices of this core. The walks that wait there can be prefetched, while a single walk
  // would wait for memory in every step. That is twice as fast with one core on a Kronecker graph of 2^18
  // vertices.
  template <class Arrival>
  void send(Arrival walk, std::uint64_t number) {
    const core_id owner = graph_->owners.owner(number);
    walk.vertex = static_cast<std::uint32_t>(number - graph_->owners.first_of(owner));
    delegates::async_call(walk.event, owner, walk);
  }

  void fetch(std::uint32_t vertex) const {
    __builtin_prefetch(&visits_[part().first + vertex], 1);
    rows_.fetch(part().first + vertex);
  }

  // The edges of a vertex that a walk with so many steps left may take.
  index_range edges_of(std::uint32_t v, std::uint32_t left) const {
    const index_range edges = rows_.edges_of(v);
    if (metapath_.empty()) return edges;
    return rows_.of_type(edges, metapath_[(options_.length - left) % (metapath_.size() - 1) + 1]);
  }

  // [handler]
  void go_on(arrival walk) {
    const std::uint32_t v = part().first + walk.vertex;
    ++visits_[v];
    const walk_row row = rows_.row(edges_of(v, walk.left));
    if (walk.left == 0 || row.weight() == 0) return;
    --walk.left;
    const std::size_t edge = row.choose(walk.random);  // before the walk is copied
    send(walk, graph_->number_of(row.targets[edge]));
  }

  // [handler]
  void go_on(traced walk) {
    const std::uint32_t v = part().first + walk.vertex;
    index_range edges = edges_of(v, walk.left);
    if (timed_) edges = rows_.since(edges, walk.time);
    const walk_row row = rows_.row(edges);
    if (walk.tested < again && bias().rejects(rows_.edges_to(row, walk.tested).size() > 0)) {
      const std::uint64_t back = std::exchange(walk.before, std::exchange(walk.tested, again));
      ++walk.left;
      return send(walk, back);
    }
    if (walk.tested != again) arrive(walk, v);
    if (walk.left == 0 || row.weight() == 0) return;
    const std::uint64_t before = std::exchange(walk.before, graph_->first_vertex + v);
    std::optional<index_range> back;
    if (before != none && bias().is_any()) back = rows_.edges_to(row, before);
    walk_bias::step next = bias().choose(walk.random, row, back);
    while (next.is_tested) {
      const std::optional<bool> has_edge = rows_.has_edge(row.targets[next.edge], before);
      if (!has_edge) break;
      next.is_tested = bias().rejects(*has_edge);
      if (next.is_tested) next = bias().choose(walk.random, row, back);
    }
    walk.tested = next.is_tested ? before : none;
    --walk.left;
    if (timed_) walk.time = rows_.time(edges.first + next.edge);
    send(walk, next.returns ? before : graph_->number_of(row.targets[next.edge]));
  }

  void arrive(const traced& walk, std::uint32_t v) {
    ++visits_[v];
    if (!kept_) return;
    const std::uint64_t place =
        walk.walk * (std::uint64_t{options_.length} + 1) + (options_.length - walk.left);
    const memory::global_address<std::int64_t> to = (*kept_)[place];
    const auto position = static_cast<std::int64_t>(graph_->position_of(v));
    if (shape().locale_of(to.core()) == my_locale()) {
      *to.local() = position;
    } else {
      delegates::async_write(walk.event, to, position);
    }
  }

  const graph::locale_graph* const graph_;
  std::uint64_t* const visits_;
  const walk_rows rows_;
  const std::vector<std::uint32_t> metapath_;
  const bool timed_;
  const walk_starts starts_;
  walk_options options_;
  kept_walks kept_;
};

}  // namespace orujo::internal::algorithms::detail
