// Breadth-first search. It pushes along the out-edges of a small frontier, and lets the unseen vertices pull
// from a large one. After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/levels_ahead.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/steps/lookahead.hpp"
#include "framework/steps/search.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/topology.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::algorithms {

// The figures of one search of breadth_first_search.
struct search_report {
  double seconds = 0;
  steps::search_times times;
  int levels = 0;                   // of the tree; 1 if the source reaches no other vertex
  int pulls = 0;                    // supersteps
  int rounds_ahead = 0;             // of several levels by each locale (levels_ahead.hpp)
  std::uint64_t vertices = 0;       // reached, with the source
  std::uint64_t out_edges = 0;      // of those reached
  exchange::byte_counts exchanged;  // by all locales: bits of mirrored vertices
};

namespace detail {

// State that the cores of a locale share.
struct tree_state : steps::search_state {
  explicit tree_state(const graph::locale_graph& g) : search_state(g, my_locales_cores()), parents(g.own) {}

  machine::huge_array<std::uint32_t> parents;  // by own vertex, local indices; of seen ones
  std::vector<std::uint64_t> level_ends;       // in `order`; only the first core changes it during a search
};

}  // namespace detail

// Breadth-first searches on one graph, one after the other. One task on every core makes its part and runs
// it. The graph has in_rows and out_rows. Takes 8 bytes per own vertex of a locale, 4 per mirror and 3 bits
// per local index; on several locales the graph gets rows of mirrors, too. On several locales, collectives
// after each level may take longer than the rest of a search. It then continues with levels_ahead, which is
// made at first use.
class breadth_first_search {
 public:
  // [task; suspends; collective over the job] Prepares searches, in one pass over the vertices.
  explicit breadth_first_search(const graph::locale_graph& g, const steps::direction_options& options = {},
                                const going_ahead& ahead = {})
      : graph_(graph::require_forms(g, {.in_rows = true, .out_rows = true}, "breadth_first_search:")),
        ahead_options_(ahead),
        may_go_ahead_(locales() > 1 && options.wanted != steps::direction::pull &&
                      ahead.begins != going_ahead::when::never),
        shared_(collectives::share_on_locale<detail::tree_state>(
            [&] { return std::make_shared<detail::tree_state>(g); })),
        search_(g, *shared_, *this, options),
        told_(g, exchange::told_sets::growing) {
    machine::place_here(shared_->parents.part(g.my_part().first, g.my_part().last));
  }
  // [task; suspends; collective over the job]
  ~breadth_first_search() { collectives::barrier(); }
  breadth_first_search(const breadth_first_search&) = delete;

  // [task; suspends; collective over the job] Searches from the vertex of this number, which is the same at
  // every core. The result is valid until the next search.
  search_report run(std::uint64_t source) {
    collectives::barrier(collectives::group::locale);
    const auto begin = std::chrono::steady_clock::now();
    start(source);
    while (search_.frontier_vertices() > 0) {
      superstep();
      if (goes_ahead()) go_ahead();
    }
    search_report report;
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.times = search_.times();
    report.pulls = search_.pulls();
    report.rounds_ahead = ahead_ ? ahead_->rounds() : 0;
    const tree_size size = collectives::all_reduce(my_tree_size(), [](tree_size a, const tree_size& b) {
      a.vertices += b.vertices;
      a.out_edges += b.out_edges;
      a.levels = std::max(a.levels, b.levels);
      a.exchanged += b.exchanged;
      return a;
    });
    report.vertices = size.vertices;
    report.out_edges = size.out_edges;
    report.levels = static_cast<int>(size.levels);
    report.exchanged = size.exchanged;
    return report;
  }

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the own
  // vertices of this locale that the search has reached. The source is its own parent at level 0.
  template <class Visit>
  void for_each_reached(Visit visit) const {
    std::uint64_t first = 0;
    for (std::size_t level = 0; level < shared_->level_ends.size(); ++level) {
      const std::uint64_t last = shared_->level_ends[level];
      const index_range mine = my_part_of_locale({first, last});
      for (std::uint64_t i = mine.first; i < mine.last; ++i) {
        const std::uint32_t vertex = shared_->order[i];
        visit(vertex, graph_.number_of(shared_->parents[vertex]), level);
      }
      first = last;
    }
    if (!ahead_) return;
    const graph::core_part& part = graph_.my_part();
    ahead_->for_each(part.first, part.last, [&](std::uint32_t vertex, std::uint64_t level) {
      visit(vertex, graph_.number_of(shared_->parents[vertex]), static_cast<std::size_t>(level));
    });
  }

  // The locale's parents, by own vertex, as local indices: 0 where no search has reached the vertex.
  std::span<const std::uint32_t> parents() const {
    return {shared_->parents.data(), shared_->parents.size()};
  }

  // [task] After run(). Writes this core's share of the parents, by own vertex of the locale, as positions of
  // ids, and -1 for vertices that the search has not reached.
  void write_parents(std::span<std::int64_t> parents) {
    const index_range mine = my_part_of_locale({0, graph_.own_values(parents).size()});
    const bit_set& seen = search_.seen();
    for (std::uint64_t k = mine.first; k < mine.last; ++k) {
      const auto v = static_cast<std::uint32_t>(k);
      parents[v] = seen.test(v) ? static_cast<std::int64_t>(graph_.position_of(shared_->parents[v])) : -1;
    }
  }

 private:
  friend class steps::search<breadth_first_search>;
  friend class steps::search_step<breadth_first_search>;
  using bit_set = graph::bit_set;

  struct tree_size {
    std::uint64_t vertices, out_edges, levels;
    exchange::byte_counts exchanged;
  };

  void start(std::uint64_t source) {
    told_.forget();
    pace_.reset();
    times_before_ = {};
    skipped_ = 0;
    if (ahead_) ahead_->forget();
    if (leads_locale()) shared_->level_ends.clear();
    if (!leads_locale() || source - graph_.first_vertex >= graph_.own) return search_.begin({});
    const auto vertex = static_cast<std::uint32_t>(source - graph_.first_vertex);
    shared_->parents[vertex] = vertex;
    const steps::discovery found{vertex, vertex};
    search_.begin({&found, 1});
  }

  void superstep() {
    const int pulls_before = search_.pulls();
    search_.superstep();
    if (!may_go_ahead_) return;
    if (search_.pulls() > pulls_before) return pace_.reset();
    steps::lookahead::measured took = search_.last_sums();
    took.edges = search_.frontier_out_edges();
    pace_.learn(took, 1, cores());
  }

  // All cores decide the same.
  bool goes_ahead() const {
    if (!may_go_ahead_ || search_.frontier_vertices() == 0 || level() >= levels_ahead::end_of_levels)
      return false;
    return ahead_options_.begins == going_ahead::when::always
               ? search_.supersteps() % ahead_options_.supersteps == 0
               : pace_.meetings_prevail(levels_ahead::cost_ns(graph_));
  }

  // Finds all remaining vertices, or continues until levels have many edges.
  void go_ahead() {
    const observe::trace_scope traced("levels ahead", search_.frontier_vertices());
    if (!ahead_) ahead_ = std::make_unique<levels_ahead>(graph_);
    const std::span<const std::uint32_t> mine = search_.leave();
    const std::uint64_t end = std::min(level() + ahead_options_.levels, levels_ahead::end_of_levels);
    const levels_ahead::found found =
        ahead_->run(mine, level(), end, search_.seen(), search_.my_words(), shared_->parents.data());
    pace_.reset();
    if (found.next != levels_ahead::no_level) {
      skipped_ = found.next - static_cast<std::uint64_t>(search_.supersteps());
      if (leads_locale()) shared_->level_ends.resize(found.next, shared_->level_ends.back());
      collectives::barrier(collectives::group::locale);
      told_.count_as_sent(search_.seen().words());
      collectives::barrier(collectives::group::locale);
    }
    search_.come_back(found.frontier, found.edges);
  }
  std::uint64_t level() const { return static_cast<std::uint64_t>(search_.supersteps()) + skipped_; }

  // The search calls the following members of its visitor.
  using sums = steps::lookahead::measured;  // without the edges
  bool may_go_alone() const { return true; }
  sums summed() const {
    const steps::search_times& now = search_.times();
    const auto ns = [](double seconds) { return static_cast<std::uint64_t>(seconds * 1e9); };
    return {0, ns(now.push + now.pull - times_before_.push - times_before_.pull),
            ns(now.exchange + now.reduction - times_before_.exchange - times_before_.reduction)};
  }
  void forget_sums() { times_before_ = search_.times(); }
  void fetch(std::uint32_t vertex) const { __builtin_prefetch(shared_->parents.data() + vertex); }
  void fetch(bit_set::word, const std::uint32_t*) const {}
  std::size_t visit(std::span<const steps::discovery> found) const {
    std::uint32_t* const parents = shared_->parents.data();
    for (const steps::discovery& d : found) parents[d.vertex] = d.parent;
    return found.size();
  }
  std::uint32_t* parents_of(std::size_t w) const { return shared_->parents.data() + w * bit_set::word_bits; }
  std::uint32_t* visit(std::size_t w, bit_set::word children, const std::uint32_t*, std::uint32_t* to) const {
    for (; children != 0; children &= children - 1) *to++ = bit_set::first_of(w, children);
    return to;
  }
  void show_found(int mask, std::span<const std::uint32_t> found) { told_.send_fresh(seen(mask), found); }
  template <class T, class Combine>
  T meet(const T& mine, Combine combine) {
    return told_.meet(mine, combine);
  }
  void await_shown(int mask, std::vector<std::uint32_t>* mirrors) {
    told_.await({.members = seen(mask), .news = mirrors});
  }
  std::span<bit_set::word> seen(int mask) { return shared_->seen[static_cast<std::size_t>(mask)].words(); }
  void superstep_ends(std::uint64_t placed) const { shared_->level_ends.push_back(placed); }

  // Adds the seen vertices of word w. If most are seen, subtracts the out-edges of the others from those of
  // all.
  void add_reached(std::size_t w, bit_set::word seen, tree_size& to) const {
    const std::size_t first = w * bit_set::word_bits;
    const std::size_t last = std::min<std::size_t>(first + bit_set::word_bits, graph_.own);
    const bit_set::word all = ~bit_set::word{0} >> (bit_set::word_bits - (last - first));
    seen &= all;  // the last word has mirrors, too
    const int vertices = std::popcount(seen);
    const bool most = vertices > static_cast<int>(bit_set::word_bits / 2);
    std::uint64_t edges = 0;
    for (bit_set::word rest = most ? all & ~seen : seen; rest != 0; rest &= rest - 1)
      edges += graph_.out_degree[first + static_cast<std::size_t>(std::countr_zero(rest))];
    const std::uint64_t* const offsets = graph_.out_rows->offsets.data();
    to.out_edges += most ? offsets[last] - offsets[first] - edges : edges;
    to.vertices += static_cast<std::uint64_t>(vertices);
  }

  tree_size my_tree_size() {
    tree_size mine{0, 0, 0, told_.bytes()};
    const index_range words = search_.my_words();
    const std::size_t last = std::min<std::size_t>(words.last, bit_set::words_for(graph_.own));
    for (std::size_t w = words.first; w < last; ++w) add_reached(w, search_.seen().words()[w], mine);
    if (leads_locale()) {  // the last are empty
      const std::vector<std::uint64_t>& ends = shared_->level_ends;
      mine.levels =
          static_cast<std::uint64_t>(std::find(ends.begin(), ends.end(), ends.back()) - ends.begin()) +
          (ends.back() > 0 ? 1 : 0);
    }
    if (ahead_ && ahead_->deepest() > 0) mine.levels = std::max(mine.levels, ahead_->deepest() + 1);
    return mine;
  }

  const graph::locale_graph& graph_;
  const going_ahead ahead_options_;
  const bool may_go_ahead_;
  std::shared_ptr<detail::tree_state> shared_;
  steps::search<breadth_first_search> search_;
  exchange::mirror_values<> told_;
  // Used on several locales only.
  steps::lookahead pace_;  // of the supersteps, each a step
  steps::search_times times_before_;
  std::unique_ptr<levels_ahead> ahead_;  // made at first use
  std::uint64_t skipped_ = 0;            // levels without a superstep
};

}  // namespace orujo::internal::algorithms
