// A search. Its supersteps visit every vertex at most once: by a push along the out-edges of a small
// frontier, or by a pull of all unvisited vertices from a large one.
//
// After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/mirror_rows.hpp"
#include "framework/steps/direction.hpp"
#include "framework/steps/frontier_size.hpp"
#include "framework/steps/search_step.hpp"
#include "system/base/identity.hpp"
#include "system/base/lap_clock.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/topology.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::steps {

// Time of one core's supersteps by purpose, in seconds.
struct search_times {
  double push = 0;       // traversing out-edges, with the messages that this sends
  double pull = 0;       // examining in-edges
  double exchange = 0;   // waiting for what other locales show
  double reduction = 0;  // the ends of supersteps: waiting for the slowest core
};

// One core's part of the searches on one graph, which reuse their memory; made and used by one task per core.
// The graph has in_rows and out_rows.
//
// Vertices are found where they live. On several locales these send them to the locales that mirror them,
// which push along the vertices' edges from the mirrors (graph/mirror_rows.hpp), or find the mirrors seen
// when they pull. So a superstep costs one latency in either direction: new vertices travel with the
// reduction that ends it.
//
// The visitor has the members that search_step requires, and these.
//   `sums` is a type with +=, whose values are summed over all cores in a superstep.
//   `bool may_go_alone() const` lets one core handle small frontiers, whose sums no other core gets.
//   `sums summed() const` returns the sums of this core in this superstep, `forget_sums()` resets them.
//   `superstep_ends(std::uint64_t placed)` is called at the locale's first core, with the size of the order.
// On several locales it also has these.
//   `show_found(int m, std::span<const std::uint32_t> found)`, [task; may suspend], sends vertices to other
//       locales: the locale's vertices of the next frontier, in mask m. All cores have found theirs.
//   `T meet(const T& mine, combine)`, [task; suspends; collective over the job], follows show_found(). It
//       returns the combined values of all cores.
//   `await_shown(int m, std::vector<std::uint32_t>* mirrors)`, [task; suspends], follows meet(). It returns
//       when mask m has the bits of all mirrors that this core receives, and lists these unless `mirrors`
//       is null.
template <class Visitor>
class search {
 public:
  using sums = typename Visitor::sums;

  // [task; suspends; collective over the job] Also finds the vertices with in-edges. `simd` is the
  // instruction set of pulls.
  search(const graph::locale_graph& g, search_state& shared, Visitor& visitor,
         const direction_options& options, machine::instruction_set simd = machine::simd_from_flags())
      : graph_(g),
        options_(options),
        shared_(shared),
        visitor_(visitor),
        me_(my_core_of_locale()),
        step_(g, shared, visitor, my_locales_cores(), simd) {
    machine::place_here(shared.order.part(g.my_part().first, g.my_part().last));
    const std::size_t last = std::min<std::size_t>(my_words().last * bit_set::word_bits, g.own);
    for (std::size_t v = my_words().first * bit_set::word_bits; v < last && !shared.knows_pullable; ++v) {
      if (g.in_rows->offsets[v + 1] > g.in_rows->offsets[v]) shared.pullable.set(v);
    }
    if (locales() > 1 && options.wanted != direction::pull) mirror_rows_ = graph::turn_mirror_rows(g);
  }
  search(const search&) = delete;

  // [task; suspends; collective over the job] Precedes the first superstep. Only the vertices that the cores
  // pass are seen. Each core passes own vertices of its locale.
  void begin(std::span<const discovery> mine, const sums& of_start = {}) {
    observe::begin_run_of_steps();
    mask_ = 0;
    superstep_ = passed_ = 0;
    pulls_ = 0;
    times_ = {};
    pulling_ = false;
    by_finder_ = false;
    unexplored_ = graph_.edges;
    seen().clear(my_words().first, my_words().last);
    if (leads_locale()) shared_.reset();
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) shared_.knows_pullable = true;
    first_mirror_ = last_mirror_ = 0;
    clock_.start();
    last_ = 0;
    begin_superstep(mine, of_start);
  }

  // [task; suspends; collective over the job] Lets another algorithm go on with the frontier. Called on
  // several locales, between two supersteps. Marks what others have shown as seen, and returns this core's
  // part of the frontier.
  std::span<const std::uint32_t> leave() {
    pulling_ = false;
    take_shown();
    const index_range mine = my_part_of_locale({first_, last_});
    return shared_.order.part(mine.first, mine.last);
  }
  // [task; suspends; collective over the job] Follows leave(). The cores pass the frontier; all own vertices
  // before it are marked as seen. `explored` counts edges, over all cores.
  void come_back(std::span<const discovery> mine, std::uint64_t explored) {
    unexplored_ -= std::min(unexplored_, explored);
    by_finder_ = false;
    clock_.start();
    begin_superstep(mine, {});
  }

  std::uint64_t frontier_vertices() const { return frontier_.vertices; }    // of the job
  std::uint64_t frontier_out_edges() const { return frontier_.out_edges; }  // where it was found by pushing
  const sums& last_sums() const { return frontier_.summed; }                // of the job
  int supersteps() const { return static_cast<int>(superstep_ + passed_); }
  int pulls() const { return pulls_; }
  const search_times& times() const { return times_; }
  bit_set& seen() { return shared_.seen[static_cast<std::size_t>(mask_)]; }
  int mask() const { return mask_; }
  // This core's share of the masks' words.
  index_range my_words() const { return my_part_of_locale({0, shared_.seen[0].size_in_words()}); }

  // [task; suspends; collective over the job] Requires a frontier.
  void superstep() {
    choose_direction();
    const observe::trace_scope traced(pulling_ ? "pull" : "push", frontier_.vertices);
    observe::step_scope step(pulling_ ? "pull" : "push", frontier_.vertices);
    search_counts& counts = shared_.counts[superstep_ % 3];
    if (leads_locale()) {
      shared_.counts[(superstep_ + 1) % 3].reset();
      counts.first = last_;
    }
    vertices_before_ = frontier_.vertices;
    edges_before_ = frontier_.out_edges;
    unexplored_ -= std::min(unexplored_, frontier_.out_edges);
    frontier_size mine;
    found_ = {};
    if (locales() > 1) take_shown();
    if (pulling_) {
      pull(counts);
    } else if (visitor_.may_go_alone() &&
               graph::one_core_is_faster(frontier_.vertices + frontier_.out_edges)) {
      if (leads_locale()) push_alone(counts, mine);
    } else {
      push(counts);
    }
    const double edge_phase = clock_.lap();
    (pulling_ ? times_.pull : times_.push) += edge_phase;
    finish(counts, mine);
    const double reduction = clock_.lap();
    times_.reduction += reduction;
    step.began_with(vertices_before_, edges_of_step());
    step.took_further(frontier_.passed);
    ++superstep_;
    if (my_core() == 0)
      observe::log_superstep(supersteps(), !pulling_, frontier_.vertices, edge_phase + reduction);
  }

 private:
  using frontier_size = steps::frontier_size<sums>;

  void begin_superstep(std::span<const discovery> mine, const sums& of_start) {
    for (const discovery& d : mine) seen().shared_set(d.vertex);
    step_.place(mine);
    frontier_size size{step_.found, step_.out_edges};
    size.summed = of_start;
    step_.reset();
    vertices_before_ = edges_before_ = 0;
    collectives::barrier(collectives::group::locale);
    first_ = last_;
    last_ = shared_.placed.load(std::memory_order_relaxed);
    meet(size);
    if (leads_locale()) visitor_.superstep_ends(last_);
  }

  // Makes the frontier what all cores have found. On several locales all cores of the locale have finished;
  // other locales receive its part of the frontier at the same time.
  void meet(const frontier_size& mine) {
    const auto add = [](frontier_size a, const frontier_size& b) { return a += b; };
    if (locales() == 1) {
      frontier_ = collectives::all_reduce(mine, add);
      return;
    }
    visitor_.show_found(mask_, shared_.order.part(first_, last_));
    frontier_ = visitor_.meet(mine, add);
    if (frontier_.vertices == 0) take_shown();
  }
  // Marks what other locales have shown as seen. If this superstep pushes, it joins the frontier.
  void take_shown() {
    mirrors_.clear();
    visitor_.await_shown(mask_, pulling_ ? nullptr : &mirrors_);
    if (!mirrors_.empty()) {
      const std::uint64_t at = shared_.mirrors_placed.fetch_add(mirrors_.size(), std::memory_order_relaxed);
      std::copy(mirrors_.begin(), mirrors_.end(), shared_.mirrors.data() + at);
    }
    collectives::barrier(collectives::group::locale);
    first_mirror_ = std::exchange(last_mirror_, shared_.mirrors_placed.load(std::memory_order_relaxed));
    times_.exchange += clock_.lap();
  }

  // All cores choose the same direction.
  void choose_direction() {
    pulling_ = pulls_next(options_, pulling_,
                          {.vertices = graph_.vertices,
                           .frontier = frontier_.vertices,
                           .frontier_before = vertices_before_,
                           .frontier_out_edges = frontier_.out_edges,
                           .unexplored_out_edges = unexplored_});
    pulls_ += pulling_ ? 1 : 0;
  }

  // A pull does not count the edges that it examines, nor the out-edges of the frontier that it finds.
  std::uint64_t edges_of_step() const {
    return pulling_ || edges_before_ == 0 ? observe::step::not_counted : edges_before_;
  }

  void pull(search_counts& counts) {
    const bit_set& before = seen();
    mask_ = 1 - mask_;
    step_.pull(before, seen(), counts.own);
  }

  void push(search_counts& counts) {
    my_locales_cores() == 1 ? push_with<sharing::none>(counts) : push_with<sharing::cores>(counts);
  }
  template <sharing With>
  void push_with(search_counts& counts) {
    if (by_finder_) {
      step_.template push<With>(step_.own_rows(), seen(), shared_.shares[superstep_ % 2], me_,
                                last_ - first_);
    } else {
      step_.template push<With>(step_.own_rows(), seen(), first_, last_, counts.own);
    }
    if (mirror_rows_ && first_mirror_ < last_mirror_) {
      const push_rows rows{mirror_rows_->offsets(), mirror_rows_->targets(), graph_.own,
                           shared_.mirrors.data()};
      step_.template push<With>(rows, seen(), first_mirror_, last_mirror_, counts.mirrors);
    }
    found_ = step_.template end_push<With>(seen());
  }

  // Runs supersteps on one core, until the frontier is empty or large.
  void push_alone(search_counts& counts, frontier_size& mine) {
    std::uint64_t first = first_, last = last_;
    for (;;) {
      dealer alone;
      step_.template push<sharing::none>(step_.own_rows(), seen(), first, last, alone);
      step_.template end_push<sharing::none>(seen());
      first = last;
      last = shared_.placed.load(std::memory_order_relaxed);
      if (first == last || !graph::one_core_is_faster(step_.found + step_.out_edges)) break;
      visitor_.superstep_ends(last);
      ++mine.passed;
      mine.passed_out_edges += step_.out_edges;
      step_.reset();
    }
    counts.first = first;
    found_ = {first, last};
  }

  // Ends a superstep for all cores.
  void finish(search_counts& counts, frontier_size& mine) {
    // Other cores read it after the reduction only, as they still take from the shares of this superstep.
    shared_.shares[(superstep_ + 1) % 2][me_].reset(found_);
    by_finder_ = !pulling_ && my_locales_cores() > 1;
    counts.found.fetch_add(step_.found, std::memory_order_relaxed);
    mine.vertices = step_.found;
    mine.out_edges = step_.out_edges;
    mine.summed = visitor_.summed();
    step_.reset();
    visitor_.forget_sums();
    if (locales() > 1) {
      collectives::barrier(collectives::group::locale);
      set_frontier_places(counts);
      meet(mine);
    } else {
      meet(mine);
      set_frontier_places(counts);
    }
    unexplored_ -= std::min(unexplored_, frontier_.passed_out_edges);
    passed_ += frontier_.passed;
    if (leads_locale()) visitor_.superstep_ends(last_);
  }
  // Called when all cores of the locale have found theirs.
  void set_frontier_places(const search_counts& counts) {
    first_ = counts.first;
    last_ = first_ + counts.found.load(std::memory_order_relaxed);
  }

  const graph::locale_graph& graph_;
  const direction_options options_;
  search_state& shared_;
  Visitor& visitor_;
  const int me_;  // core of the locale
  search_step<Visitor> step_;

  // The same at every core, except the position of the frontier in the locale's order.
  int mask_ = 0;  // which of the two masks of seen vertices is valid
  std::uint64_t superstep_ = 0;
  std::uint64_t passed_ = 0;  // supersteps that one core made by itself, not counted in superstep_
  int pulls_ = 0;
  bool pulling_ = false;
  frontier_size frontier_;
  std::uint64_t vertices_before_ = 0, edges_before_ = 0;  // in the frontier of this superstep
  std::uint64_t unexplored_ = 0;  // out-edges of vertices that were in no frontier so far
  std::uint64_t first_ = 0, last_ = 0;
  bool by_finder_ = false;  // the frontier is in the cores' shares
  index_range found_;       // by this core's last push: positions in the order

  // On several locales.
  std::shared_ptr<const graph::mirror_rows> mirror_rows_;  // null where all supersteps pull
  std::vector<std::uint32_t> mirrors_;                     // that this core has received
  std::uint64_t first_mirror_ = 0, last_mirror_ = 0;       // of the frontier, in the locale's `mirrors`

  search_times times_;
  base::lap_clock clock_;
};

}  // namespace orujo::internal::steps
