// The edge phase of scalar programs: over the rows of in-edges, vertex by vertex.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "framework/gas/program.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "framework/vectors/pairwise.hpp"
#include "system/loops/schedule.hpp"

namespace orujo::internal::gas::detail {

// Loops divide positions: an own vertex has one for itself and one for each of its in-edges.
inline std::uint64_t position(const graph::adjacency& in_rows, std::uint32_t vertex) {
  return in_rows.offsets[vertex] + vertex;
}

// One loop over the in-rows of a locale, in chunks of about equal numbers of edges and vertices.
vectors::edge_loops row_loops(const graph::locale_graph& g, int cores, vectors::edge_loop_options options);

struct row_range {
  std::uint32_t first, last;  // own vertices
};
// A vertex belongs to the chunk that has its first position. Rows are not cut, so a chunk may be as long as
// the longest row.
inline row_range rows_of_chunk(const graph::adjacency& in_rows, std::uint32_t own, const loops::chunk& c) {
  const auto find = [&](std::uint32_t first, std::uint64_t last, std::uint64_t wanted) {
    while (first < last) {
      const auto middle = static_cast<std::uint32_t>(first + (last - first) / 2);
      position(in_rows, middle) < wanted ? first = middle + 1 : last = middle;
    }
    return first;
  };
  const std::uint32_t first = find(0, own, c.first);
  return {first, find(first, std::min<std::uint64_t>(own, first + (c.last - c.first)), c.last)};
}

// One core's part.
template <scalar_program Program>
class row_phase {
  using value = typename Program::value;
  using total = total_of<Program>;

 public:
  // The core that runs a chunk calls the program's members, on its own copy.
  row_phase(Program& program, const graph::locale_graph& g)
      : program_(program), graph_(g), in_rows_(*g.in_rows) {}

  // Writes the totals of the chunk's vertices. `shown` is by local index. Never suspends.
  void run_chunk(const loops::chunk& c, std::span<const value> shown, std::span<total> totals) {
    const row_range rows = rows_of_chunk(in_rows_, graph_.own, c);
    for (std::uint32_t v = rows.first; v < rows.last; ++v) totals[v] = total_at(v, shown);
  }

  // Returns the total of one vertex.
  total total_at(std::uint32_t v, std::span<const value> shown) {
    const neighbours<value> all(in_rows_, v, shown.data());
    if constexpr (two_way_program<Program>) {
      const neighbours<value> out(*graph_.out_rows, v, shown.data());
      return program_.collect({v, graph_.out_degree[v], &graph_}, shown[v], all, out);
    } else if constexpr (collecting_program<Program>) {
      return program_.collect({v, graph_.out_degree[v], &graph_}, shown[v], all);
    } else {
      if constexpr (vectors::meets_pairwise<decltype(Program::combine), total>) {
        if (all.size() > vectors::pairwise_block) return total_of_blocks(all, shown[v]);
      }
      total sum = identity();
      for (const neighbour<value>& from : all) sum = Program::combine(sum, contribution(from, shown[v]));
      return sum;
    }
  }

 private:
  total total_of_blocks(const neighbours<value>& all, const value& own) {
    vectors::pairwise_results<decltype(Program::combine), total> blocks(Program::combine);
    auto from = all.begin();
    for (std::size_t left = all.size(); left > 0;) {
      const std::size_t size = std::min(left, vectors::pairwise_block);
      total sum = identity();
      for (std::size_t k = 0; k < size; ++k, ++from) sum = Program::combine(sum, contribution(*from, own));
      blocks.add(sum);
      left -= size;
    }
    return blocks.all();
  }

  total contribution(const neighbour<value>& from, const value& own) {
    if constexpr (two_ended_program<Program>) {
      return program_.gather(from.value, from.weight, own);
    } else {
      return program_.gather(from.value, from.weight);
    }
  }
  static total identity() {
    if constexpr (requires { Program::combine.template identity<total>(); }) {
      return Program::combine.template identity<total>();
    } else {
      return total{};
    }
  }

  Program& program_;
  const graph::locale_graph& graph_;
  const graph::adjacency& in_rows_;
};

}  // namespace orujo::internal::gas::detail
