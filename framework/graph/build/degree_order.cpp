#include "framework/graph/build/degree_order.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "framework/graph/build/degrees.hpp"
#include "framework/graph/build/input_sample.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

// Smaller graphs are built and searched in milliseconds. The tables of larger ones take more than 512 MiB at
// every locale.
constexpr std::uint64_t least_vertices = 1 << 16, most_vertices = 1 << 26;
// Ranges to which vertices are dealt. More of them serve more cores; at 256 kernels gain less.
constexpr std::uint64_t ranges = 64;
constexpr std::uint64_t edges_for_gap = 1 << 16;
constexpr std::uint64_t vertices_per_edge = 2;  // in the sample for the share of hubs
constexpr std::uint64_t generated_at_a_time = 64;

// Calls visit(vertex, rank) for every vertex, in their order.
template <class Visit>
void rank_by_degree(std::span<const std::uint32_t> degrees, Visit visit) {
  const std::uint32_t most = degrees.empty() ? 0 : *std::max_element(degrees.begin(), degrees.end());
  std::vector<std::uint64_t> next(std::size_t{most} + 1);  // ranks by degree
  for (const std::uint32_t d : degrees) ++next[d];
  std::uint64_t before = 0;
  for (std::size_t d = next.size(); d-- > 0;) before += std::exchange(next[d], before);
  for (std::uint64_t v = 0; v < degrees.size(); ++v) visit(v, next[degrees[v]]++);
}

// [task; suspends; collective over the job] Degrees in a sample of the edges, without self-loops.
shared_degrees sample_degrees(const input_edges& input, std::uint64_t vertices) {
  const input_sample sample(input, vertices / vertices_per_edge, generated_at_a_time);
  return add_up_degrees(vertices, [&](std::span<std::uint32_t> degrees) {
    degree_counter counter(degrees);
    sample.visit([&](const edge& e) {
      if (e.source == e.target) return;
      counter.add(e.source);
      counter.add(e.target);
    });
    counter.flush();
  });
}

// [task; suspends; collective over the job] The degrees in all cores' edges.
shared_degrees add_up(const vertex_counts& mine) {
  const auto all = collectives::all_gather(&mine, collectives::group::locale);
  const index_range some = my_part_of_locale({0, mine.in.size()});
  return add_up_degrees(mine.in.size(), [&](std::span<std::uint32_t> degrees) {
    for (const vertex_counts* of_core : all) {
      for (std::size_t v = some.first; v < some.last; ++v)
        degrees[v] += of_core->in[v] + (of_core->out.size() > 0 ? of_core->out[v] : 0);
    }
  });
}

}  // namespace

index_array by_degree(std::span<const std::uint32_t> degrees) {
  index_array made(degrees.size(), degrees.size());
  rank_by_degree(degrees, [&](std::uint64_t v, std::uint64_t rank) { made.set(rank, v); });
  return made;
}

std::shared_ptr<const number_table> degree_order(std::span<const std::uint32_t> degrees) {
  const std::uint64_t vertices = degrees.size();
  auto made = std::make_shared<number_table>();
  made->numbers = index_array(vertices, vertices);
  made->positions = index_array(vertices, vertices);
  rank_by_degree(degrees, [&](std::uint64_t v, std::uint64_t rank) {
    const std::uint64_t range = rank % ranges;
    const std::uint64_t first = range * (vertices / ranges) + std::min(range, vertices % ranges);
    made->numbers.set(v, first + rank / ranges);
    made->positions.set(first + rank / ranges, v);
  });
  return made;
}

double sampled_log2_gap(const input_edges& input, const numbering& numbers) {
  constexpr double unit = 1e6;  // whole numbers have the same sum on any process layout
  struct sum {
    std::uint64_t logs = 0, edges = 0;
  } mine;
  input_sample(input, edges_for_gap, generated_at_a_time).visit([&](const edge& e) {
    if (e.source == e.target) return;
    const std::uint64_t a = numbers.number(e.source);
    const std::uint64_t b = numbers.number(e.target);
    mine.logs +=
        static_cast<std::uint64_t>(unit * std::log2(static_cast<double>(std::max(a, b) - std::min(a, b))));
    ++mine.edges;
  });
  const sum all = collectives::all_reduce(mine, [](const sum& a, const sum& b) {
    return sum{a.logs + b.logs, a.edges + b.edges};
  });
  return all.edges == 0 ? 0 : static_cast<double>(all.logs) / unit / static_cast<double>(all.edges);
}

hub_traits hubs_of(std::span<const std::uint32_t> degrees) {
  constexpr std::size_t parts = 256;
  const std::uint64_t ends = std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0});
  std::array<std::uint64_t, parts> at_hubs = {};  // by part of the positions
  for (std::uint64_t v = 0; v < degrees.size(); ++v) {
    if (degrees[v] * degrees.size() > 4 * ends) at_hubs[v * parts / degrees.size()] += degrees[v];
  }
  std::ranges::sort(at_hubs, std::greater());
  const auto of = [](std::uint64_t some, std::uint64_t all) {
    return all == 0 ? 0 : static_cast<double>(some) / static_cast<double>(all);
  };
  const std::uint64_t together =
      std::accumulate(at_hubs.begin(), at_hubs.begin() + parts / 16, std::uint64_t{0});
  const std::uint64_t all = std::accumulate(at_hubs.begin(), at_hubs.end(), std::uint64_t{0});
  return {of(all, ends), of(together, all)};
}

bool degree_order_pays(const degree_traits& traits) {
  if (traits.vertices < least_vertices || traits.vertices > most_vertices) return false;
  // The mean for two random vertices. Each bit less halves the distance.
  const double of_chance = std::log2(static_cast<double>(traits.vertices)) - 1.5 * std::log2(std::exp(1.0));
  return traits.log2_gap >= of_chance - 3 && traits.hubs.share > 0.1 && traits.hubs.together < 0.5;
}

bool degree_order_may_pay(const input_edges& input, std::uint64_t vertices) {
  degree_traits traits{.vertices = vertices};
  if (!degree_order_pays(traits)) return false;
  traits.log2_gap = sampled_log2_gap(input);
  if (!degree_order_pays(traits)) return false;
  const shared_degrees degrees = sample_degrees(input, vertices);
  traits.hubs = hubs_of(degrees->part(0, vertices));
  return degree_order_pays(traits);
}

vertex_order order_by_degree(const input_edges& input, const vertex_counts& mine, bool chosen) {
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t vertices = mine.in.size();
  const shared_degrees degrees = add_up(mine);
  const std::span<const std::uint32_t> by_position = degrees->part(0, vertices);
  const hub_traits hubs = hubs_of(by_position);
  vertex_order made;
  if (chosen && !degree_order_pays({.vertices = vertices, .hubs = hubs})) return made;
  made.numbers = numbering::of_table(
      collectives::share_on_locale<const number_table>([&] { return degree_order(by_position); }));
  made.report.name = "degree";
  made.report.origin = chosen ? order_origin::build : order_origin::user;
  made.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  made.report.log2_gap_before = sampled_log2_gap(input);
  made.report.log2_gap = sampled_log2_gap(input, made.numbers);
  made.report.figures = {{"hub_share", hubs.share}};
  return made;
}

}  // namespace orujo::internal::graph
