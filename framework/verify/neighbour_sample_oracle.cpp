#include "framework/verify/neighbour_sample_oracle.hpp"

#include <algorithm>
#include <set>

#include "system/base/random.hpp"

namespace orujo::verify {
namespace {

using plain_lists = std::vector<std::vector<std::size_t>>;

// Each vertex's neighbours, ascending.
plain_lists neighbours_of_all(const simple_graph& graph, bool in_edges) {
  plain_lists all(graph.vertex_count());
  for (std::size_t v = 0; v < all.size(); ++v) {
    for (const std::size_t to : graph.out_neighbors(v)) {
      if (in_edges) {
        all[to].push_back(v);
      } else {
        all[v].push_back(to);
      }
    }
  }
  return all;
}

std::multiset<std::size_t> draw_neighbours(random_stream random, const std::vector<std::size_t>& all,
                                           std::int64_t fan_out, bool replace) {
  if (fan_out < 0 || (!replace && static_cast<std::size_t>(fan_out) >= all.size()))
    return {all.begin(), all.end()};
  std::multiset<std::size_t> neighbours;
  std::set<std::size_t> drawn;
  for (std::size_t k = 0; k < static_cast<std::size_t>(fan_out) && !all.empty(); ++k) {
    const std::size_t last = replace ? all.size() - 1 : all.size() - static_cast<std::size_t>(fan_out) + k;
    std::size_t edge = random.below(last + 1);
    if (!replace && !drawn.insert(edge).second) drawn.insert(edge = last);
    neighbours.insert(all[edge]);
  }
  return neighbours;
}

}  // namespace

std::vector<plain_edge<std::uint32_t>> sample_neighbours(const simple_graph& graph, const sample_plan& plan) {
  const plain_lists all = neighbours_of_all(graph, plan.in_edges);
  std::vector<plain_edge<std::uint32_t>> edges;
  std::set<std::size_t> seen(plan.seeds.begin(), plan.seeds.end()), layer = seen;
  for (std::uint32_t k = 0; k < plan.fan_outs.size(); ++k) {
    std::set<std::size_t> next;
    for (const std::size_t v : layer) {
      for (const std::size_t u :
           draw_neighbours(random_stream(plan.seed, v), all[v], plan.fan_outs[k], plan.replace)) {
        edges.push_back(plan.in_edges ? plain_edge<std::uint32_t>{u, v, k + 1}
                                      : plain_edge<std::uint32_t>{v, u, k + 1});
        if (seen.insert(u).second) next.insert(u);
      }
    }
    layer = next;
  }
  std::ranges::sort(edges);
  return edges;
}

}  // namespace orujo::verify
