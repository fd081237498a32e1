#include "framework/graph/build/input_sample.hpp"

#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {

input_sample::input_sample(const input_edges& input, std::uint64_t edges, std::uint64_t at_a_time)
    : input_(input), run_(input.generated ? at_a_time : 1) {
  std::uint64_t all = 0;
  if (input.generated) {
    first_ = input.generated->first;
    last_ = input.generated->last;
    all = input.generated->spec.edge_count();
  } else {
    first_ = collectives::exclusive_sum<std::uint64_t>(input.mine.edges.size());
    last_ = first_ + input.mine.edges.size();
    all = collectives::all_reduce<std::uint64_t>(input.mine.edges.size());
  }
  step_ = std::max<std::uint64_t>(all / std::max<std::uint64_t>(edges, 1), 1);
}

}  // namespace orujo::internal::graph
