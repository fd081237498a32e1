// A search: supersteps in which every vertex is visited once at most, by a push along the out-edges of a
// small frontier or by a pull of all that have not been visited from a large one.
//
// After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <utility>

#include "framework/engine/direction.hpp"
#include "framework/engine/frontier_size.hpp"
#include "framework/engine/lap_clock.hpp"
#include "framework/engine/search_direction.hpp"
#include "framework/engine/search_step.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/step_log.hpp"
#include "system/observe/trace.hpp"

namespace orujo::engine {

// Where the time of one core's supersteps goes.
struct search_times {
  double push = 0;       // going along out-edges, with the messages that this sends
  double pull = 0;       // looking at in-edges
  double exchange = 0;   // of the mirrored vertices, before a pull
  double reduction = 0;  // the ends of supersteps: waiting for the slowest core, and for what was pushed
};

// One core's part of the searches on one graph, which reuse their memory; made and used by one task per core.
// The graph has in_rows and out_rows. Beside what search_step wants of it, the visitor has
//   sums                                 a type with += : what is summed over all cores in a superstep
//   bool may_go_alone() const            small frontiers are left to one core, who tells nobody its sums
//   bool one_latency                     how cores meet in a superstep of several locales, below
//   std::span<const discovery> visit_received()
//                                        own vertices of the next frontier that other locales have told this
//                                        core since the last call; the core that receives one sets its bit,
//                                        and knows by the bit whether the vertex is new
//   sums summed() const, forget_sums()   by this core in this superstep
//   flush()                              [task; may suspend] sends what it was told in a push
//   std::uint64_t sent() const           how often this core has told so far
//   void superstep_ends(std::uint64_t placed)   at the locale's first core: so many vertices are in the order
// On several locales, if it is not one_latency,
//   exchange(int m)                      [task; suspends] before a pull: sets the bits in mask m of mirrors
//                                        that have been seen
//   std::uint64_t received() const       how often this core has been told so far
// and then a push costs two reductions one after the other, of which the last finds that everything has
// arrived, and a pull an exchange and a reduction. If it is one_latency,
//   open()                               [task] it may be told of the superstep that begins from now on
//   T finish(const T& mine, combine)     [task; suspends; collective] combines; returns when all that this
//                                        core is told has arrived
//   show(int m)                          [task; may suspend] before a pull: sends the bits in mask m that
//                                        mirrors lack
//   await_shown(int m)                   [task; suspends] sets these in mask m
// and both cost one latency: the reduction goes with the pushes, and has the pushes themselves in place of
// the vertices that they find, of which it learns one superstep later; bits go with the reduction of the pull
// before, unless so few vertices are left that no pull can follow. Then sums must be nothing.
template <class Visitor>
class search {
 public:
  using sums = typename Visitor::sums;
  static_assert(!Visitor::one_latency || std::is_empty_v<sums>, "sums of a superstep come a superstep late");

  // [task; suspends; collective over the job] Also looks which vertices have in-edges.
  search(const graph::locale_graph& g, search_state& shared, Visitor& visitor,
         const direction_options& options)
      : graph_(g),
        options_(options),
        shared_(shared),
        visitor_(visitor),
        me_(static_cast<std::size_t>(my_core_of_locale())),
        step_(g, shared, visitor, my_locales_cores()) {
    const std::size_t last = std::min<std::size_t>(my_words().last * frontier::word_bits, g.own);
    std::int64_t pullable = 0;
    for (std::size_t v = my_words().first * frontier::word_bits; v < last; ++v) {
      if (g.in_rows->offsets[v + 1] == g.in_rows->offsets[v]) continue;
      ++pullable;
      if (!shared.knows_pullable) shared.pullable.set(v);
    }
    if constexpr (Visitor::one_latency) {
      if (locales() > 1) pullable_ = loops::all_reduce(pullable, std::plus<>());
    }
  }
  search(const search&) = delete;

  // [task; suspends; collective over the job] Before the first superstep: the vertices that the cores pass
  // are the only ones seen. Each core passes own vertices of its locale.
  void begin(std::span<const discovery> mine, const sums& of_start = {}) {
    observe::begin_run_of_steps();
    mask_ = 0;
    superstep_ = passed_ = 0;
    pulls_ = 0;
    times_ = {};
    pulling_ = false;
    by_finder_ = false;
    unexplored_ = graph_.edges;
    unseen_ = pullable_;
    late_ = {};
    guessed_ = {};
    seen().clear(my_words().first, my_words().last);
    if (leads_locale()) shared_.reset();
    loops::barrier(loops::group::locale);
    if (leads_locale()) shared_.knows_pullable = true;
    for (const discovery& d : mine) seen().shared_set(d.vertex);
    step_.place(mine);
    frontier_size size{step_.found, step_.out_edges};
    size.summed = of_start;
    step_.reset();
    vertices_before_ = edges_before_ = 0;
    loops::barrier(loops::group::locale);
    first_ = 0;
    last_ = shared_.placed.load(std::memory_order_relaxed);
    frontier_ = sum_over_cores(size);
    unseen_ -= static_cast<std::int64_t>(frontier_.vertices);
    if (leads_locale()) visitor_.superstep_ends(last_);
    clock_.start();
  }

  std::uint64_t frontier_vertices() const { return frontier_.vertices; }  // of the job
  const sums& last_sums() const { return frontier_.summed; }              // of the job
  int supersteps() const { return static_cast<int>(superstep_ + passed_); }
  int pulls() const { return pulls_; }
  const search_times& times() const { return times_; }
  frontier& seen() { return shared_.seen[static_cast<std::size_t>(mask_)]; }
  int mask() const { return mask_; }
  // This core's share of the masks' words.
  loops::index_range my_words() const {
    return loops::my_part_of_locale({0, shared_.seen[0].size_in_words()});
  }

  // [task; suspends; collective over the job] While there is a frontier.
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
    unexplored_ -= std::min(unexplored_, frontier_.out_edges - guessed_.out_edges);
    frontier_size mine;
    found_ = {};
    if constexpr (Visitor::one_latency) {
      if (pulling_) show();
      await_shown();
    }
    if (pulling_) {
      pull(counts);
    } else if (visitor_.may_go_alone() && locales() == 1 &&
               frontier_.vertices + frontier_.out_edges < alone_below) {
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
  // A frontier with fewer vertices and out-edges together is left to one core, which does without barriers.
  static constexpr std::uint64_t alone_below = 1024;

  using counted = frontier_counts;
  using frontier_size = engine::frontier_size<sums>;

  static frontier_size sum_over_cores(const frontier_size& mine) {
    return loops::all_reduce(mine, [](frontier_size a, const frontier_size& b) { return a += b; });
  }

  // The same at every core.
  bool would_pull(const counted& next) const {
    return pulls_next(options_, pulling_,
                      {.vertices = graph_.vertices,
                       .frontier = next.vertices,
                       .frontier_before = vertices_before_,
                       .frontier_out_edges = next.out_edges,
                       .unexplored_out_edges = unexplored_});
  }
  void choose_direction() {
    pulling_ = would_pull({frontier_.vertices, frontier_.out_edges});
    pulls_ += pulling_ ? 1 : 0;
  }

  // Those that a pull looks at nobody counts; the out-edges of a frontier that it has found neither.
  std::uint64_t edges_of_step() const {
    return pulling_ || edges_before_ == 0 ? observe::step::not_counted : edges_before_;
  }

  void pull(search_counts& counts) {
    if constexpr (!Visitor::one_latency) {
      if (locales() > 1) {
        visitor_.exchange(mask_);
        loops::barrier(loops::group::locale);
        times_.exchange += clock_.lap();
      }
    }
    const frontier& before = seen();
    mask_ = 1 - mask_;
    step_.pull(before, seen(), counts.claimed);
  }

  void push(search_counts& counts) {
    if constexpr (Visitor::one_latency) visitor_.open();
    if (my_locales_cores() == 1) {
      step_.template push<sharing::none>(seen(), first_, last_, counts.claimed);
    } else if (by_finder_) {
      found_ =
          step_.template push<sharing::cores>(seen(), shared_.shares[superstep_ % 2], me_, last_ - first_);
    } else {
      found_ = step_.template push<sharing::cores>(seen(), first_, last_, counts.claimed);
    }
    visitor_.flush();
  }

  // Supersteps of one core, until the frontier is empty or large.
  void push_alone(search_counts& counts, frontier_size& mine) {
    std::uint64_t first = first_, last = last_;
    for (;;) {
      std::atomic<std::uint64_t> claimed{0};
      step_.template push<sharing::none>(seen(), first, last, claimed);
      first = last;
      last = shared_.placed.load(std::memory_order_relaxed);
      if (first == last || step_.found + step_.out_edges >= alone_below) break;
      visitor_.superstep_ends(last);
      ++mine.passed;
      mine.passed_out_edges += step_.out_edges;
      step_.reset();
    }
    counts.first = first;
    found_ = {first, last};
  }

  // The end of a superstep for all.
  void finish(search_counts& counts, frontier_size& mine) {
    // Read by nobody else before the reduction, as others still take from those of this superstep.
    shared_.shares[(superstep_ + 1) % 2][me_].reset(found_);
    by_finder_ = !pulling_ && locales() == 1;
    if constexpr (Visitor::one_latency) {
      locales() == 1 ? sum_up(counts, mine)
      : pulling_     ? finish_pull(counts, mine)
                     : finish_push(counts, mine);
      unseen_ -= static_cast<std::int64_t>(frontier_.vertices);
    } else {
      sum_up(counts, mine);
    }
    first_ = counts.first;
    last_ = first_ + counts.found.load(std::memory_order_relaxed);
    if (leads_locale()) visitor_.superstep_ends(last_);
  }

  // A core that has come here sends no more, so everything has arrived as soon as the job has received as
  // much as it has sent.
  void sum_up(search_counts& counts, frontier_size& mine) {
    std::uint64_t told = 0;
    do {
      step_.place(visitor_.visit_received());
      counts.found.fetch_add(step_.found - std::exchange(told, step_.found), std::memory_order_relaxed);
      mine.vertices = step_.found;
      mine.out_edges = step_.out_edges;
      mine.sent = visitor_.sent();
      mine.received = visitor_.received();
      mine.summed = visitor_.summed();
      frontier_ = sum_over_cores(mine);
    } while (frontier_.sent != frontier_.received);
    step_.reset();
    visitor_.forget_sums();
    unexplored_ -= std::min(unexplored_, frontier_.passed_out_edges);
    passed_ += frontier_.passed;
  }

  // What this core has found since the last call.
  counted take_found(search_counts& counts) {
    const counted found{step_.found, step_.out_edges};
    counts.found.fetch_add(found.vertices, std::memory_order_relaxed);
    step_.reset();
    return found;
  }

  // Whether this pull could find so many that another one follows. Where that is wrong, as the frontier was
  // guessed, bits leave before the next pull, which then takes a latency more.
  bool may_pull_again() const {
    return would_pull({static_cast<std::uint64_t>(std::max<std::int64_t>(unseen_, 0)), 0});
  }

  // On several locales. Bits of mirrors go along where another pull may follow.
  void finish_pull(search_counts& counts, frontier_size& mine) {
    mine.vertices = take_found(counts).vertices;
    mine.late = std::exchange(late_, {});
    loops::barrier(loops::group::locale);
    if (may_pull_again()) show();
    frontier_ = sum_over_cores(mine);
    correct_guess();
    if (frontier_.vertices == 0) await_shown();
  }

  // On several locales. There is nothing left when nobody has found or told anything.
  void finish_push(search_counts& counts, frontier_size& mine) {
    const counted found = take_found(counts);
    mine.vertices = found.vertices;
    mine.out_edges = found.out_edges;
    mine.late = std::exchange(late_, {});
    mine.sent = visitor_.sent() - std::exchange(sent_before_, visitor_.sent());
    step_.place(visitor_.visit_received());  // the rest comes while others go on pushing
    late_ = take_found(counts);
    frontier_ = visitor_.finish(mine, [](frontier_size a, const frontier_size& b) { return a += b; });
    step_.place(visitor_.visit_received());
    late_ += take_found(counts);
    loops::barrier(loops::group::locale);  // they are of this frontier
    correct_guess();
    guess_frontier();
  }

  void show() {  // unless it has been
    if (locales() > 1 && !std::exchange(shown_, true)) visitor_.show(mask_);
  }
  void await_shown() {
    if (!std::exchange(shown_, false)) return;
    visitor_.await_shown(mask_);
    loops::barrier(loops::group::locale);
    times_.exchange += clock_.lap();
  }

  // By what was told in the superstep before.
  void correct_guess() {
    unexplored_ -= std::min(unexplored_, frontier_.late.out_edges);
    const counted guessed = std::exchange(guessed_, {});
    vertices_before_ += frontier_.late.vertices - guessed.vertices;
    edges_before_ += frontier_.late.out_edges - guessed.out_edges;
    unseen_ += static_cast<std::int64_t>(guessed.vertices - frontier_.late.vertices);  // modulo 2^64
  }

  // Of what was told. Where the guess decides, another reduction has the truth.
  void guess_frontier() {
    const counted found{frontier_.vertices, frontier_.out_edges};
    counted told = guess_of_told(frontier_.sent, found, {graph_.vertices, graph_.edges});
    if (would_pull(found) != would_pull(found + told)) {
      told = loops::all_reduce(std::exchange(late_, {}), std::plus<>());
    } else {
      guessed_ = told;
    }
    frontier_.vertices += told.vertices;
    frontier_.out_edges += told.out_edges;
  }

  const graph::locale_graph& graph_;
  const direction_options options_;
  search_state& shared_;
  Visitor& visitor_;
  const std::size_t me_;  // core of the locale
  search_step<Visitor> step_;

  // The same at every core, but for the place of the frontier in the locale's order.
  int mask_ = 0;  // which of the two masks of seen vertices is valid
  std::uint64_t superstep_ = 0;
  std::uint64_t passed_ = 0;  // supersteps that one core made alone, not among those of superstep_
  int pulls_ = 0;
  bool pulling_ = false;
  frontier_size frontier_;
  std::uint64_t vertices_before_ = 0, edges_before_ = 0;  // in the frontier of this superstep
  std::uint64_t unexplored_ = 0;  // out-edges of vertices that were in no frontier so far
  std::uint64_t first_ = 0, last_ = 0;
  bool by_finder_ = false;    // the frontier is in the cores' shares
  loops::index_range found_;  // by this core's last push: places in the order

  // On several locales, where a superstep costs one latency.
  std::int64_t pullable_ = 0;      // vertices of the job that have in-edges
  std::int64_t unseen_ = 0;        // of them, in no frontier so far, as far as guesses are right
  counted late_;                   // what this core was told in the last push and has not counted
  counted guessed_;                // of the frontier, in place of all cores' late_
  std::uint64_t sent_before_ = 0;  // by the visitor, until the last push
  bool shown_ = false;             // bits of mirrors are on their way

  search_times times_;
  lap_clock clock_;
};

}  // namespace orujo::engine
