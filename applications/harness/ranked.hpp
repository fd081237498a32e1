// Results that rank vertices.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/top.hpp"

namespace orujo::harness {

// [task; suspends] Does what report_compared() does, and prints the top-ranked vertices. `what` names the
// value.
template <class T, class Comparison>
status report_ranked(graph::distributed_graph graph, graph::property<T> values, const std::string& what,
                     std::optional<Comparison> check, files::output_file& output, report& to) {
  foremost best(what);
  to.columns = {what};
  std::function<void(const results::vertex_values<T>&)> visit;
  const auto look = [&](const results::vertex_values<T>& part) {
    for (std::size_t k = 0; k < part.ids.size(); ++k) {
      best.add(part.label(k), static_cast<double>(part.values[k]));
      if (check) check->add(part.ids[k], part.values[k]);
    }
  };
  if (top() > 0 || check) visit = look;
  tell_values(graph, values, output, visit, to);
  best.print();
  return finish_values(check, output, to);
}

}  // namespace orujo::harness
