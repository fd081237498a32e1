// Runs one of the laboratory's programs on one locale and measures the time of each phase.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "applications/engine_lab/kernels.hpp"
#include "applications/engine_lab/programs.hpp"
#include "applications/engine_lab/row_push.hpp"
#include "applications/engine_lab/vertex_rows.hpp"
#include "applications/harness/balance.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::engine_lab {

enum class phase_interface { traditional, traditional_nonatomic, scheduler_aware };
enum class direction { pull, push, hybrid };

struct options {
  phase_interface interface = phase_interface::scheduler_aware;
  direction engine = direction::pull;
  bool write_intense = false;
  bool push_rows = false;
  vectors::edge_loop_options edges;
  machine::instruction_set simd = machine::simd_from_flags();
  int most_iterations = 1 << 30;
  bool count_active = false;  // vectors with an active source, in pulls of compact_edges
};

struct phase_times {
  int pulls = 0, pushes = 0;
  double pull_seconds = 0, push_seconds = 0, vertex_seconds = 0;
  std::vector<double> pull_cpu_seconds;  // processor time within the loops over in-edges, by core
  // In-edges and vertices of the part that each core begins with, if vertices are dealt; empty if free cores
  // take chunks.
  std::vector<double> dealt;
  // Vectors with edges over all pulls, and those of them with an active source, if they are counted.
  std::uint64_t vectors = 0, active_vectors = 0;

  int iterations() const { return pulls + pushes; }
  double seconds() const { return pull_seconds + push_seconds + vertex_seconds; }
};

// The state that the cores share, by own vertex, except for the slots.
template <class Program>
struct arena {
  using value = typename Program::value;
  using slot = vectors::merge_slot<vectors::partial_total<Program>>;

  template <class Edges>
  arena(const graph::locale_graph& g, const Edges& in, int cores, const options& how)
      : state(g.own),
        shown(g.own),
        constants(g.own),
        totals(g.own),
        active(g.own),
        pull_loops(in.view.segments, in.view.slices, cores, how.edges),
        push_loop({0, g.own}, cores, loops::schedule::dynamic(push_chunk(g.own, cores))),
        slots(pull_loops.first_chunk(pull_loops.segments())) {
    if constexpr (deals_vertices<Edges>)
      vertex_loop = std::make_unique<loops::shared_loop>(index_range{0, g.own}, cores, in.how);
    if (how.push_rows) row_pushes = std::make_unique<typename row_push<Program>::shared>(g, cores);
  }

  static std::size_t push_chunk(std::uint32_t own, int cores) {
    return std::clamp<std::size_t>(own / (64 * static_cast<std::size_t>(cores)), 1, 1024);
  }

  machine::huge_array<value> state, shown, constants, totals, active;
  vectors::edge_loops pull_loops;
  loops::shared_loop push_loop;
  std::unique_ptr<loops::shared_loop> vertex_loop;                 // if vertices are dealt
  std::unique_ptr<typename row_push<Program>::shared> row_pushes;  // if rows are pushed along
  std::vector<slot> slots;
};

// One core's part of a run. `Edges` is compact_edges, wide_edges or vertex_rows. `out` is for the engines
// that push.
template <class Program, class Edges>
class runner {
  using value = typename Program::value;
  struct frontier {
    std::uint64_t vertices = 0, edges = 0;  // active, and the out-edges of these
  };

 public:
  // [task; suspends; collective over the locale]
  runner(const Program& program, const graph::locale_graph& g, const Edges& in,
         const graph::wide_vector_sparse_view& out, const options& how)
      : program_(program), graph_(g), in_(in), out_(out), options_(how), part_(g.my_part()) {
    arena_ = collectives::share_on_locale<arena<Program>>(
        [&] { return std::make_shared<arena<Program>>(g, in, my_locales_cores(), how); });
    if (how.push_rows) {
      row_push_ = std::make_unique<row_push<Program>>(
          program, g, *arena_->row_pushes, std::span(arena_->totals.data(), arena_->totals.size()));
    }
  }

  // [task; suspends; collective over the locale] Returns the times that core 0 measured.
  phase_times run() {
    return machine::with_isa(options_.simd, [&](auto isa) { return run_with(isa); });
  }
  // The result of the last run, by own vertex.
  std::span<const value> state() const { return {arena_->state.data(), arena_->state.size()}; }

 private:
  using clock = std::chrono::steady_clock;
  static double seconds_since(clock::time_point start) {
    return std::chrono::duration<double>(clock::now() - start).count();
  }
  static value identity() { return Program::combine.template identity<value>(); }

  template <class Isa>
  phase_times run_with(Isa isa) {
    phase_times times;
    pull_cpu_ns_ = 0;
    frontier active = sum_up(start_vertices());
    while (times.iterations() < options_.most_iterations && active.vertices > 0) {
      const bool push = pushes(active);
      if (options_.count_active && !push) count_active_vectors(times);
      const auto start = clock::now();
      push ? push_phase(isa) : pull_phase(isa);
      (push ? times.push_seconds : times.pull_seconds) += seconds_since(start);
      ++(push ? times.pushes : times.pulls);
      const auto middle = clock::now();
      active = sum_up(vertex_phase(isa));
      times.vertex_seconds += seconds_since(middle);
    }
    const auto sum = [](std::uint64_t mine) {
      return collectives::all_reduce(mine, std::plus<>(), collectives::group::locale);
    };
    times.vectors = sum(times.vectors);
    times.active_vectors = sum(times.active_vectors);
    times.pull_cpu_seconds = collectives::all_gather(1e-9 * pull_cpu_ns_, collectives::group::locale);
    if constexpr (deals_vertices<Edges>) {
      const in_degrees loads{in_.rows};
      times.dealt =
          harness::dealt_loads(*arena_->vertex_loop, [&](std::size_t v) { return loads.load_before(v); });
    }
    return times;
  }

  bool pushes(const frontier& active) const {
    if (options_.engine != direction::hybrid) return options_.engine == direction::push;
    return !Program::all_active &&
           active.vertices + active.edges < steps::most_edges_to_push({}, graph_.edges);
  }

  frontier start_vertices() {
    frontier mine;
    for (std::uint32_t v = part_.first; v < part_.last; ++v) {
      const auto start = program_.start(v, graph_.out_degree[v]);
      arena_->state[v] = start.state;
      arena_->shown[v] = start.shown;
      arena_->constants[v] = start.constant;
      arena_->totals[v] = identity();
      arena_->active[v] = start.active;
      if (start.active) mine = {mine.vertices + 1, mine.edges + graph_.out_degree[v]};
    }
    return mine;
  }

  // Adds this core's share of the vectors with edges, and those of them that a pull could not pass over.
  void count_active_vectors(phase_times& times) {
    if constexpr (std::is_same_v<Edges, compact_edges> && !Program::all_active) {
      for (const graph::edge_segment& segment : in_.view.segments) {
        const index_range mine = my_part_of_locale({0, segment.last - segment.first});
        const auto count = [&](auto, std::size_t k) {
          ++times.vectors;
          for (std::size_t i = 0; i < vectors::lanes; ++i) {
            const graph::edge_vector& sources = in_.view.edges[k];
            if (!graph::is_valid(sources, i) || arena_->active[graph::neighbour(sources, i)] == 0) continue;
            ++times.active_vectors;
            break;
          }
        };
        in_.visit(segment, segment.first + mine.first, segment.first + mine.last, count, count);
      }
      collectives::barrier(collectives::group::locale);  // activity changes afterwards
    }
  }

  template <class Isa>
  void pull_phase(Isa isa) {
    if constexpr (deals_vertices<Edges>)
      pull_vertices();
    else
      pull_vectors(isa);
  }
  template <class Isa>
  void pull_vectors(Isa isa) {
    switch (options_.interface) {
      case phase_interface::scheduler_aware:
        return pull_aware(isa);
      case phase_interface::traditional:
        return pull_shared(isa, atomic_update{options_.write_intense});
      case phase_interface::traditional_nonatomic:
        return pull_shared(isa, nonatomic_update{options_.write_intense});
    }
  }

  // Runs chunk(segment, chunk, its number in all segments) for this core's chunks; returns when those of all
  // cores are done.
  template <class Chunk>
  void for_each_chunk(Chunk chunk) {
    for (std::size_t s = 0; s < arena_->pull_loops.segments(); ++s) {
      const std::size_t first_chunk = arena_->pull_loops.first_chunk(s);
      run_measured(arena_->pull_loops.loop(s),
                   [&](const loops::chunk& c) { chunk(in_.view.segments[s], c, first_chunk + c.number); });
    }
  }
  // Runs this core's share of a loop over in-edges; returns when those of all cores are done.
  template <class Body>
  void run_measured(loops::shared_loop& loop, Body body) {
    const double begun = loops::detail::thread_cpu_ns();
    loops::run_share(loop, my_core_of_locale(), body);
    pull_cpu_ns_ += loops::detail::thread_cpu_ns() - begun;
    collectives::barrier(collectives::group::locale);
  }

  void pull_vertices() {
    const std::uint64_t* const offsets = in_.rows->offsets.data();
    const std::uint32_t* const sources = in_.rows->neighbours.data();
    const value* const shown = arena_->shown.data();
    run_measured(*arena_->vertex_loop, [&](std::size_t v) {
      value total = identity();
      for (std::uint64_t k = offsets[v]; k < offsets[v + 1]; ++k)
        total = Program::combine(total, program_.gather(shown[sources[k]], value{1}));
      arena_->totals[v] = total;
    });
  }

  template <class Isa>
  void pull_aware(Isa) {
    const std::span<value> totals(arena_->totals.data(), arena_->totals.size());
    const std::span<const value> shown(arena_->shown.data(), arena_->shown.size());
    for_each_chunk([&](const graph::edge_segment& segment, const loops::chunk& c, std::size_t number) {
      const typename Edges::template aware_loop<Program, Isa> loop(
          program_, in_.view, segment, shown, totals, arena_->slots,
          vectors::choose_reads(segment, sizeof(value)));
      loop.run_chunk(c.first, c.last, number);
    });
    vectors::merge(Program::combine, std::span<const typename arena<Program>::slot>(arena_->slots),
                   part_.first, part_.last, totals);
    collectives::barrier(collectives::group::locale);
  }

  template <class Isa, class Update>
  void pull_shared(Isa isa, Update update) {
    for_each_chunk([&](const graph::edge_segment& segment, const loops::chunk& c, std::size_t) {
      machine::compiled_for(isa, [&] {
        pull_traditionally<Isa>(program_, in_, segment, c.first, c.last, arena_->shown.data(),
                                arena_->totals.data(), update);
      });
    });
  }

  template <class Isa>
  void push_phase(Isa isa) {
    if (row_push_) {
      return row_push_->run(std::span<const value>(arena_->shown.data(), arena_->shown.size()),
                            [&](std::uint32_t v) { return Program::all_active || arena_->active[v] != 0; });
    }
    options_.interface == phase_interface::traditional_nonatomic
        ? push_active(isa, nonatomic_update{options_.write_intense})
        : push_active(isa, atomic_update{options_.write_intense});
  }
  template <class Isa, class Update>
  void push_active(Isa isa, Update update) {
    loops::run_share(arena_->push_loop, my_core_of_locale(), [&](const loops::chunk& c) {
      machine::compiled_for(isa, [&] {
        for (std::size_t v = c.first; v < c.last; ++v) {
          if (!Program::all_active && arena_->active[v] == 0) continue;
          push_vertex<Isa>(program_, out_, static_cast<std::uint32_t>(v), arena_->shown.data(),
                           arena_->totals.data(), update);
        }
      });
    });
    collectives::barrier(collectives::group::locale);
  }

  template <class Isa>
  frontier vertex_phase(Isa isa) {
    frontier mine;
    machine::compiled_for(isa, [&] {
      std::uint32_t v = part_.first;
      for (; v + vectors::lanes <= part_.last; v += vectors::lanes) {
        update_vertices<vectors::pack<value, Isa>, vectors::lanes>(v, mine);
      }
      for (; v < part_.last; ++v) update_vertices<vectors::pack<value, vectors::isa::scalar, 1>, 1>(v, mine);
    });
    return mine;
  }

  // The vertex phase of vertices v .. v + Count - 1.
  template <class V, std::size_t Count>
  [[gnu::always_inline]] void update_vertices(std::uint32_t v, frontier& active) {
    V state = V::load(arena_->state.data() + v), shown = V::load(arena_->shown.data() + v);
    const V changed = program_.apply(V::load(arena_->totals.data() + v),
                                     V::load(arena_->constants.data() + v), state, shown);
    state.store(arena_->state.data() + v);
    shown.store(arena_->shown.data() + v);
    V(identity()).store(arena_->totals.data() + v);
    if constexpr (Program::all_active) {
      active.vertices += Count;
    } else {
      changed.store(arena_->active.data() + v);
      for (std::uint32_t i = v; i < v + Count; ++i) {
        active.vertices += arena_->active[i];
        active.edges += std::uint64_t{arena_->active[i]} * graph_.out_degree[i];
      }
    }
  }

  // Also a barrier.
  frontier sum_up(const frontier& mine) {
    return collectives::all_reduce(
        mine,
        [](const frontier& a, const frontier& b) {
          return frontier{a.vertices + b.vertices, a.edges + b.edges};
        },
        collectives::group::locale);
  }

  const Program program_;
  const graph::locale_graph& graph_;
  const Edges in_;
  const graph::wide_vector_sparse_view out_;
  const options options_;
  const graph::core_part& part_;
  std::shared_ptr<arena<Program>> arena_;
  std::unique_ptr<row_push<Program>> row_push_;  // null: along vectors
  double pull_cpu_ns_ = 0;
};

}  // namespace orujo::internal::engine_lab
