#include "framework/results/read_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "framework/formats/text_tokens.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/results/by_position.hpp"
#include "system/collectives/collectives.hpp"
#include "system/collectives/exchange_by.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::results {
namespace {

using graph::vertex_pair;
using positions = std::vector<std::uint64_t>;
constexpr std::uint64_t no_position = ~std::uint64_t{0};

struct pairs_outcome {
  status failure;
  std::optional<containers::global_array<vertex_pair>> pairs = {};
};

// Which id is at which position.
struct id_lookup {
  std::uint64_t value;  // the id, and in the answer its position
  std::uint64_t place;
  core_id from, to;
};

// [task; suspends; collective over the job] The positions of ids, of which a core has the k-th of all at k.
positions positions_of_ids(const positions& ids, const containers::global_array<std::uint64_t>& all) {
  const std::span<const std::uint64_t> mine = all.local();
  positions firsts = collectives::all_gather(mine.empty() ? no_position : mine[0]);
  while (!firsts.empty() && all.range_of(static_cast<core_id>(firsts.size()) - 1).size() == 0)
    firsts.pop_back();
  std::vector<id_lookup> asked;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const auto after = std::ranges::upper_bound(firsts, ids[k]) - firsts.begin();
    asked.push_back({ids[k], k, my_core(), static_cast<core_id>(std::max<std::ptrdiff_t>(after, 1) - 1)});
  }
  asked = collectives::exchange_by(asked, [](const id_lookup& one) { return one.to; });
  for (id_lookup& one : asked) {
    const auto at = std::ranges::lower_bound(mine, one.value);
    const bool found = at != mine.end() && *at == one.value;
    one.value = found ? all.range_here().first + static_cast<std::uint64_t>(at - mine.begin()) : no_position;
  }
  positions found(ids.size());
  for (const id_lookup& one :
       collectives::exchange_by(asked, [](const id_lookup& answered) { return answered.from; }))
    found[one.place] = one.value;
  return found;
}

// [task; suspends; collective over the job] The positions of these of the file's names.
positions positions_of_names(const positions& indices, const graph::vertex_names& of_file,
                             const graph::vertex_names& of_graph) {
  const formats::name_table& mine = of_file.here();
  positions found(mine.size());
  loops::forall_here(0, std::span(found), [&](std::size_t k, std::uint64_t& position) {
    position = of_graph.find(mine[k]).value_or(no_position);
  });
  const auto all = containers::global_array<std::uint64_t>::of(found);
  positions wanted(indices.size());
  all.gather(indices, std::span(wanted));
  collectives::barrier();
  if (my_core() == 0) all.destroy();
  return wanted;
}

// [task; suspends; collective over the job] `ids` are those of the graph by position, if they are listed.
pairs_outcome read_part(graph::distributed_graph graph, const std::string& path,
                        const containers::global_array<std::uint64_t>& ids) {
  const graph::locale_graph& g = graph.here();
  const graph::graph_request request{.graph = path, .names = g.names != nullptr, .ignore_weights = true};
  const auto resolved = graph::resolve(request);
  if (!resolved.ok()) return {resolved.status()};
  auto read = graph::read_input(resolved.value().source);
  if (!read.ok()) return {read.status()};
  read.value().mirrored = false;  // an edge is one pair
  positions ends;                 // ids or names
  read.value().visit_batches([&](std::span<const edge> edges, std::span<const float>) {
    for (const edge& e : edges) {
      for (const std::uint64_t end : {e.source, e.target})
        ends.push_back(g.names ? end : graph::external_id(read.value(), end));
    }
  });
  positions found;
  if (g.names) {
    found = positions_of_names(ends, *read.value().names, *g.names);
  } else if (ids.size() > 0) {
    found = positions_of_ids(ends, ids);
  } else {
    for (const std::uint64_t id : ends)
      found.push_back(id - g.first_id < g.vertices ? id - g.first_id : no_position);
  }
  status wrong;
  if (const auto at = std::ranges::find(found, no_position); at != found.end()) {
    const std::uint64_t end = ends[static_cast<std::size_t>(at - found.begin())];
    wrong = {exit_status::bad_data,
             fmt::format("{}: the graph has no vertex {}; pass pairs of its vertices", path,
                         g.names ? formats::shown(read.value().names->name(end)) : std::to_string(end))};
  }
  if (status failure = collectives::first_failure(wrong); !failure.ok()) return {failure};
  std::vector<vertex_pair> pairs;
  for (std::size_t k = 0; k < found.size(); k += 2) pairs.push_back({found[k], found[k + 1]});
  return {{}, containers::global_array<vertex_pair>::of(pairs)};
}

// True if some vertex has an id that is not its position and a constant.
bool lists_ids(graph::distributed_graph graph) {
  return loops::on_all_cores([=] {
    const graph::locale_graph& g = graph.here();
    return collectives::all_reduce(g.external_ids.empty() || g.names ? 0 : 1) > 0;
  });
}

}  // namespace

result<containers::global_array<vertex_pair>> read_pairs(graph::distributed_graph graph,
                                                         const std::string& path) {
  const auto ids = lists_ids(graph)
                       ? by_position<std::uint64_t>(graph, [](const graph::locale_graph& g,
                                                              std::uint32_t v) { return g.external_id(v); })
                       : containers::global_array<std::uint64_t>::create(0);
  pairs_outcome outcome;
  const memory::global_address<const std::string> asked(my_core(), &path);
  const memory::global_address<pairs_outcome> to(my_core(), &outcome);
  loops::on_all_cores([=] {
    const bool first = my_core() == 0;
    pairs_outcome mine =
        read_part(graph, collectives::broadcast(first ? *asked.local() : std::string(), 0), ids);
    if (first) *to.local() = std::move(mine);
  });
  ids.destroy();
  if (!outcome.failure.ok()) return outcome.failure;
  return *outcome.pairs;
}

}  // namespace orujo::internal::results
