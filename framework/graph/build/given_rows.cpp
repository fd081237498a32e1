#include "framework/graph/build/given_rows.hpp"

#include <algorithm>
#include <utility>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

template <class T>
machine::huge_array<T> copy_of(const machine::huge_array<T>& values) {
  machine::huge_array<T> copy(values.size());
  std::copy(values.begin(), values.end(), copy.begin());
  return copy;
}

rows copy_of(const rows& of) {
  return {of.first_vertex, copy_of(of.offsets), copy_of(of.neighbours), {}, copy_of(of.weights)};
}

}  // namespace

bool may_be_given(const given_rows_facts& facts, const build_options& wanted) {
  const bool sums = facts.weighted && wanted.keep_weight == kept_weight::sum;
  return facts.vertices > 0 && wanted.order == nullptr && wanted.keep.order != requested_order::by_degree &&
         !wanted.partition.hash && !(wanted.symmetrize && (facts.directed || sums));
}

result<std::shared_ptr<locale_graph>> load_given_rows(given_rows& from, const given_rows_facts& facts,
                                                      const build_options& options) {
  const std::shared_ptr<locale_graph> none;
  if (status s = check_memory_to_load({facts.vertices, facts.edges, facts.weighted}, options); !s.ok())
    return s;
  auto owners = from.cut(cores());
  if (!owners.ok()) return none;
  graph_outline outline{.weighted = facts.weighted,
                        .symmetric = options.symmetrize,
                        .first_id = facts.first_id,
                        .owners = std::move(owners).value()};
  if (const int others = options.keep.cut_for_cores; others > 0) {
    auto theirs = from.cut(others);
    if (!theirs.ok()) return none;
    outline.other_owners = std::move(theirs).value();
  }
  auto taken = from.take(outline.owners);
  if (!taken) return none;
  auto [in, out, no_parallel] = std::move(*taken);
  outline.both_ways = !facts.directed && no_parallel;
  if (!options.keep.out_rows || outline.both_ways) {
    out = {};
  } else if (!facts.directed) {
    out = copy_of(in);
  }
  auto made = open_graph(outline);
  if (!made.ok()) return made;
  if (status s = assemble(*made.value(), std::move(in), std::move(out), options); !s.ok()) return s;
  collectives::barrier();
  return made;
}

}  // namespace orujo::internal::graph
