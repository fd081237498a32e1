// The pull of a relaxation (relaxation.hpp): vertices look along their in-edges for what improves them.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "framework/steps/relaxed_rows.hpp"
#include "system/base/by_core.hpp"
#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::steps {

// One core's part. The cores of a locale look for its own vertices together, each beginning with those of its
// range. Rule is that of the relaxation, and monotone.
template <class Rule>
class relaxed_pull {
 public:
  using value = typename Rule::value;

  // [task; suspends; collective over the locale] The graph has in_rows, with weights. `shown` is the locale's
  // array, by local index.
  relaxed_pull(const graph::locale_graph& g, std::span<value> shown)
      : rows_(*g.in_rows),
        shown_(shown),
        me_(my_core_of_locale()),
        shares_(collectives::share_on_locale<by_core<share>>(
            [] { return std::make_shared<by_core<share>>(my_locales_cores()); })) {
    (*shares_)[me_].vertices = {g.my_part().first, g.my_part().last};
  }

  // Makes this core's vertices ready for the next pull. All cores of the locale meet before it.
  void renew() { (*shares_)[me_].pieces.reset(); }

  // [task; collective over the locale] Looks at the in-edges of the vertices that a value as good as `best`
  // would improve. Calls improve(vertex, known, through) for those that showed `known` and for which the best
  // contribution, `through`, is news. Returns the number of edges that this core has looked at.
  template <class Improve>
  std::uint64_t pull(const Rule& rule, value best, const Improve& improve) {
    return rows_.arcs.size() > 0 ? pull(rule, best, improve, relaxed::arcs{rows_.arcs.data()})
                                 : pull(rule, best, improve,
                                        relaxed::side_by_side{rows_.neighbours.data(), rows_.weights.data()});
  }

 private:
  static constexpr std::size_t piece = 4096;  // vertices

  struct alignas(64) share {
    index_range vertices;
    dealer pieces;
  };

  value read(std::uint32_t local) const {
    return std::atomic_ref(shown_[local]).load(std::memory_order_relaxed);
  }

  template <class Improve, class Edges>
  std::uint64_t pull(const Rule& rule, value best, const Improve& improve, Edges edges) {
    std::uint64_t looked_at = 0;
    deal_shares(*shares_, [&](share& of) {
      const std::size_t before = of.vertices.first;
      of.pieces.deal(of.vertices.size(), piece, [&](std::size_t first, std::size_t last) {
        select(rule, best, {before + first, before + last});
        looked_at += look(rule, improve, edges);
      });
    });
    return looked_at;
  }

  // Notes the vertices with in-edges that `best` would improve.
  void select(const Rule& rule, value best, index_range vertices) {
    const std::uint64_t* const offsets = rows_.offsets.data();
    selected_.clear();
    for (std::size_t v = vertices.first; v < vertices.last; ++v) {
      if (offsets[v] < offsets[v + 1] && rule.improves(read(static_cast<std::uint32_t>(v)), best))
        selected_.push_back(static_cast<std::uint32_t>(v));
    }
  }

  template <class Improve, class Edges>
  std::uint64_t look(const Rule& rule, const Improve& improve, Edges edges) const {
    using namespace relaxed;
    const std::uint64_t* const offsets = rows_.offsets.data();
    const std::size_t count = selected_.size();
    std::uint64_t looked_at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i + 4 * found_ahead < count) edges.fetch(offsets[selected_[i + 4 * found_ahead]]);
      if (i + found_ahead < count) {
        const std::uint32_t v = selected_[i + found_ahead];
        const std::uint64_t end = std::min(offsets[v + 1], offsets[v] + neighbours_ahead);
        for (std::uint64_t k = offsets[v]; k < end; ++k) __builtin_prefetch(&shown_[edges.target(k)]);
      }
      const std::uint32_t vertex = selected_[i];
      const value known = read(vertex);
      const value through = best_through(rule, known, offsets[vertex], offsets[vertex + 1], edges);
      looked_at += offsets[vertex + 1] - offsets[vertex];
      if (rule.improves(known, through)) improve(vertex, known, through);
    }
    return looked_at;
  }

  template <class Edges>
  value best_through(const Rule& rule, value known, std::uint64_t first, std::uint64_t last,
                     Edges edges) const {
    using relaxed::neighbours_ahead;
    value through = known;
    for (std::uint64_t k = first; k < last; ++k) {
      if (k + neighbours_ahead < last) __builtin_prefetch(&shown_[edges.target(k + neighbours_ahead)]);
      const value of_source = read(edges.target(k));
      if (!rule.leads(of_source)) continue;
      const value here = rule.along(of_source, edges.weight(k));
      through = rule.improves(through, here) ? here : through;
    }
    return through;
  }

  const graph::adjacency& rows_;
  const std::span<value> shown_;
  const int me_;  // core of the locale
  std::shared_ptr<by_core<share>> shares_;
  std::vector<std::uint32_t> selected_;
};

}  // namespace orujo::internal::steps
