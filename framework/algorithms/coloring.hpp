// Colours the vertices of an undirected graph such that no two neighbours have the same colour.
#pragma once

#include <cstdint>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/random.hpp"
#include "system/containers/symmetric.hpp"

namespace orujo::internal::algorithms {

// The order in which vertices are coloured, and how many neighbours go before each: a program of one
// superstep. Vertices with more neighbours go first; among equal ones, the smaller hash of the id does. After
// Welsh, Powell, "An Upper Bound for the Chromatic Number of a Graph and Its Application to Timetabling
// Problems", The Computer Journal 10, 1967.
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

  // Different ids have different hashes, as mix64 is a bijection.
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
// Plassmann, "A Parallel Graph Coloring Heuristic", SIAM Journal on Scientific Computing 14, 1993. A vertex
// waits until all neighbours that go before it are coloured, and takes the smallest colour that none of them
// has. So the result is that of a serial program which colours vertices one by one in this order, for any
// number of locales and cores.
//
// There are no rounds. The longest chain of vertices that wait for each other would need as many rounds: 883
// for a Kronecker graph of 2^18 vertices. Instead, a coloured vertex notifies its neighbours, and a vertex
// goes on when the last one has done so. Neighbours at other cores that may go after it get messages of 16
// bytes. Each other locale that mirrors it gets one message of some 28 bytes. Takes 24 bytes per vertex and a
// bit per edge, and on several locales rows of mirrors. Loops count for the degree only.
class coloring {
 public:
  // [task; suspends] The graph is symmetric, without parallel edges, and in the forms of
  // gas::forms_for<coloring_order>().
  coloring(graph::distributed_graph graph, graph::property<std::int32_t> colors,
           const call_site& at = call_site::current());
  // [task; suspends]
  ~coloring();
  coloring(const coloring&) = delete;

  // [task; suspends] Colours the graph, and writes the colours, from 0 on, to the property. May be called any
  // number of times.
  coloring_report run(const gas::run_options& options = {});

 private:
  class core_part;
  const graph::distributed_graph graph_;
  const graph::property<std::uint32_t> waiting_;
  const containers::symmetric<core_part> parts_;
};

}  // namespace orujo::internal::algorithms
