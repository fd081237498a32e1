#include "framework/graph/grid_of_locales.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/available_memory.hpp"

namespace orujo::internal::graph {
namespace {

// Returns the locales in ascending order, except that the other locales of a node follow its first.
std::vector<locale_id> side_by_side(const by_locale<std::uint64_t>& nodes) {
  std::vector<locale_id> order(nodes.size());
  std::iota(order.begin(), order.end(), 0);
  const auto first_of_node = [&](locale_id l) { return std::ranges::find(nodes, nodes[l]) - nodes.begin(); };
  std::ranges::stable_sort(order, {}, first_of_node);
  return order;
}

bool rows_lie_within_nodes(const grid_of_locales& grid, const by_locale<std::uint64_t>& nodes) {
  for (int row = 0; row < grid.rows; ++row) {
    const auto node_at = [&](int column) { return nodes[grid.at(row, column)]; };
    for (int column = 1; column < grid.columns; ++column) {
      if (node_at(column) != node_at(0)) return false;
    }
  }
  return true;
}

}  // namespace

grid_of_locales grid_of_locales::choose(const by_locale<std::uint64_t>& nodes) {
  grid_of_locales made;
  const int locales = static_cast<int>(nodes.size());
  for (int rows = 1; rows * rows <= locales; ++rows) {
    if (locales % rows == 0) made.rows = rows;
  }
  made.columns = locales / made.rows;
  made.locale_at = side_by_side(nodes);
  if (made.rows > 1 && !rows_lie_within_nodes(made, nodes)) {
    std::swap(made.rows, made.columns);
    if (!rows_lie_within_nodes(made, nodes)) std::swap(made.rows, made.columns);
  }
  made.place_of_locale.resize(nodes.size());
  for (int place = 0; const locale_id l : made.locale_at) made.place_of_locale[l] = place++;
  return made;
}

by_locale<std::uint64_t> nodes_of_locales() {
  const by_core<std::uint64_t> of_cores = collectives::all_gather(machine::node_fingerprint());
  by_locale<std::uint64_t> nodes;
  for (locale_id l = 0; l < locales(); ++l) nodes.push_back(of_cores[shape().first_core_of(l)]);
  return nodes;
}

}  // namespace orujo::internal::graph
