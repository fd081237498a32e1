#include "framework/algorithms/personalized_pagerank.hpp"

#include <algorithm>

#include "framework/gas/run.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::gas {

using algorithms::shares_by_weight;

template run_report run(algorithms::personalized_pagerank&, graph::distributed_graph, const run_options&);
template run_report run(algorithms::personalized_pagerank_by<shares_by_weight<double>>&,
                        graph::distributed_graph, const run_options&);
template run_report run(algorithms::personalized_pageranks&, graph::distributed_graph, const run_options&);
template run_report run(algorithms::personalized_pageranks_by<shares_by_weight<double>>&,
                        graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas

namespace orujo::internal::algorithms {
namespace {

using ranked = graph::valued_edge<double>;

// Leaves the `most` of the highest ranks, in descending order.
void keep_highest(std::vector<ranked>& all, std::size_t most) {
  const auto is_before = [](const ranked& a, const ranked& b) {
    return a.value != b.value ? a.value > b.value : a.target < b.target;
  };
  const auto end = all.begin() + static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), end, all.end(), is_before);
  all.erase(end, all.end());
}

}  // namespace

graph::property<double> restarts_at(graph::distributed_graph graph, const std::vector<restart>& restarts) {
  const auto made = graph::property<double>::create(graph);
  loops::on_all_cores(
      [graph, made](const std::vector<restart>& all) {
        const graph::locale_graph& g = graph.here();
        const graph::core_part& mine = g.my_part();
        for (const restart& r : all) {
          const std::uint64_t place = r.number - g.first_vertex;
          if (place >= mine.first && place < mine.last) made.here()[place] = r.share;
        }
      },
      restarts);
  return made;
}

void copy_ranks(graph::distributed_graph graph, graph::property<rank_lanes> ranks, std::size_t k,
                graph::property<double> to) {
  loops::on_all_cores([=] {
    const graph::core_part& mine = graph.here().my_part();
    for (std::uint32_t v = mine.first; v < mine.last; ++v) to.here()[v] = ranks.here()[v][k];
  });
}

std::vector<ranked> highest_ranks(graph::distributed_graph graph, graph::property<rank_lanes> ranks,
                                  std::size_t k, std::uint64_t source, std::size_t most) {
  std::vector<ranked> highest = loops::on_all_cores([=, caller = my_core()] {
    const graph::locale_graph& g = graph.here();
    std::vector<ranked> mine;
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      if (const double rank = ranks.here()[v][k]; rank > 0) mine.push_back({source, g.position_of(v), rank});
    }
    keep_highest(mine, most);
    std::vector<ranked> all;
    for (const std::vector<ranked>& some : collectives::gather(mine, caller))
      all.insert(all.end(), some.begin(), some.end());
    return all;
  });
  keep_highest(highest, most);
  return highest;
}

}  // namespace orujo::internal::algorithms
