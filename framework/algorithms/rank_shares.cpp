#include "framework/algorithms/rank_shares.hpp"

#include <algorithm>
#include <limits>

#include "framework/algorithms/pagerank.hpp"
#include "framework/algorithms/precise_sum.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/kept_forms.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::gas {

template run_report run(algorithms::pagerank<float, algorithms::shares_by_weight<float>>&,
                        graph::locale_graph&, const run_options&);
template run_report run(algorithms::pagerank<double, algorithms::shares_by_weight<double>>&,
                        graph::locale_graph&, const run_options&);

}  // namespace orujo::internal::gas

namespace orujo::internal::algorithms {
namespace {

struct sum_range {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  friend sum_range operator+(const sum_range& a, const sum_range& b) {
    return {std::min(a.least, b.least), std::max(a.largest, b.largest)};
  }
};

}  // namespace

template <class Real>
out_weight_sums<Real> sum_weights(graph::distributed_graph graph) {
  graph::require_forms(graph.here(), {.out_rows = true, .in_arrays = false}, "PageRank by weights:");
  const auto sums = graph::property<Real>::create(graph);
  const sum_range range = loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    const graph::edge_reader edges = g.out_rows->any_form();
    sum_range mine;
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      precise_sum sum;
      for (std::uint64_t slot = g.out_rows->offsets[v]; slot < g.out_rows->offsets[v + 1]; ++slot)
        sum = sum + precise_sum{edges.weight(slot)};
      const double all = sum.value();
      sums.here()[v] = static_cast<Real>(all);
      if (all > 0) mine = mine + sum_range{all, all};
    }
    return collectives::all_reduce(mine);
  });
  return {sums, range.largest > 0 ? range.least : 0, range.largest};
}

template out_weight_sums<float> sum_weights<float>(graph::distributed_graph);
template out_weight_sums<double> sum_weights<double>(graph::distributed_graph);

}  // namespace orujo::internal::algorithms
