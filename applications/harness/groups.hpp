// Groups of vertices, each called by one of its vertices: components, communities.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/graph_harness.hpp"

namespace orujo::internal::harness {

struct group_words {
  std::string groups;     // their name, in the plural
  std::string label;      // the name of the vertex that identifies one
  bool weighted = false;  // checks use weights
};

// By the vertex that calls it.
using group_of = results::vertex_at<std::uint64_t>;
// A serial computation that returns, for each vertex of a graph, the id of its group's vertex.
using group_oracle = std::function<std::vector<std::uint64_t>(const verify::simple_graph&)>;
// A comparison of groups, by the ids of their vertices, with what a serial computation says of them. `ids`
// are those of all vertices. It ends with tell_verdict().
using group_check = std::function<void(const verify::simple_graph&, std::span<const std::uint64_t> ids,
                                       std::span<const std::uint64_t> groups, report& to)>;
// The comparison of each vertex's group with the oracle's.
group_check equal_to(const group_oracle& oracle);

// [task; suspends] Prints the number of groups, and the largest. Writes them to --output, by all cores, and
// checks them with --verify. Takes 8 bytes per vertex for the sizes.
status report_groups(const results::ordered_values<group_of>& groups, const group_words& words,
                     const group_check& check, files::output_file& output, report& to);

// [task; suspends] Does so for a property with the positions of these vertices.
template <class Label>
status report_groups(graph::distributed_graph graph, graph::property<Label> labels, const group_words& words,
                     const group_check& check, files::output_file& output, report& to) {
  const auto groups =
      results::ordered_values<group_of>::create(graph, [labels](const graph::locale_graph&, std::uint32_t v) {
        return group_of{static_cast<std::uint64_t>(labels.here()[v])};
      });
  status done = report_groups(groups, words, check, output, to);
  groups.destroy();
  return done;
}
template <class Label>
status report_groups(graph::distributed_graph graph, graph::property<Label> labels, const group_words& words,
                     const group_oracle& oracle, files::output_file& output, report& to) {
  return report_groups(graph, labels, words, equal_to(oracle), output, to);
}

}  // namespace orujo::internal::harness
