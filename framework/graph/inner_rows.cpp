#include "framework/graph/inner_rows.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "system/loops/collectives.hpp"

namespace orujo::graph {
namespace {

struct kept_inner_rows {
  machine::huge_array<inner_row> rows;
  bool made = false;
};

// edge_at(slot): as an arc.
template <class EdgeAt>
inner_row find_inner_row(std::uint64_t first, std::uint64_t last, std::uint32_t own, EdgeAt edge_at) {
  inner_row row{first, 0, std::numeric_limits<float>::infinity()};
  for (std::uint64_t k = first; k < last; ++k) {
    const arc edge = edge_at(k);
    if (edge.neighbour >= own) {
      row.lightest_outer = std::min(row.lightest_outer, edge.weight);
      continue;
    }
    if (row.count == 0) row.first = k;
    CHECK_EQ(row.first + row.count, k) << "the neighbours in a row ascend by number";
    ++row.count;
  }
  return row;
}

template <class EdgeAt>
void find_my_inner_rows(const locale_graph& g, machine::huge_array<inner_row>& found, EdgeAt edge_at) {
  const std::uint64_t* const offsets = g.out_rows->offsets.data();
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
    found[v] = find_inner_row(offsets[v], offsets[v + 1], g.own, edge_at);
}

void find_mine(const locale_graph& g, machine::huge_array<inner_row>& found) {
  const adjacency& rows = *g.out_rows;
  if (rows.arcs.size() > 0) {
    find_my_inner_rows(g, found, [arcs = rows.arcs.data()](std::uint64_t k) { return arcs[k]; });
  } else {
    find_my_inner_rows(g, found, [&rows](std::uint64_t k) {
      return arc{rows.neighbours[k], rows.weights.size() > 0 ? rows.weights[k] : 1};
    });
  }
}

}  // namespace

std::shared_ptr<const machine::huge_array<inner_row>> find_inner_rows(const locale_graph& g) {
  const auto kept = loops::share_on_locale<kept_inner_rows>([&] {
    return g.kept->get<kept_inner_rows>([&] {
      return std::make_shared<kept_inner_rows>(kept_inner_rows{machine::huge_array<inner_row>(g.own), false});
    });
  });
  if (!kept->made) {
    find_mine(g, kept->rows);
    loops::barrier(loops::group::locale);
    if (leads_locale()) kept->made = true;
    loops::barrier(loops::group::locale);
  }
  return {kept, &kept->rows};
}

}  // namespace orujo::graph
