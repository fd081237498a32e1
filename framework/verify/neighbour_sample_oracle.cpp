#include "framework/verify/neighbour_sample_oracle.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

using plain_lists = std::vector<std::vector<std::size_t>>;

// Each vertex's neighbours, ascending, and with `latest` those of the latest edges last.
plain_lists neighbours_of_all(const simple_graph& graph, const sample_plan& plan) {
  std::vector<std::vector<std::tuple<double, std::size_t>>> edges(graph.vertex_count());
  for (std::size_t v = 0; v < edges.size(); ++v) {
    for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
      const std::size_t to = graph.out_neighbors(v)[k];
      const double time =
          plan.timed && !graph.out_weights(v).empty() ? static_cast<double>(graph.out_weights(v)[k]) : 0;
      if (plan.timed && time > plan.until) continue;
      edges[plan.in_edges ? to : v].emplace_back(plan.latest ? time : 0, plan.in_edges ? v : to);
    }
  }
  plain_lists all(edges.size());
  for (std::size_t v = 0; v < edges.size(); ++v) {
    std::ranges::sort(edges[v]);
    for (const auto& [time, neighbour] : edges[v]) all[v].push_back(neighbour);
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
  const plain_lists all = neighbours_of_all(graph, plan);
  std::vector<plain_edge<std::uint32_t>> edges;
  std::set<std::size_t> seen(plan.seeds.begin(), plan.seeds.end()), layer = seen;
  for (std::uint32_t k = 0; k < plan.fan_outs.size(); ++k) {
    std::set<std::size_t> next;
    for (const std::size_t v : layer) {
      const auto fan_out = static_cast<std::size_t>(plan.fan_outs[k]);
      const bool only_last = plan.latest && plan.fan_outs[k] >= 0 && all[v].size() > fan_out;
      for (const std::size_t u :
           only_last ? std::multiset<std::size_t>(all[v].end() - plan.fan_outs[k], all[v].end())
                     : draw_neighbours(random_stream(plan.seed, v), all[v], plan.fan_outs[k], plan.replace)) {
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

}  // namespace orujo::internal::verify
