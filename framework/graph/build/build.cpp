// Renumber, partition, move every edge to its target's owner (and its source's); assemble() does the rest.
#include "framework/graph/build/build.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/degree_order.hpp"
#include "framework/graph/build/given_rows.hpp"
#include "framework/graph/build/listed_rows.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "framework/graph/build/vertex_ids.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

// Stores the external ids of the locale's own vertices, unless they are the positions. known: ids by
// position, or null. first_id: is added to other ids.
void note_ids(locale_graph& g, const vertex_ids& ids, const std::vector<std::uint64_t>* known,
              std::uint64_t first_id) {
  if (ids.is_identity() && !known) return;
  if (leads_locale()) g.external_ids.resize(g.own);
  collectives::barrier(collectives::group::locale);
  const core_part& part = g.my_part();
  if (known) {
    for (std::uint32_t v = part.first; v < part.last; ++v) g.external_ids[v] = (*known)[g.position_of(v)];
  } else if (g.numbers.is_identity()) {
    const std::vector<std::uint64_t> mine = ids.ids(g.first_vertex + part.first, g.first_vertex + part.last);
    std::transform(mine.begin(), mine.end(), g.external_ids.begin() + part.first,
                   [&](std::uint64_t id) { return id + first_id; });
  } else {
    for (std::uint32_t v = part.first; v < part.last; ++v)
      g.external_ids[v] = ids.id(g.position_of(v)) + first_id;
  }
}

bool wants_degree_order(const input_edges& input, std::uint64_t vertices, const build_options& options) {
  if (options.order != nullptr || options.partition.hash) return false;
  if (options.keep.order != requested_order::any) return options.keep.order == requested_order::by_degree;
  return degree_order_may_pay(input, vertices) && has_room_for_order(input, vertices, options);
}

result<vertex_order> find_order(const input_edges& input, std::uint64_t vertices,
                                const build_options& options, const std::optional<vertex_counts>& by_vertex) {
  if (options.order != nullptr) return options.order(input, vertices, options);
  if (by_vertex) return order_by_degree(input, *by_vertex, options.keep.order != requested_order::by_degree);
  return vertex_order{options.partition.hash ? numbering::scattered(vertices) : numbering(), {}};
}

// The shuffle's keys have 64 bits for a vertex within its core and one of the whole graph.
status check_core_ranges(const partition& owners) {
  const std::uint64_t most = edge_keys(owners.vertices()).most_vertices_of_core();
  for (core_id c = 0; c < cores(); ++c) {
    if (owners.last_of(c) - owners.first_of(c) <= most) continue;
    return {exit_status::no_resource,
            fmt::format("a core would own {} of {} vertices, but {} are the most then: use more cores",
                        owners.last_of(c) - owners.first_of(c), owners.vertices(), most)};
  }
  return {};
}

// [task; suspends; collective over the job] Fails if the sum of weights of parallel edges exceeds single
// precision.
status check_sums(const rows& made, const input_edges& input, const vertex_ids& ids,
                  const numbering& numbers) {
  const auto weights = made.weights.part(0, made.weights.size() > 0 ? made.edges() : 0);
  const auto wrong = std::ranges::find_if(weights, [](float weight) { return std::isinf(weight); });
  if (wrong == weights.end()) return collectives::first_failure(status());
  const auto slot = static_cast<std::uint64_t>(wrong - weights.begin());
  const auto row = std::ranges::upper_bound(made.offsets, slot) - made.offsets.begin() - 1;
  const std::uint64_t vertex = made.first_vertex + static_cast<std::uint64_t>(row);
  const auto shown = [&](std::uint64_t at) {
    if (input.names) return input.names->name(at);
    return std::to_string(input.ids ? (*input.ids)[at] : ids.id(at) + input.first_id);
  };
  // The same for rows of either direction.
  const auto [first, last] = std::minmax({numbers.position(vertex), numbers.position(made.neighbour(slot))});
  return collectives::first_failure(
      {exit_status::bad_data,
       fmt::format(
           "{}{}the parallel edges between {} and {} weigh more together than single precision holds, "
           "3.4e38; keep the lightest or the heaviest weight, or divide all weights",
           input.path, input.path.empty() ? "" : ": ", shown(first), shown(last))});
}

// Checks read weights only, because generated ones are never negative.
status check_weights(const input_edges& input) {
  const auto negative = std::find_if(input.mine.weights.begin(), input.mine.weights.end(),
                                     [](float weight) { return weight < 0; });
  if (negative == input.mine.weights.end()) return {};
  const edge& e = input.mine.edges[static_cast<std::size_t>(negative - input.mine.weights.begin())];
  const auto shown = [&](std::uint64_t id) {
    return input.names ? input.names->name(id) : std::to_string(external_id(input, id));
  };
  return {exit_status::bad_data,
          fmt::format("{}{}the edge from {} to {} has the weight {}; expected at least 0", input.path,
                      input.path.empty() ? "" : ": ", shown(e.source), shown(e.target), *negative)};
}

// [task; suspends; collective over the job] Returns whether these rows of in-edges serve as rows of
// out-edges: if each edge is there in both directions and none is there twice.
bool are_both_ways(const rows& mine, std::uint64_t vertices) {
  row_checker checker(vertices, {.remove_duplicates = true}, edges_of::both_ends);
  for (std::uint64_t row = 0; row < mine.vertices() && checker.found().good; ++row) {
    for (std::uint64_t k = mine.offsets[row]; k < mine.offsets[row + 1]; ++k)
      checker.take(mine.first_vertex + row, mine.neighbour(k), mine.weights.size() > 0 ? mine.weights[k] : 0);
  }
  const row_checker::findings found = collectives::all_reduce(checker.found());
  return found.good && found.edges == 0;
}

}  // namespace

result<std::shared_ptr<locale_graph>> build(input_edges input, const build_options& options) {
  if (input.rows) {
    auto given = load_listed_rows(input, options);
    if (!given.ok() || given.value()) return given;
    input.list_rows();
  }
  if (options.keep.non_negative_weights) {
    if (status s = collectives::first_failure(check_weights(input)); !s.ok()) return s;
  }
  const std::shared_ptr<const vertex_ids> ids = vertex_ids::of_input(input);
  // Early, as counting the edges of a generated graph may take long.
  const std::uint64_t even_share = ids->count() / static_cast<std::uint64_t>(locales());
  if (status s = check_local_indices(even_share); !s.ok()) return s;
  if (status s = check_memory(input, ids->count(), options); !s.ok()) return s;
  number_edges(input, *ids);  // by position
  std::optional<vertex_counts> by_vertex;
  if (wants_degree_order(input, ids->count(), options))
    by_vertex = count_by_vertex(input, ids->count(), options);
  const result<vertex_order> order = find_order(input, ids->count(), options, by_vertex);
  if (!order.ok()) return order.status();
  number_edges(input, *vertex_ids::identity(ids->count()), order.value().numbers);
  const auto count = [&](rows_of grouping, std::uint64_t bucket = 0) {
    return by_vertex ? count_edges(*by_vertex, order.value().numbers, options, grouping, bucket)
                     : count_edges(input, ids->count(), options, grouping, bucket);
  };
  const bool reversed_too = options.keep.out_rows && !options.symmetrize;
  // They stay while the first rows are made.
  if (reversed_too && ids->count() <= std::uint64_t{1} << 32) input.pack_edges();
  edge_counts counts = count(rows_of::in_edges);
  graph_outline outline{.weighted = input.weighted,
                        .symmetric = options.symmetrize,
                        .first_id = input.first_id,
                        .order = order.value(),
                        .owners = choose_partition(counts, options.partition.alpha)};
  const partition& owners = outline.owners;
  if (status s = check_core_ranges(owners); !s.ok()) return s;
  if (const int others = options.keep.cut_for_cores; others > 0) {
    edge_counts theirs = count(rows_of::in_edges, bucket_size(ids->count(), others));
    outline.other_owners = choose_partition(theirs, options.partition.alpha, others);
  }
  edge_counts by_source = reversed_too ? count(rows_of::out_edges) : edge_counts();
  by_vertex.reset();
  if (reversed_too) by_source.add_up();
  // Files of undirected graphs often have each edge in both directions. Degrees then agree.
  const bool may_be_both_ways = reversed_too && by_source.of_the_job == counts.of_the_job;

  build_options in_options = options;
  in_options.keep.in_rows |= may_be_both_ways;  // for the weights of out-edges
  rows in = make_rows(input, owners, in_options, counts, reversed_too ? last_use::no : last_use::yes);
  outline.both_ways = may_be_both_ways && are_both_ways(in, ids->count());
  const bool sums = input.weighted && options.keep_weight == kept_weight::sum;
  if (sums) {
    if (status s = check_sums(in, input, *ids, order.value().numbers); !s.ok()) return s;
  }
  rows out;
  if (reversed_too && !outline.both_ways) {
    out = make_rows(input, owners, options, by_source, last_use::yes);
    if (sums) {
      if (status s = check_sums(out, input, *ids, order.value().numbers); !s.ok()) return s;
    }
  }
  input.mine = {};  // with both_ways they are still there
  auto opened = open_graph(outline);
  if (!opened.ok()) return opened;
  locale_graph& g = *opened.value();
  if (status s = assemble(g, std::move(in), std::move(out), options); !s.ok()) return s;
  note_ids(g, *ids, input.ids.get(), input.first_id);
  if (leads_locale()) g.names = input.names;
  collectives::barrier();
  return opened;
}

}  // namespace orujo::internal::graph
