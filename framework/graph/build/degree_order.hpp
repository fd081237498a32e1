// Vertices by degree: the order in memory that a build chooses by itself where it pays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/graph/build/input.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/graph/number_table.hpp"
#include "framework/graph/numbering.hpp"

namespace orujo::graph {

// Any thread. The vertices, descending by degree, and those of the same degree ascending.
index_array by_degree(std::span<const std::uint32_t> degrees);

// Any thread. Cores own ranges of numbers. So that these are alike, the vertices of by_degree() are dealt to
// 64 ranges in turn, and each range begins with its own vertices of most edges.
std::shared_ptr<const number_table> degree_order(std::span<const std::uint32_t> degrees);

// [task; suspends; collective over the job] Mean over edges of log2 of the distance of their ends' numbers,
// by a sample.
double sampled_log2_gap(const input_edges& input, const vertex_ids& ids, const numbering& numbers = {});

// The facts that tell whether the order by degree pays.
struct degree_traits {
  std::uint64_t vertices = 0;
  double log2_gap = 0;   // of positions
  double hub_share = 0;  // of the edges' ends, at vertices of more than four times the average degree
};
// Any thread.
double hub_share_of(std::span<const std::uint32_t> degrees);
bool degree_order_pays(const degree_traits& traits);
// [task; suspends; collective over the job] By samples of the edges, which have positions: the same for any
// number of locales and cores.
bool degree_order_pays(const input_edges& input, std::uint64_t vertices);

// [task; suspends; collective over the job] The order by degree in all cores' edges, which have positions.
// chosen: by the build, and not by the user.
vertex_order order_by_degree(const input_edges& input, const vertex_counts& mine, bool chosen);

}  // namespace orujo::graph
