// The kernels of a vertex program's supersteps beside the pull: the push along the out-edges of active
// vertices and the vertex phase.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include "framework/device/pull.hpp"
#include "framework/device/rows.hpp"
#include "framework/device/warp.hpp"
#include "framework/graph/vertex.hpp"
#include "framework/vectors/pull.hpp"

namespace orujo::internal::device {

// Adds to a total atomically: other lanes add to it too.
template <class Warp, class Combine, class T>
ORUJO_DEVICE void add_shared(Combine combine, T* total, T more) {
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  word* const at = reinterpret_cast<word*>(total);
  word before = *static_cast<volatile word*>(at);
  for (;;) {
    const T now = combine(std::bit_cast<T>(before), more);
    const word wanted = std::bit_cast<word>(now);
    if (wanted == before) return;
    const word found = Warp::compare_exchange(at, before, wanted);
    if (found == before) return;
    before = found;
  }
}

// A visitor of a walk (rows.hpp): adds contributions to the totals of their targets, and lists each target
// once.
template <class Program>
struct push_visitor {
  using value = typename Program::value;
  Program program;
  const float* weights;
  const value* shown;
  value* totals;
  const std::uint32_t* settled;  // a bit per own vertex, or null
  std::uint32_t* touched;        // a bit per own vertex
  std::uint32_t* list;
  std::uint32_t* listed;

  template <class Warp>
  struct tally {};
  template <class Warp>
  ORUJO_DEVICE void see(const Warp& warp, tally<Warp>&,
                        const typename Warp::template each<std::uint32_t>& sources,
                        const typename Warp::template each<std::uint32_t>& targets,
                        const typename Warp::template each<std::uint64_t>& slots, std::uint32_t there) const {
    const std::uint32_t first = warp.ballot([&](std::uint32_t lane) {
      const std::uint32_t v = targets[lane], bit = std::uint32_t{1} << v % 32;
      if ((there >> lane & 1) == 0) return false;
      if (settled && (settled[v / 32] & bit) != 0) return false;
      const value weight = weights ? static_cast<value>(weights[slots[lane]]) : value{1};
      add_shared<Warp>(combine_of<Program>{}, totals + v,
                       static_cast<value>(program.gather(shown[sources[lane]], weight)));
      return (touched[v / 32] & bit) == 0 && (Warp::fetch_or(touched + v / 32, bit) & bit) == 0;
    });
    append(warp, first, targets, list, listed);
  }
  template <class Warp>
  ORUJO_DEVICE void end(const Warp&, tally<Warp>&) const {}
};

// The sums of one superstep over the vertices of a warp, or over all.
template <class Program>
struct step_sums {
  typename Program::aggregate sums;
  std::uint64_t active, active_out_edges;
};

template <class Program>
ORUJO_HOST_DEVICE step_sums<Program> added(step_sums<Program> a, const step_sums<Program>& b) {
  a.sums += b.sums;
  a.active += b.active;
  a.active_out_edges += b.active_out_edges;
  return a;
}

// The arguments of the vertex phase. The lists are null if no superstep pushes.
template <class Program>
struct vertex_view {
  using value = typename Program::value;
  Program program;
  const graph::locale_graph* part;  // for programs that compare it; memory of the process
  const std::uint32_t* out_degree;
  value* shown;
  value* totals;
  std::uint32_t* settled;
  std::uint32_t* active;  // list
  std::uint32_t* actives;
  step_sums<Program>* sums;  // by warp
};

// Sets values that are not 0 byte by byte.
template <class Value>
struct set_all {
  Value* values;
  std::uint32_t size;
  Value to;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t first = warp.first(); first < size; first += warp.stride())
      warp.lanes([&](std::uint32_t lane) {
        if (first + lane < size) values[first + lane] = to;
      });
  }
};

// Calls apply() for all own vertices, or for those that a push has touched. Deltas: shown values are reported
// once. Settles: vertices may settle. Resets: totals become the identity again, as pushes and settled
// vertices require.
template <class Program, bool Deltas, bool Settles, bool Resets>
struct apply_program {
  vertex_view<Program> on;
  std::uint32_t own;
  const std::uint32_t* list;  // null: all
  const std::uint32_t* listed;
  std::uint32_t* touched;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    using value = typename Program::value;
    typename Warp::template each<step_sums<Program>> mine;
    warp.lanes([&](std::uint32_t lane) { mine[lane] = {}; });
    const std::uint32_t size = list ? *listed : own;
    typename Warp::template each<std::uint32_t> vertex;
    Program program = on.program;
    for (std::uint32_t first = warp.first(); first < size; first += warp.stride()) {
      const std::uint32_t active = warp.ballot([&](std::uint32_t lane) {
        if (first + lane >= size) return false;
        const std::uint32_t v = list ? list[first + lane] : first + lane;
        vertex[lane] = v;
        value shown = Deltas ? value{} : on.shown[v];
        const graph::vertex of{v, on.out_degree[v], on.part};
        const bool goes_on = vectors::apply_to(program, of, on.totals[v], shown, mine[lane].sums);
        on.shown[v] = shown;
        if constexpr (Resets) on.totals[v] = combine_of<Program>::template identity<value>();
        if (list) Warp::fetch_and(touched + v / 32, ~(std::uint32_t{1} << v % 32));
        if constexpr (Settles) {
          if (program.settled(of)) Warp::fetch_or(on.settled + v / 32, std::uint32_t{1} << v % 32);
        }
        if (goes_on) {
          ++mine[lane].active;
          mine[lane].active_out_edges += of.out_degree;
        }
        return goes_on;
      });
      if (on.active) append(warp, active, vertex, on.active, on.actives);
    }
    warp.fold(mine, added<Program>);
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0) on.sums[warp.number] = mine[lane];
    });
  }
};

// The sums of 32 warps each.
template <class Program>
struct add_up {
  const step_sums<Program>* sums;
  std::uint32_t size;
  step_sums<Program>* to;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<step_sums<Program>> mine;
    warp.lanes([&](std::uint32_t lane) {
      mine[lane] = {};
      if (warp.first() + lane < size) mine[lane] = sums[warp.first() + lane];
    });
    warp.fold(mine, added<Program>);
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0) to[warp.number] = mine[lane];
    });
  }
};

// Resets the shown values of listed vertices: deltas are shown once.
template <class Value>
struct forget_told {
  Value* shown;
  const std::uint32_t* list;
  const std::uint32_t* listed;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t first = warp.first(); first < *listed; first += warp.stride())
      warp.lanes([&](std::uint32_t lane) {
        if (first + lane < *listed) shown[list[first + lane]] = Value{};
      });
  }
};

}  // namespace orujo::internal::device
