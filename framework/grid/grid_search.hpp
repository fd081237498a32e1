// Breadth-first search on a graph partitioned in two dimensions, after Buluc, Madduri, "Parallel
// Breadth-First Search on Distributed Memory Systems", SC 2011. Pulls are after Beamer, Buluc, Asanovic,
// Patterson, "Distributed Memory Breadth-First Search Revisited", MTAAP 2013.
//
// In a superstep, the owners of the frontier send it to the locales of their *column*, which traverse their
// edges. These send what they find to the owners, which are in their *row*. Vertices travel without their
// parents. A locale keeps the parents of the vertices that it finds. The owner of a vertex remembers which
// column reported it first, and fetches its parent at the end.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/device/selection.hpp"
#include "framework/grid/grid_graph.hpp"
#include "framework/grid/grid_parents.hpp"
#include "framework/grid/grid_search_report.hpp"
#include "framework/grid/grid_state.hpp"
#include "framework/grid/grid_step.hpp"
#include "framework/grid/grid_talk.hpp"
#include "framework/steps/direction.hpp"
#include "framework/steps/frontier_size.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::algorithms {

// One core's part of the searches on one graph, which reuse their memory; made and used by one task per core.
// Takes 4 bytes and 7 bits per vertex of the locale's row, and 3 bits per vertex of its column.
class grid_search {
  using bit_set = graph::bit_set;
  using word = bit_set::word;

 public:
  // [task; suspends; collective over the job]
  explicit grid_search(const graph::locale_grid& g, const steps::direction_options& options = {},
                       const exchange::codec_options& codecs = exchange::codec_options_from_flags(),
                       const device::selection& device = device::device_from_flags())
      : graph_(g),
        options_(options),
        shared_(collectives::share_on_locale<detail::grid_state>(
            [&] { return std::make_shared<detail::grid_state>(g); })),
        step_(detail::make_grid_step(g, *shared_, device, codecs)),
        talk_(g, *shared_, codecs),
        parents_(g, *shared_, talk_.row(), codecs) {
    talk_.tell_edges();
  }
  // [task; suspends; collective over the job] The barrier ensures that no message arrives later.
  ~grid_search() { collectives::barrier(); }
  grid_search(const grid_search&) = delete;

  // [task; suspends; collective over the job] Searches from the vertex of this number. The result is valid
  // until the next search.
  grid_search_report run(std::uint64_t source) {
    collectives::barrier();
    const auto begin = std::chrono::steady_clock::now();
    grid_search_report report;
    start(source);
    while (frontier_.vertices > 0) {
      choose_direction();
      report.pulls += pulling_ ? 1 : 0;
      superstep();
    }
    step_->bring_parents();
    end_expansion();
    parents_.fetch();
    times_.row += clock_.lap();
    collectives::barrier();
    times_.reduction += clock_.lap();
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.times = times_;
    report.levels = static_cast<int>(level_ends_.size()) - 1;  // the last is empty
    totals_.vertices = order_.size();
    totals_.out_edges = out_edges_from(0);
    totals_.row = talk_.row_bytes();
    totals_.column = talk_.column_bytes();
    totals_.parents = parents_.bytes();
    const totals all = collectives::all_reduce(totals_, [](totals a, const totals& b) { return a += b; });
    report.vertices = all.vertices;
    report.out_edges = all.out_edges;
    report.row = all.row;
    report.column = all.column;
    report.parents = all.parents;
    return report;
  }

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the own
  // vertices of this locale that the search has reached. The source is its own parent at level 0.
  template <class Visit>
  void for_each_reached(Visit visit) const {
    std::size_t first = 0;
    for (std::size_t level = 0; level < level_ends_.size(); ++level) {
      for (std::size_t k = first; k < level_ends_[level]; ++k)
        visit(order_[k], level == 0 ? graph_.first_vertex + order_[k] : parents_.parent_of(order_[k]), level);
      first = level_ends_[level];
    }
  }

  // [task] After run(). Writes this core's share of the parents, by own vertex of the locale, as numbers, and
  // -1 for vertices that the search has not reached.
  void write_parents(std::span<std::int64_t> parents) const {
    const index_range words = talk_.my_words();
    const std::size_t last = std::min(words.last * bit_set::word_bits, parents.size());
    if (const std::size_t first = words.first * bit_set::word_bits; first < last)
      std::ranges::fill(parents.subspan(first, last - first), -1);
    for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t) {
      parents[v] = static_cast<std::int64_t>(parent);
    });
  }

 private:
  struct totals {
    std::uint64_t vertices = 0, out_edges = 0;
    exchange::byte_counts row, column, parents;
    totals& operator+=(const totals& b) {
      vertices += b.vertices;
      out_edges += b.out_edges;
      row += b.row;
      column += b.column;
      parents += b.parents;
      return *this;
    }
  };

  void start(std::uint64_t source) {
    observe::begin_run_of_steps();
    detail::grid_state& s = *shared_;
    for (bit_set* mask : {&s.sources, &s.fresh, &s.targets, &s.found, &s.heard, &s.known, &s.taken}) {
      const index_range mine = talk_.my_words_of(*mask);
      mask->clear(mine.first, mine.last);
    }
    order_.clear();
    level_ends_.clear();
    totals_ = {};
    times_ = {};
    superstep_ = 0;
    pulling_ = false;
    unexplored_ = graph_.edges;
    talk_.forget_bytes();
    parents_.forget_bytes();
    step_->begin();
    if (leads_locale()) {
      for (auto& counter : s.dealt) counter.reset();
    }
    collectives::barrier(collectives::group::locale);
    steps::frontier_counts mine;
    if (source - graph_.first_vertex < graph_.own) {
      const std::size_t vertex = source - graph_.first_vertex, w = bit_set::word_of(vertex);
      if (w >= talk_.my_words().first && w < talk_.my_words().last) settle(w, bit_set::bit_of(vertex), mine);
    }
    end_superstep(mine);
    vertices_before_ = 0;
    clock_.start();
  }

  // All cores choose the same direction.
  void choose_direction() {
    pulling_ = steps::pulls_next(options_, pulling_,
                                 {.vertices = graph_.shape.vertices,
                                  .frontier = frontier_.vertices,
                                  .frontier_before = vertices_before_,
                                  .frontier_out_edges = frontier_.out_edges,
                                  .unexplored_out_edges = unexplored_});
  }

  void superstep() {
    const observe::trace_scope traced(pulling_ ? "pull" : "push", frontier_.vertices);
    const observe::step_scope step(pulling_ ? "pull" : "push", frontier_.vertices,
                                   pulling_ ? observe::step::not_counted : frontier_.out_edges);
    auto& dealt = shared_->dealt[superstep_ % 3];
    if (leads_locale()) shared_->dealt[(superstep_ + 1) % 3].reset();
    vertices_before_ = frontier_.vertices;
    unexplored_ -= std::min(unexplored_, frontier_.out_edges);
    talk_.tell_frontier();
    times_.column += clock_.lap();
    if (pulling_) {
      pull(dealt);
    } else {
      step_->push(dealt);
    }
    end_expansion();
    talk_.tell_found(*step_);
    times_.row += clock_.lap();
    steps::frontier_counts mine;
    settle_found(mine);
    end_superstep(mine);
    times_.reduction += clock_.lap();
    ++superstep_;
  }

  // Every locale searches for parents of its own vertices first. Then its row searches for the remaining
  // ones.
  void pull(detail::grid_state::dealers& dealt) {
    step_->pull_own(dealt);
    if (talk_.row().empty()) return;
    end_expansion();
    talk_.tell_seen();
    times_.row += clock_.lap();
    step_->pull_others(dealt);
  }

  void end_expansion() {
    collectives::barrier(collectives::group::locale);
    const double all = clock_.lap(), copies = std::min(all, step_->copy_seconds());
    times_.copies += copies;
    times_.expansion += all - copies;
  }

  // Vertices that are found and have not been seen are the next frontier. Those that this locale has found
  // itself come first, as their parents are here already.
  void settle_found(steps::frontier_counts& size) {
    detail::grid_state& s = *shared_;
    const std::size_t own = shared_->section(my_locale());
    for (std::size_t w = talk_.my_words().first; w < talk_.my_words().last; ++w) {
      const word seen = s.targets.words()[own + w];  // with what is found
      word news = std::exchange(s.found.words()[own + w], 0);
      for (const locale_id l : talk_.row()) {
        const std::size_t at = shared_->section(l) + w;
        const word told = std::exchange(s.heard.words()[at], 0);
        s.known.words()[at] |= told;
        const word first = told & ~(seen | news);  // reported by this locale first
        s.taken.words()[at] |= first;
        news |= first;
      }
      if ((news | s.fresh.words()[shared_->column_section(my_locale()) + w]) != 0) settle(w, news, size);
    }
    for (const locale_id l : talk_.column())
      std::ranges::fill(talk_.mine_of(s.fresh, shared_->column_section(l)), word{0});
  }

  // Settles the own vertices of a word of the range, of which `news` are in the next frontier.
  void settle(std::size_t w, word news, steps::frontier_counts& size) {
    detail::grid_state& s = *shared_;
    s.targets.words()[shared_->section(my_locale()) + w] |= news;
    s.sources.words()[shared_->column_section(my_locale()) + w] |= news;
    s.fresh.words()[shared_->column_section(my_locale()) + w] = news;
    const std::size_t count = static_cast<std::size_t>(std::popcount(news)), at = order_.size();
    size.vertices += count;
    order_.resize(at + count);
    for (std::uint32_t* to = order_.data() + at; news != 0; news &= news - 1) {
      *to++ = static_cast<std::uint32_t>(w * bit_set::word_bits) +
              static_cast<std::uint32_t>(std::countr_zero(news));
    }
  }

  std::uint64_t out_edges_from(std::size_t first) const {
    std::uint64_t sum = 0;
    for (std::size_t k = first; k < order_.size(); ++k) sum += graph_.out_degree[order_[k]];
    return sum;
  }

  // Ends a superstep for all cores. The out-edges of a frontier that was found by pulling are not needed.
  void end_superstep(steps::frontier_counts mine) {
    if (!pulling_) mine.out_edges = out_edges_from(order_.size() - mine.vertices);
    level_ends_.push_back(order_.size());
    frontier_ = collectives::all_reduce(mine);
  }

  const graph::locale_grid& graph_;
  const steps::direction_options options_;
  std::shared_ptr<detail::grid_state> shared_;
  const std::unique_ptr<detail::grid_step> step_;

  // The same at every core.
  std::uint64_t superstep_ = 0;
  bool pulling_ = false;
  steps::frontier_counts frontier_;
  std::uint64_t vertices_before_ = 0;
  std::uint64_t unexplored_ = 0;  // out-edges of vertices that were in no frontier so far

  // Own vertices of this core's words, by level.
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> level_ends_;

  totals totals_;
  grid_search_times times_;
  base::lap_clock clock_;

  // The last members, after which this core is ready to receive.
  detail::grid_talk talk_;
  detail::grid_parents parents_;
};

}  // namespace orujo::internal::algorithms
