// Colours for the vertices of an undirected graph such that no two neighbours have the same.
#pragma once

#include <cstdint>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/random.hpp"
#include "system/memory/symmetric.hpp"

namespace orujo::algorithms {

// The order in which vertices are coloured, and how many neighbours go before each: a program of one
// superstep. After Welsh, Powell, "An Upper Bound for the Chromatic Number of a Graph and Its Application to
// Timetabling Problems", The Computer Journal 10, 1967, those with more neighbours go first; of as many those
// with the smaller hash of the id.
struct coloring_order {
  struct value {
    std::uint64_t hash;
    std::uint32_t degree;
    bool goes_before(const value& other) const {
      return degree != other.degree ? degree > other.degree : hash < other.hash;
    }
  };
  using accumulator = std::uint32_t;
  using aggregate = gas::nothing;

  // Of different ids different: mix64 is a bijection.
  static std::uint64_t hash(std::uint64_t id) { return mix64(id); }

  value start(const graph::vertex& v, aggregate&) { return {hash(v.id()), v.out_degree}; }
  accumulator collect(const graph::vertex&, const value& own, const gas::neighbours<value>& all) {
    accumulator earlier = 0;
    for (const auto& [other, weight] : all) earlier += other.goes_before(own) ? 1 : 0;
    return earlier;
  }
  bool apply(const graph::vertex& v, accumulator total, value&, aggregate&) {
    before.here()[v.local] = total;
    return false;
  }

  graph::property<std::uint32_t> before;
};

// The figures of a run of coloring.
struct coloring_report {
  std::int32_t colors = 0;  // 0 to colors - 1 are used
  double seconds = 0;
};

// Colours the vertices of an undirected graph so that neighbours have different colours. After Jones,
// Plassmann, "A Parallel Graph Coloring Heuristic", SIAM Journal on Scientific Computing 14, 1993: a vertex
// waits until all neighbours that go before it are coloured, and takes the smallest colour that none of them
// has. So the result is that of a serial program which colours one after the other in this order, whatever
// the split. In rounds it would take as many as there are vertices in the longest chain of those that wait
// for each other, 883 for a Kronecker graph of 2^18 vertices; here nobody waits for a round's end: a vertex
// that is coloured tells its neighbours, by messages of 16 bytes to those of other cores that may go after it
// and of some 28 to each other locale that mirrors it, and who has heard from the last goes on. Takes 24
// bytes per vertex and a bit for each edge, and on several locales rows of mirrors. Loops count for the
// degree only.
class coloring {
 public:
  // [task; suspends] The graph is symmetric, without parallel edges, as gas::forms_for<coloring_order>()
  // keeps it.
  coloring(graph::distributed_graph graph, graph::property<std::int32_t> colors,
           const call_site& at = call_site::current());
  // [task; suspends]
  ~coloring();
  coloring(const coloring&) = delete;

  // [task; suspends] Colours the graph, and leaves the colours, from 0 on, in the property. Call it any
  // number of times.
  coloring_report run(const gas::run_options& options = {});

 private:
  class core_part;
  const graph::distributed_graph graph_;
  const graph::property<std::uint32_t> waiting_;
  const memory::symmetric<core_part> parts_;
};

}  // namespace orujo::algorithms
