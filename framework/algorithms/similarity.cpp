#include "framework/algorithms/similarity.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

#include "framework/algorithms/pair_sums.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::algorithms {
namespace {

using detail::neighbour_weight, detail::numbered_pair, detail::pair_sum;
using measure = similarity_measure;

neighbour_weight weight_for(measure m) {
  switch (m) {
    case measure::adamic_adar:
      return neighbour_weight::inverse_log;
    case measure::resource_allocation:
      return neighbour_weight::inverse;
    case measure::preferential_attachment:
      return neighbour_weight::none;
    default:
      return neighbour_weight::one;
  }
}

double similarity_of(const pair_sum& found, measure m) {
  const double common = static_cast<double>(found.sum);
  const double source = found.source_degree, target = found.target_degree;
  const auto share = [common](double of) { return of == 0 ? 0 : common / of; };
  switch (m) {
    case measure::common_neighbours:
      return common;
    case measure::jaccard:
      return share(source + target - common);
    case measure::cosine:
      return share(std::sqrt(source * target));
    case measure::overlap:
      return share(std::min(source, target));
    case measure::preferential_attachment:
      return source * target;
    default:
      return detail::rounded(found.sum);
  }
}

// Calls work(sums), which returns the calling core's pairs and their values, at every core.
template <class Work>
pair_similarities find_similarities(graph::distributed_graph graph, measure m, const Work& work) {
  graph::require_forms(graph.here(), {.out_rows = true}, "similarity:");
  const auto begin = std::chrono::steady_clock::now();
  pair_similarities found = loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    detail::pair_sums sums(g, g.vertices > std::uint64_t{1} << 32, weight_for(m));
    const std::vector<graph::valued_edge<double>> mine = work(g, sums);
    return pair_similarities{.pairs = graph::edge_array<double>::of(mine)};
  });
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

}  // namespace

std::optional<similarity_measure> measure_of(std::string_view name) {
  constexpr std::pair<std::string_view, measure> all[] = {
      {"common_neighbours", measure::common_neighbours},
      {"jaccard", measure::jaccard},
      {"cosine", measure::cosine},
      {"overlap", measure::overlap},
      {"adamic_adar", measure::adamic_adar},
      {"resource_allocation", measure::resource_allocation},
      {"preferential_attachment", measure::preferential_attachment}};
  for (const auto& [its_name, its_measure] : all) {
    if (its_name == name) return its_measure;
  }
  return {};
}

pair_similarities similarities_of_edges(graph::distributed_graph graph, measure m) {
  return find_similarities(graph, m, [m](const graph::locale_graph& g, detail::pair_sums& sums) {
    const std::vector<numbered_pair> edges = sums.edges();
    const std::vector<pair_sum> found = sums.of(edges);
    std::vector<graph::valued_edge<double>> values;
    values.reserve(edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const auto [first, last] =
          std::minmax({g.numbers.position(edges[k].source), g.numbers.position(edges[k].target)});
      values.push_back({first, last, similarity_of(found[k], m)});
    }
    return values;
  });
}

pair_similarities similarities_of_pairs(graph::distributed_graph graph,
                                        containers::global_array<graph::vertex_pair> pairs, measure m) {
  return find_similarities(graph, m, [m, pairs](const graph::locale_graph& g, detail::pair_sums& sums) {
    std::vector<numbered_pair> numbers;
    for (const graph::vertex_pair& pair : pairs.local())
      numbers.push_back({g.numbers.number(pair.source), g.numbers.number(pair.target)});
    const std::vector<pair_sum> found = sums.of(numbers);
    std::vector<graph::valued_edge<double>> values;
    values.reserve(found.size());
    for (std::size_t k = 0; k < found.size(); ++k) {
      const graph::vertex_pair& pair = pairs.local()[k];
      values.push_back({pair.source, pair.target, similarity_of(found[k], m)});
    }
    return values;
  });
}

}  // namespace orujo::internal::algorithms
