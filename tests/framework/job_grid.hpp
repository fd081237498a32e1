// Builds test graphs that are cut in two dimensions inside a job.
#pragma once

#include "framework/grid/grid_graph.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// [task; suspends] Builds graph number `index` of all(); every process makes the same list. With in_turn the
// locales alternate between two nodes.
inline graph::grid_graph build_grid(std::size_t index, const graph::build_options& options,
                                    bool in_turn = false) {
  const auto parts = containers::symmetric<std::shared_ptr<graph::locale_grid>>::reserve();
  loops::on_all_cores([=] {
    std::vector<std::uint64_t> nodes;
    for (locale_id l = 0; in_turn && l < locales(); ++l) nodes.push_back(static_cast<std::uint64_t>(l) % 2);
    auto built = graph::build_grid(part_of_input(all()[index], my_core(), cores()), options, nodes);
    parts.emplace_here(std::move(built).value());
  });
  return graph::grid_graph(parts);
}

}  // namespace orujo::internal::test_graphs
