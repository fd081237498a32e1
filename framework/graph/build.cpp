// Building a distributed graph: renumber, partition, move every edge to its target's owner, encode, find
// mirrors.
#include <algorithm>
#include <atomic>
#include <span>

#include <fmt/format.h>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/ranked_bitmap.hpp"
#include "framework/graph/vertex_ids.hpp"
#include "system/delegates/scatter.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {
namespace {

constexpr std::uint64_t most_local_indices = std::uint64_t{1} << 30;

// An edge at the core that owns its target.
struct in_edge {
  std::uint64_t source;  // vertex number
  std::uint32_t target;  // relative to the core's first vertex
  float weight;
};
static_assert(sizeof(in_edge) == 16);

// This core's in-edges in rows by target.
struct rows {
  std::vector<std::uint64_t> offsets;  // by own vertex of the core, and the end
  std::vector<in_edge> edges;          // by target, then source, then weight
};

// What the cores of a locale share while building.
struct workshop {
  std::shared_ptr<locale_graph> graph = std::make_shared<locale_graph>();
  ranked_bitmap remote_sources;
  std::vector<std::size_t> vectors;  // by core of the locale
};

void prepare(edge_list& list, const build_options& options) {
  const bool weighted = !list.weights.empty();
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    if (options.remove_self_loops && list.edges[k].source == list.edges[k].target) continue;
    list.edges[kept] = list.edges[k];
    if (weighted) list.weights[kept] = list.weights[k];
    ++kept;
  }
  list.edges.resize(kept);
  if (weighted) list.weights.resize(kept);
  if (!options.symmetrize) return;
  list.edges.reserve(2 * kept);
  for (std::size_t k = 0; k < kept; ++k) list.edges.push_back({list.edges[k].target, list.edges[k].source});
  if (!weighted) return;
  list.weights.reserve(2 * kept);
  for (std::size_t k = 0; k < kept; ++k) list.weights.push_back(list.weights[k]);
}

struct plan {
  partition owners;
  std::uint64_t my_edges;  // that this core will own
};

plan choose_partition(const std::vector<edge>& edges, std::uint64_t vertices) {
  const std::uint64_t bucket = bucket_size(vertices, cores());
  std::vector<std::uint64_t> in_edges((vertices + bucket - 1) / bucket);
  for (const edge& e : edges) ++in_edges[e.target / bucket];
  loops::all_reduce(std::span(in_edges), std::plus<std::uint64_t>());
  plan made{balance(vertices, in_edges, bucket, cores()), 0};
  // The cuts are at bucket boundaries.
  for (std::uint64_t v = made.owners.first_of(my_core()); v < made.owners.last_of(my_core()); v += bucket) {
    made.my_edges += in_edges[v / bucket];
  }
  return made;
}

// Moves every edge to the owner of its target.
std::vector<in_edge> shuffle(edge_list list, const plan& by) {
  const partition& owners = by.owners;
  std::vector<in_edge> mine;
  mine.reserve(by.my_edges);
  std::vector<delegates::append_to<in_edge>> receivers;
  for (std::vector<in_edge>* to : loops::all_gather(&mine)) receivers.push_back({to});
  delegates::completion_event moved;
  delegates::scatter out(moved, receivers);
  for (std::size_t k = 0; k < list.edges.size(); ++k) {
    const edge& e = list.edges[k];
    const core_id to = owners.owner(e.target);
    out.push(to, {e.source, static_cast<std::uint32_t>(e.target - owners.first_of(to)),
                  list.weights.empty() ? 1.0f : list.weights[k]});
  }
  out.flush();
  list = {};
  moved.wait();      // this core's edges have arrived ...
  loops::barrier();  // ... and everybody's
  return mine;
}

// A counting sort by target, then each row by source.
rows make_rows(std::vector<in_edge> edges, std::uint64_t vertices, bool remove_duplicates) {
  rows made;
  made.offsets.assign(vertices + 1, 0);
  for (const in_edge& e : edges) ++made.offsets[e.target + 1];
  for (std::uint64_t v = 0; v < vertices; ++v) made.offsets[v + 1] += made.offsets[v];
  made.edges.resize(edges.size());
  std::vector<std::uint64_t> next(made.offsets.begin(), made.offsets.end() - 1);
  for (const in_edge& e : edges) made.edges[next[e.target]++] = e;
  edges = {};

  std::uint64_t kept = 0, first = 0;
  for (std::uint64_t v = 0; v < vertices; ++v) {
    in_edge* const begin = made.edges.data() + first;
    in_edge* const end = made.edges.data() + made.offsets[v + 1];
    first = made.offsets[v + 1];
    std::sort(begin, end, [](const in_edge& a, const in_edge& b) {
      return a.source != b.source ? a.source < b.source : a.weight < b.weight;
    });
    const auto same = [](const in_edge& a, const in_edge& b) { return a.source == b.source; };
    const in_edge* const row_end = remove_duplicates ? std::unique(begin, end, same) : end;
    for (const in_edge* at = begin; at != row_end; ++at) made.edges[kept++] = *at;
    made.offsets[v + 1] = kept;
  }
  made.edges.resize(kept);
  return made;
}

// The vertices of a locale.
loops::index_range range_of(const partition& owners, locale_id l) {
  const core_id first = shape().first_core_of(l);
  return {owners.first_of(first), owners.last_of(first + shape().cores_of(l) - 1)};
}

bool is_own(const locale_graph& g, std::uint64_t vertex) { return vertex - g.first_vertex < g.own; }

// Finds the locale's mirrors: the remote sources of its in-edges.
void find_mirrors(workshop& shop, const rows& mine) {
  if (locales() == 1) return;
  locale_graph& g = *shop.graph;
  for (const in_edge& e : mine.edges) {
    if (!is_own(g, e.source)) shop.remote_sources.set(e.source);
  }
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    const std::uint64_t mirrors = shop.remote_sources.count();
    g.mirrored.reserve(mirrors);
    shop.remote_sources.for_each(0, mirrors, [&](std::uint64_t v) { g.mirrored.push_back(v); });
    g.mirrors = static_cast<std::uint32_t>(mirrors);
  }
  loops::barrier(loops::group::locale);
}

// Encodes this core's rows into the locale's arrays and counts the sources' out-edges.
void encode_rows(workshop& shop, const rows& mine) {
  locale_graph& g = *shop.graph;
  const std::vector<in_edge>& edges = mine.edges;
  const machine::huge_array<std::uint32_t> neighbours(edges.size());
  const machine::huge_array<float> weights(g.weighted ? edges.size() : 0);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const std::uint64_t source = edges[k].source;
    neighbours[k] = is_own(g, source) ? static_cast<std::uint32_t>(source - g.first_vertex)
                                      : g.own + static_cast<std::uint32_t>(shop.remote_sources.rank(source));
    if (g.weighted) weights[k] = edges[k].weight;
  }
  const auto core = static_cast<std::size_t>(my_core_of_locale());
  const in_edge_rows slice{g.my_part().first, mine.offsets, neighbours.part(0, edges.size()),
                           weights.part(0, weights.size())};
  shop.vectors[core] = count_vectors(slice);
  loops::barrier(loops::group::locale);
  if (leads_locale()) {
    std::size_t total = 0;
    for (std::size_t count : shop.vectors) total += count;
    g.edge_vectors = machine::huge_array<edge_vector>(total);
    g.weight_vectors = machine::huge_array<weight_vector>(g.weighted ? total : 0);
    g.top_level_at = machine::huge_array<std::uint32_t>(count_index_entries(total));
    g.out_degree = machine::huge_array<std::uint32_t>(std::size_t{g.own} + g.mirrors);
  }
  loops::barrier(loops::group::locale);
  std::size_t first_vector = 0;
  for (std::size_t k = 0; k < core; ++k) first_vector += shop.vectors[k];
  encode(slice, first_vector, g.in_edges());
  for (std::uint32_t source : neighbours) {
    std::atomic_ref(g.out_degree[source]).fetch_add(1, std::memory_order_relaxed);
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

std::shared_ptr<workshop> open_workshop(const partition& owners, const input_edges& input,
                                        std::uint64_t vertices) {
  return loops::share_on_locale<workshop>([&] {
    auto shop = std::make_shared<workshop>();
    locale_graph& g = *shop->graph;
    g.vertices = vertices;
    g.weighted = input.weighted;
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
    if (locales() > 1) shop->remote_sources = ranked_bitmap(vertices);
    shop->vectors.resize(static_cast<std::size_t>(my_locales_cores()));
    return shop;
  });
}

status check_local_indices(std::uint64_t indices) {
  const std::uint64_t most = loops::all_reduce(indices, [](auto a, auto b) { return std::max(a, b); });
  if (most < most_local_indices) return {};
  return {
      exit_status::no_resource,
      fmt::format(
          "the graph needs {} vertices and mirrors on one locale, but 2^30 are the most: use more locales",
          most)};
}

}  // namespace

result<std::shared_ptr<locale_graph>> build(input_edges input, const build_options& options) {
  // A vertex that only has a self-loop exists without it, so the ids are collected first.
  const std::shared_ptr<const vertex_ids> ids =
      input.vertex_count ? vertex_ids::identity(*input.vertex_count) : vertex_ids::of_edges(input.mine.edges);
  prepare(input.mine, options);
  for (edge& e : input.mine.edges) e = {ids->number(e.source), ids->number(e.target)};
  const plan by = choose_partition(input.mine.edges, ids->count());
  if (status s = check_local_indices(range_of(by.owners, my_locale()).size()); !s.ok()) return s;
  const std::shared_ptr<workshop> shop = open_workshop(by.owners, input, ids->count());
  locale_graph& g = *shop->graph;

  const std::uint64_t my_vertices = by.owners.last_of(my_core()) - by.owners.first_of(my_core());
  const rows mine = make_rows(shuffle(std::move(input.mine), by), my_vertices,
                              options.remove_duplicates || options.symmetrize);
  find_mirrors(*shop, mine);
  if (status s = check_local_indices(std::uint64_t{g.own} + g.mirrored.size()); !s.ok()) return s;
  encode_rows(*shop, mine);
  tell_owners(*shop);
  const std::uint64_t edges = loops::all_reduce<std::uint64_t>(mine.edges.size());
  if (leads_locale()) {
    g.edges = edges;
    if (!ids->is_identity()) g.external_ids = ids->ids(g.first_vertex, g.first_vertex + g.own);
  }
  loops::barrier();
  return shop->graph;
}

void distributed_graph::destroy() const {
  loops::on_all_cores([parts = parts_] { parts.erase_here(); });
}

}  // namespace orujo::graph
