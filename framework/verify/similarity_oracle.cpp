#include "framework/verify/similarity_oracle.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_set>

namespace orujo::internal::verify {
namespace {

using neighbourhood = std::unordered_set<std::size_t>;

double by_definition(const std::string& measure, const std::vector<neighbourhood>& around, std::size_t u,
                     std::size_t v) {
  const neighbourhood &of_u = around[u], &of_v = around[v];
  std::vector<std::size_t> common;
  for (const std::size_t w : of_u.size() < of_v.size() ? of_u : of_v) {
    if (of_u.contains(w) && of_v.contains(w)) common.push_back(w);
  }
  const auto sum = [&](auto&& weight) {
    double total = 0;
    for (const std::size_t w : common) total += weight(static_cast<double>(around[w].size()));
    return total;
  };
  const auto size_u = static_cast<double>(of_u.size()), size_v = static_cast<double>(of_v.size());
  const auto size = static_cast<double>(common.size());
  if (measure == "preferential_attachment") return size_u * size_v;
  if (common.empty()) return 0;
  if (measure == "jaccard") {
    neighbourhood either = of_u;
    either.insert(of_v.begin(), of_v.end());
    return size / static_cast<double>(either.size());
  }
  if (measure == "cosine") return size / std::sqrt(size_u) / std::sqrt(size_v);
  if (measure == "overlap") return size / std::min(size_u, size_v);
  if (measure == "adamic_adar") return sum([](double d) { return d > 1 ? 1 / std::log(d) : 0; });
  if (measure == "resource_allocation") return sum([](double d) { return 1 / d; });
  CHECK_EQ(measure, "common_neighbours");
  return size;
}

}  // namespace

std::vector<plain_edge<double>> similarities(const simple_graph& graph, const std::string& measure,
                                             std::vector<std::pair<std::size_t, std::size_t>> pairs) {
  std::vector<neighbourhood> around(graph.vertex_count());
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const std::size_t u : graph.out_neighbors(v)) {
      if (u != v) around[v].insert(u);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<plain_edge<double>> values;
  for (const auto& [u, v] : pairs) values.push_back({u, v, by_definition(measure, around, u, v)});
  return values;
}

std::vector<plain_edge<double>> similarities(const simple_graph& graph, const std::string& measure) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v) {
    for (const std::size_t u : graph.out_neighbors(v)) {
      if (v < u) pairs.emplace_back(v, u);
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return similarities(graph, measure, std::move(pairs));
}

}  // namespace orujo::internal::verify
