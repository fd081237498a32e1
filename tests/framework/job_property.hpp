// Brings properties of test graphs to core 0.
#pragma once

#include <span>
#include <vector>

#include "framework/gas/property.hpp"
#include "system/delegates/bulk.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::test_graphs {

// [task; suspends] All values, by vertex number.
template <class T>
std::vector<T> by_vertex_number(gas::property<T> values) {
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

}  // namespace orujo::test_graphs
