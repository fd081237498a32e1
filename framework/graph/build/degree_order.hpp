// Vertices by degree: the order in memory that a build chooses by itself where it pays.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/graph/build/input.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/number_table.hpp"
#include "framework/graph/numbering.hpp"

namespace orujo::internal::graph {

// Any thread. The vertices, descending by degree, and those of the same degree ascending.
index_array by_degree(std::span<const std::uint32_t> degrees);

// Any thread. Cores own ranges of numbers. So that these are alike, the vertices of by_degree() are dealt to
// 64 ranges in turn, and each range begins with its own vertices of most edges.
std::shared_ptr<const number_table> degree_order(std::span<const std::uint32_t> degrees);

// [task; suspends; collective over the job] Mean over edges of log2 of the distance of their ends' numbers.
// It is that of a sample of the edges, which have positions.
double sampled_log2_gap(const input_edges& input, const numbering& numbers = {});

// Vertices of more than four times the average degree.
struct hub_traits {
  double share = 0;     // of the edges' ends, at hubs
  double together = 0;  // of these ends, in the sixteenth of the positions that has most of them
};
// Any thread. degrees: by position.
hub_traits hubs_of(std::span<const std::uint32_t> degrees);

// The facts that tell whether the order by degree pays. Those that are not known speak for it.
struct degree_traits {
  std::uint64_t vertices = 0;
  double log2_gap = 64;  // of positions
  hub_traits hubs = {1, 0};
};
// Any thread.
bool degree_order_pays(const degree_traits& traits);
// [task; suspends; collective over the job] Whether samples of the edges, which have positions, allow it.
// They are the same for any number of locales and cores. Runs of generated edges may have a vertex often,
// which then seems a hub.
bool degree_order_may_pay(const input_edges& input, std::uint64_t vertices);

// [task; suspends; collective over the job] The order by degree in all cores' edges, which have positions.
// chosen: by the build and not by the user. Then it is that of the ids where that by degree does not pay.
vertex_order order_by_degree(const input_edges& input, const vertex_counts& mine, bool chosen);

}  // namespace orujo::internal::graph
