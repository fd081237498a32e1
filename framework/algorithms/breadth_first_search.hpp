// Breadth-first search that pushes along the out-edges of a small frontier and lets the unseen vertices pull
// from a large one: Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "framework/algorithms/lap_clock.hpp"
#include "framework/algorithms/search_direction.hpp"
#include "framework/algorithms/search_state.hpp"
#include "framework/exchange/mirror_bits.hpp"
#include "framework/exchange/remote_pushes.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/trace.hpp"

namespace orujo::algorithms {

// Where the time of one core's supersteps goes.
struct search_times {
  double push = 0;       // going along out-edges, with the messages that this sends
  double pull = 0;       // looking at in-edges
  double exchange = 0;   // of the bits of mirrored vertices, before a pull
  double reduction = 0;  // the ends of supersteps: waiting for the slowest core, and for what was pushed
};

struct search_report {
  double seconds = 0;
  search_times times;
  int levels = 0;                           // of the tree: 1 if the source reaches nobody else
  int pulls = 0;                            // supersteps
  std::uint64_t vertices = 0;               // reached, with the source
  std::uint64_t out_edges = 0;              // of those reached
  exchange::byte_counts exchanged, pushed;  // by all locales: bits of mirrored vertices, and pushes
};

// One core's part of the searches on one graph, which reuse their memory; made and used by one task per core.
// The graph has in_rows and out_rows. Takes 8 bytes per own vertex of a locale, and 3 bits per local index.
class breadth_first_search {
 public:
  // [task; suspends; collective over the job] Also looks which vertices have in-edges.
  explicit breadth_first_search(const graph::locale_graph& g,
                                const engine::direction_options& options = {engine::direction::automatic,
                                                                            search_push_threshold})
      : graph_(g),
        options_(options),
        shared_(loops::share_on_locale<detail::search_state>(
            [&] { return std::make_shared<detail::search_state>(g); })),
        step_(g, *shared_, my_locales_cores()),
        bits_(g, {shared_->seen[0].words(), shared_->seen[1].words()}),
        pushes_(g, *this) {
    const std::size_t last = std::min<std::size_t>(my_words().last * frontier::word_bits, g.own);
    for (std::size_t v = my_words().first * frontier::word_bits; v < last; ++v) {
      if (g.in_rows->offsets[v + 1] > g.in_rows->offsets[v]) shared_->pullable.set(v);
    }
  }
  breadth_first_search(const breadth_first_search&) = delete;

  // [task; suspends; collective over the job] From the vertex of this number. Its result stays until the
  // next.
  search_report run(std::uint64_t source) {
    loops::barrier();
    const auto begin = std::chrono::steady_clock::now();
    search_report report;
    start(source);
    while (frontier_.vertices > 0) {
      choose_direction();
      report.pulls += pulling_ ? 1 : 0;
      superstep();
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report.times = times_;
    const tree_size size = loops::all_reduce(my_tree_size(), [](tree_size a, const tree_size& b) {
      a.vertices += b.vertices;
      a.out_edges += b.out_edges;
      a.levels = std::max(a.levels, b.levels);
      a.exchanged += b.exchanged;
      a.pushed += b.pushed;
      return a;
    });
    report.vertices = size.vertices;
    report.out_edges = size.out_edges;
    report.levels = static_cast<int>(size.levels);
    report.exchanged = size.exchanged;
    report.pushed = size.pushed;
    return report;
  }

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the
  // vertices that this locale owns and the search reached; the source is its own parent at level 0.
  template <class Visit>
  void for_each_reached(Visit visit) const {
    std::uint64_t first = 0;
    for (std::size_t level = 0; level < shared_->level_ends.size(); ++level) {
      const std::uint64_t last = shared_->level_ends[level];
      const loops::index_range mine = loops::my_part_of_locale({first, last});
      for (std::uint64_t i = mine.first; i < mine.last; ++i) {
        const std::uint32_t vertex = shared_->order[i];
        visit(vertex, graph_.number_of(shared_->parents[vertex]), level);
      }
      first = last;
    }
  }

 private:
  friend class exchange::remote_pushes<breadth_first_search>;
  using frontier = engine::frontier;

  // A frontier of so few vertices and out-edges is left to one core, which does without barriers.
  static constexpr std::uint64_t alone_below = 1024;

  struct frontier_size {
    std::uint64_t vertices = 0;
    std::uint64_t out_edges = 0;         // where it was found by pushing
    std::uint64_t passed_out_edges = 0;  // of frontiers that one core has gone through alone
    std::uint64_t sent = 0, received = 0;
    frontier_size& operator+=(const frontier_size& b) {
      vertices += b.vertices;
      out_edges += b.out_edges;
      passed_out_edges += b.passed_out_edges;
      sent += b.sent;
      received += b.received;
      return *this;
    }
  };
  struct tree_size {
    std::uint64_t vertices, out_edges, levels;
    exchange::byte_counts exchanged, pushed;
  };

  static frontier_size sum_over_cores(const frontier_size& mine) {
    return loops::all_reduce(mine, [](frontier_size a, const frontier_size& b) { return a += b; });
  }
  loops::index_range my_words() const {
    return loops::my_part_of_locale({0, shared_->seen[0].size_in_words()});
  }
  frontier& seen() { return shared_->seen[static_cast<std::size_t>(mask_)]; }

  void start(std::uint64_t source) {
    mask_ = 0;
    superstep_ = 0;
    times_ = {};
    bits_.forget();
    pushes_.forget_bytes();
    pulling_ = false;
    unexplored_ = graph_.edges;
    seen().clear(my_words().first, my_words().last);
    loops::barrier(loops::group::locale);
    const bool here = source - graph_.first_vertex < graph_.own;
    frontier_size mine;
    if (leads_locale()) {
      shared_->reset();
      if (here) {
        const auto vertex = static_cast<std::uint32_t>(source - graph_.first_vertex);
        seen().set(vertex);
        step_.add(vertex, vertex);
        step_.place_added();
        mine = {step_.found, step_.out_edges};
        step_.reset();
      }
      shared_->level_ends.push_back(shared_->placed);
    }
    first_ = 0;
    last_ = here ? 1 : 0;
    frontier_ = sum_over_cores(mine);
    vertices_before_ = 0;
    clock_.start();
  }

  // The same at every core.
  void choose_direction() {
    pulling_ = pulls_next(options_, pulling_,
                          {.vertices = graph_.vertices,
                           .frontier = frontier_.vertices,
                           .frontier_before = vertices_before_,
                           .frontier_out_edges = frontier_.out_edges,
                           .unexplored_out_edges = unexplored_});
  }

  void superstep() {
    const observe::trace_scope traced(pulling_ ? "pull" : "push", frontier_.vertices);
    detail::superstep_counts& counts = shared_->counts[superstep_ % 3];
    if (leads_locale()) {
      shared_->counts[(superstep_ + 1) % 3].reset();
      counts.first = last_;
    }
    vertices_before_ = frontier_.vertices;
    unexplored_ -= std::min(unexplored_, frontier_.out_edges);
    frontier_size mine;
    if (pulling_) {
      pull(counts);
    } else if (locales() == 1 && frontier_.vertices + frontier_.out_edges < alone_below) {
      if (leads_locale()) mine.passed_out_edges = push_alone(counts);
    } else {
      push(counts);
    }
    (pulling_ ? times_.pull : times_.push) += clock_.lap();
    finish(counts, mine);
    times_.reduction += clock_.lap();
    ++superstep_;
  }

  void pull(detail::superstep_counts& counts) {
    if (locales() > 1) {
      bits_.send(mask_);
      bits_.await();
      loops::barrier(loops::group::locale);
      times_.exchange += clock_.lap();
    }
    const frontier& before = seen();
    mask_ = 1 - mask_;
    step_.pull(before, seen(), counts.claimed);
  }

  void push(detail::superstep_counts& counts) {
    const auto phase = static_cast<std::uint32_t>(mask_);
    const auto remote = [&](std::uint32_t parent, std::uint32_t mirror) {
      pushes_.push(phase, parent, mirror);
    };
    if (my_locales_cores() == 1) {
      step_.push<detail::sharing::none>(seen(), first_, last_, counts.claimed, remote);
    } else {
      step_.push<detail::sharing::cores>(seen(), first_, last_, counts.claimed, remote);
    }
    pushes_.flush(phase);
  }

  // Supersteps of one core, until the frontier is empty or large; returns the out-edges passed.
  std::uint64_t push_alone(detail::superstep_counts& counts) {
    std::uint64_t passed = 0, first = first_, last = last_;
    for (;;) {
      std::atomic<std::uint64_t> claimed{0};
      step_.push<detail::sharing::none>(seen(), first, last, claimed, [](std::uint32_t, std::uint32_t) {});
      first = last;
      last = shared_->placed;
      if (first == last || step_.found + step_.out_edges >= alone_below) break;
      shared_->level_ends.push_back(last);
      passed += step_.out_edges;
      step_.reset();
    }
    counts.first = first;
    return passed;
  }

  // A handler's: vertices of this core that a peer has pushed to.
  void receive(std::uint32_t phase, std::uint64_t first_vertex,
               std::span<const exchange::pushed_edge> edges) {
    for (const exchange::pushed_edge& e : edges) {
      if (!shared_->seen[phase].shared_set(e.target)) continue;
      const auto parent =
          std::lower_bound(graph_.mirrored.begin(), graph_.mirrored.end(), first_vertex + e.source);
      step_.add(e.target, graph_.own + static_cast<std::uint32_t>(parent - graph_.mirrored.begin()));
    }
  }

  // The end of a superstep for all. Nobody sends any more who has come here, so what is sent has arrived as
  // soon as the sums agree.
  void finish(detail::superstep_counts& counts, frontier_size mine) {
    std::uint64_t told = 0;
    do {
      step_.place_added();
      counts.found.fetch_add(step_.found - std::exchange(told, step_.found), std::memory_order_relaxed);
      mine.vertices = step_.found;
      mine.out_edges = step_.out_edges;
      mine.sent = pushes_.sent();
      mine.received = pushes_.received();
      frontier_ = sum_over_cores(mine);
    } while (frontier_.sent != frontier_.received);
    step_.reset();
    unexplored_ -= std::min(unexplored_, frontier_.passed_out_edges);
    first_ = counts.first;
    last_ = first_ + counts.found.load(std::memory_order_relaxed);
    if (leads_locale()) shared_->level_ends.push_back(last_);
  }

  tree_size my_tree_size() {
    tree_size mine{0, 0, 0, bits_.bytes(), pushes_.bytes()};
    const std::size_t last = std::min<std::size_t>(my_words().last, frontier::words_for(graph_.own));
    seen().for_each(std::min(my_words().first, last), last, [&](std::size_t vertex) {
      if (vertex >= graph_.own) return;  // a mirror in the last word
      ++mine.vertices;
      mine.out_edges += graph_.out_degree[vertex];
    });
    if (leads_locale()) mine.levels = shared_->level_ends.size() - 1;  // the last is empty
    return mine;
  }

  const graph::locale_graph& graph_;
  const engine::direction_options options_;
  std::shared_ptr<detail::search_state> shared_;
  detail::search_step step_;
  exchange::mirror_bits bits_;
  exchange::remote_pushes<breadth_first_search> pushes_;

  // The same at every core, but for the place of the frontier in the locale's order.
  int mask_ = 0;  // which of the two masks of seen vertices is valid
  std::uint64_t superstep_ = 0;
  bool pulling_ = false;
  frontier_size frontier_;
  std::uint64_t vertices_before_ = 0;
  std::uint64_t unexplored_ = 0;  // out-edges of no frontier so far
  std::uint64_t first_ = 0, last_ = 0;

  search_times times_;
  lap_clock clock_;
};

}  // namespace orujo::algorithms
