// Brings properties of test graphs to core 0.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "framework/graph/property.hpp"
#include "framework/results/by_position.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// [task; suspends] All values, by vertex number.
template <class T>
std::vector<T> by_vertex_number(graph::property<T> values) {
  struct place {
    const T* values;
    std::size_t count;
  };
  std::vector<T> all;
  for (locale_id l = 0; l < locales(); ++l) {
    const core_id c = shape().first_core_of(l);
    const place at = delegates::call(c, [=] { return place{values.here().data(), values.here().size()}; });
    std::vector<T> part(at.count);
    delegates::get(memory::global_address<const T>(c, at.values), std::span(part));
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

// [task; suspends] All values, in the ascending order of the ids.
template <class T>
std::vector<T> by_position(graph::distributed_graph graph, graph::property<T> values) {
  const auto all = results::by_position<T>(
      graph, [values](const graph::locale_graph&, std::uint32_t v) { return values.here()[v]; });
  std::vector<T> here(all.size());
  for (std::size_t first = 0; first < here.size(); first += all.block_size()) {
    const memory::global_address<T> from = all[first];
    const std::span<T> to = std::span(here).subspan(first, std::min(all.block_size(), here.size() - first));
    delegates::get(memory::global_address<const T>(from.core(), from.local()), to);
  }
  all.destroy();
  return here;
}

}  // namespace orujo::internal::test_graphs
