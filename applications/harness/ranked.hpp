// Results that rank vertices.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "applications/harness/graph_harness.hpp"
#include "applications/harness/top.hpp"

namespace orujo::internal::harness {

// [task; suspends] Does what report_compared() does, and prints the top-ranked vertices. `what` names the
// value. ask_oracle() returns a result<> of the comparison to make with --verify, and is called only then.
template <class T, class AskOracle>
status report_ranked(graph::distributed_graph graph, graph::property<T> values, const std::string& what,
                     const AskOracle& ask_oracle, files::output_file& output, report& to) {
  std::optional<std::decay_t<decltype(ask_oracle().value())>> check;
  if (verify()) {
    auto asked = ask_oracle();
    if (!asked.ok()) return asked.status();
    check = std::move(asked).value();
  }
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

}  // namespace orujo::internal::harness
