// Building a distributed graph: renumber, partition, move every edge to its target's owner (and its
// source's), encode, find mirrors.
#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/encode_in_edges.hpp"
#include "framework/graph/memory_needs.hpp"
#include "framework/graph/ranked_bitmap.hpp"
#include "framework/graph/shuffle.hpp"
#include "framework/graph/vertex_ids.hpp"
#include "system/delegates/scatter.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/topology.hpp"

namespace orujo::graph {
namespace {

constexpr std::uint64_t most_local_indices = std::uint64_t{1} << 30;

// What the cores of a locale share while building.
struct workshop {
  std::shared_ptr<locale_graph> graph = std::make_shared<locale_graph>();
  ranked_bitmap remote_vertices;
};

// The vertices of a locale.
loops::index_range range_of(const partition& owners, locale_id l) {
  const core_id first = shape().first_core_of(l);
  return {owners.first_of(first), owners.last_of(first + shape().cores_of(l) - 1)};
}

bool is_own(const locale_graph& g, std::uint64_t vertex) { return vertex - g.first_vertex < g.own; }

// Finds the locale's mirrors: the remote vertices at the other ends of its edges.
void find_mirrors(workshop& shop, std::initializer_list<const rows*> edges) {
  if (locales() == 1) return;
  locale_graph& g = *shop.graph;
  for (const rows* mine : edges) {
    for (std::uint64_t k = 0; k < mine->edges(); ++k) {
      const std::uint64_t vertex = mine->neighbour(k);
      if (!is_own(g, vertex)) shop.remote_vertices.set(vertex);
    }
  }
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    const std::uint64_t mirrors = shop.remote_vertices.count();
    g.mirrored.reserve(mirrors);
    shop.remote_vertices.for_each(0, mirrors, [&](std::uint64_t v) { g.mirrored.push_back(v); });
    g.mirrors = static_cast<std::uint32_t>(mirrors);
  }
  loops::barrier(loops::group::locale);
}

// Replaces the numbers of neighbours by their local indices.
void localise_rows(const workshop& shop, rows& mine) {
  const locale_graph& g = *shop.graph;
  if (locales() == 1) return;  // they are the same
  localise(mine, [&](std::uint64_t vertex) {
    return is_own(g, vertex) ? static_cast<std::uint32_t>(vertex - g.first_vertex)
                             : g.own + static_cast<std::uint32_t>(shop.remote_vertices.rank(vertex));
  });
}

// Counts the out-edges of the rows' neighbours that lead to this locale. In a symmetric graph the owner sees
// them all: they are as many as the in-edges.
void count_out_edges(workshop& shop, const rows& mine, bool symmetric) {
  locale_graph& g = *shop.graph;
  if (leads_locale()) g.out_degree = machine::huge_array<std::uint32_t>(std::size_t{g.own} + g.mirrors);
  loops::barrier(loops::group::locale);
  machine::place_here(g.my_part().of(std::span(g.out_degree.data(), g.out_degree.size())));
  if (!symmetric) loops::barrier(loops::group::locale);
  if (symmetric) {
    const std::uint32_t first = g.my_part().first;
    for (std::uint64_t row = 0; row < mine.vertices(); ++row) {
      g.out_degree[first + row] = static_cast<std::uint32_t>(mine.offsets[row + 1] - mine.offsets[row]);
    }
  } else {
    for (std::uint64_t k = 0; k < mine.edges(); ++k) {
      std::atomic_ref(g.out_degree[mine.neighbours[k]]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  loops::barrier(loops::group::locale);
}

// What the owner of mirrored vertices is told about each of them.
struct mirror_notice {
  std::uint32_t vertex;     // local index at the owner's locale
  std::uint32_t out_edges;  // into the telling locale
};

struct note_mirrors {
  using value = mirror_notice;
  locale_graph* graph;
  core_part* part;
  locale_id from;
  std::uint32_t first_mirror;
  void operator()(std::span<const mirror_notice> notices) const {
    mirror_list& list = part->mirrored_by[static_cast<std::size_t>(from)];
    if (list.vertices.empty()) list.first_mirror = first_mirror;
    for (const mirror_notice& n : notices) {
      list.vertices.push_back(n.vertex);
      graph->out_degree[n.vertex] += n.out_edges;  // its owner is the only one to touch it now
    }
  }
};

// Tells the owners of this locale's mirrors which they are, and how many out-edges they have here.
void tell_owners(workshop& shop) {
  if (locales() == 1) return;
  locale_graph& g = *shop.graph;
  const std::vector<locale_graph*> graphs = loops::all_gather(&g);
  const std::vector<core_part*> parts = loops::all_gather(&g.my_part());
  delegates::completion_event told;
  if (leads_locale()) {
    std::vector<note_mirrors> receivers;
    for (core_id c = 0; c < cores(); ++c) {
      const auto first = std::lower_bound(g.mirrored.begin(), g.mirrored.end(), g.owners.first_of(c));
      receivers.push_back({graphs[static_cast<std::size_t>(c)], parts[static_cast<std::size_t>(c)],
                           my_locale(), static_cast<std::uint32_t>(first - g.mirrored.begin())});
    }
    delegates::scatter out(told, receivers);
    for (std::uint32_t m = 0; m < g.mirrors; ++m) {
      const core_id owner = g.owners.owner(g.mirrored[m]);
      const std::uint64_t first = range_of(g.owners, shape().locale_of(owner)).first;
      out.push(owner, {static_cast<std::uint32_t>(g.mirrored[m] - first), g.out_degree[g.own + m]});
    }
    out.flush();
  }
  told.wait();
  loops::barrier();
}

// Leaves the external ids of the locale's own vertices, unless they are the positions.
void note_ids(locale_graph& g, const vertex_ids& ids) {
  if (ids.is_identity()) return;
  if (leads_locale()) g.external_ids.resize(g.own);
  loops::barrier(loops::group::locale);
  const core_part& part = g.my_part();
  if (g.numbers.is_identity()) {
    const std::vector<std::uint64_t> mine = ids.ids(g.first_vertex + part.first, g.first_vertex + part.last);
    std::copy(mine.begin(), mine.end(), g.external_ids.begin() + part.first);
  } else {
    for (std::uint32_t v = part.first; v < part.last; ++v) g.external_ids[v] = ids.id(g.position_of(v));
  }
}

result<vertex_order> choose_order(const input_edges& input, const vertex_ids& ids,
                                  const build_options& options) {
  if (options.order != nullptr) return options.order(input, ids, options);
  return vertex_order{options.partition.hash ? numbering::scattered(ids.count()) : numbering(), {}};
}

std::shared_ptr<workshop> open_workshop(const partition& owners, const vertex_order& order,
                                        const input_edges& input, std::uint64_t vertices, bool symmetric) {
  return loops::share_on_locale<workshop>([&] {
    auto shop = std::make_shared<workshop>();
    locale_graph& g = *shop->graph;
    g.vertices = vertices;
    g.weighted = input.weighted;
    g.first_id = input.first_id;
    g.symmetric = symmetric;
    g.numbers = order.numbers;
    g.order = order.report;
    g.owners = owners;
    const loops::index_range own = range_of(owners, my_locale());
    g.first_vertex = own.first;
    g.own = static_cast<std::uint32_t>(own.size());
    for (int k = 0; k < my_locales_cores(); ++k) {
      const core_id c = my_core() + k;
      g.parts.push_back({static_cast<std::uint32_t>(owners.first_of(c) - own.first),
                         static_cast<std::uint32_t>(owners.last_of(c) - own.first),
                         std::vector<mirror_list>(static_cast<std::size_t>(locales()))});
    }
    if (locales() > 1) shop->remote_vertices = ranked_bitmap(vertices);
    return shop;
  });
}

status check_local_indices(std::uint64_t indices) {
  const std::uint64_t most = loops::all_reduce(indices, [](auto a, auto b) { return std::max(a, b); });
  if (most < most_local_indices) return {};
  return {exit_status::no_resource,
          fmt::format(
              "the graph needs {} vertices and mirrors on a locale, but 2^30 are too many: use more locales",
              most)};
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

// Of generated edges no weight is negative.
status check_weights(const input_edges& input) {
  const auto negative = std::find_if(input.mine.weights.begin(), input.mine.weights.end(),
                                     [](float weight) { return weight < 0; });
  if (negative == input.mine.weights.end()) return {};
  const edge& e = input.mine.edges[static_cast<std::size_t>(negative - input.mine.weights.begin())];
  return {exit_status::bad_data, fmt::format("the edge from {} to {} has the weight {}; expected at least 0",
                                             e.source, e.target, *negative)};
}

}  // namespace

result<std::shared_ptr<locale_graph>> build(input_edges input, const build_options& options) {
  if (options.keep.non_negative_weights) {
    if (status s = loops::first_failure(check_weights(input)); !s.ok()) return s;
  }
  const std::shared_ptr<const vertex_ids> ids = vertex_ids::of_input(input);
  // Early, as counting the edges of a generated graph may take long.
  const std::uint64_t even_share = ids->count() / static_cast<std::uint64_t>(locales());
  if (status s = check_local_indices(even_share); !s.ok()) return s;
  if (status s = check_memory(input, ids->count(), options); !s.ok()) return s;
  const result<vertex_order> order = choose_order(input, *ids, options);
  if (!order.ok()) return order.status();
  number_edges(input, *ids, order.value().numbers);
  edge_counts counts = count_edges(input, ids->count(), options, rows_of::in_edges);
  const partition owners = choose_partition(counts, options.partition.alpha);
  if (status s = check_local_indices(range_of(owners, my_locale()).size()); !s.ok()) return s;
  if (status s = check_core_ranges(owners); !s.ok()) return s;
  partition other_owners;
  if (const int others = options.keep.cut_for_cores; others > 0) {
    edge_counts theirs =
        count_edges(input, ids->count(), options, rows_of::in_edges, bucket_size(ids->count(), others));
    other_owners = choose_partition(theirs, options.partition.alpha, others);
  }
  const std::shared_ptr<workshop> shop =
      open_workshop(owners, order.value(), input, ids->count(), options.symmetrize);
  locale_graph& g = *shop->graph;

  const edge_forms& keep = options.keep;
  const bool reversed_too = keep.out_rows && !g.symmetric;
  rows in = make_rows(input, owners, options, counts, reversed_too ? last_use::no : last_use::yes);
  rows out;
  if (reversed_too) {
    edge_counts by_source = count_edges(input, ids->count(), options, rows_of::out_edges);
    by_source.add_up();
    out = make_rows(input, owners, options, by_source, last_use::yes);
  }
  find_mirrors(*shop, {&in, &out});
  if (status s = check_local_indices(std::uint64_t{g.own} + g.mirrored.size()); !s.ok()) return s;
  localise_rows(*shop, in);
  localise_rows(*shop, out);
  if (keep.in_vectors) {
    encode_in_edges(g, in.offsets.part(0, in.offsets.size()), in.neighbours.part(0, in.edges()),
                    in.weights.part(0, g.weighted ? in.edges() : 0), options);
  }
  count_out_edges(*shop, in, g.symmetric);
  tell_owners(*shop);
  const std::uint64_t edges = loops::all_reduce(in.edges());
  const row_weights weights = !g.weighted ? row_weights::none
                              : keep.arcs ? row_weights::arcs
                                          : row_weights::parallel;
  std::shared_ptr<adjacency> in_rows, out_rows;
  if (keep.in_rows || (keep.out_rows && g.symmetric))
    in_rows = keep_rows(std::exchange(in, {}), g.my_part().first, g.own, weights);
  if (keep.out_rows)
    out_rows = g.symmetric ? in_rows : keep_rows(std::exchange(out, {}), g.my_part().first, g.own, weights);
  if (leads_locale()) {
    g.edges = edges;
    g.other_owners = other_owners;
    g.in_rows = std::move(in_rows);
    g.out_rows = std::move(out_rows);
  }
  note_ids(g, *ids);
  loops::barrier();
  return shop->graph;
}

void distributed_graph::destroy() const {
  loops::on_all_cores([parts = parts_] { parts.erase_here(); });
}

}  // namespace orujo::graph
