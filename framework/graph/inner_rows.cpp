#include "framework/graph/inner_rows.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <limits>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

struct kept_inner_rows {
  machine::huge_array<inner_row> rows;
  bool made = false;
};

inner_row find_inner_row(std::uint64_t first, std::uint64_t last, std::uint32_t own,
                         const edge_reader edges) {
  inner_row row{first, 0, std::numeric_limits<float>::infinity()};
  for (std::uint64_t k = first; k < last; ++k) {
    if (edges.neighbour(k) >= own) {
      row.lightest_outer = std::min(row.lightest_outer, edges.weight(k));
      continue;
    }
    if (row.count == 0) row.first = k;
    CHECK_EQ(row.first + row.count, k) << "the neighbours in a row ascend by number";
    ++row.count;
  }
  return row;
}

void find_mine(const locale_graph& g, machine::huge_array<inner_row>& found) {
  const std::uint64_t* const offsets = g.out_rows->offsets.data();
  const edge_reader edges = g.out_rows->any_form();
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v)
    found[v] = find_inner_row(offsets[v], offsets[v + 1], g.own, edges);
}

}  // namespace

std::shared_ptr<const machine::huge_array<inner_row>> find_inner_rows(const locale_graph& g) {
  const auto kept = collectives::share_on_locale<kept_inner_rows>([&] {
    return g.kept->get<kept_inner_rows>([&] {
      return std::make_shared<kept_inner_rows>(kept_inner_rows{machine::huge_array<inner_row>(g.own), false});
    });
  });
  if (!kept->made) {
    find_mine(g, kept->rows);
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) kept->made = true;
    collectives::barrier(collectives::group::locale);
  }
  return {kept, &kept->rows};
}

}  // namespace orujo::internal::graph
