// Turns rows into the graph of the engine: mirrors, local indices, encoding, degrees.
#include "framework/graph/build/assemble.hpp"

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <glog/logging.h>

#include "framework/graph/build/encode_in_edges.hpp"
#include "framework/graph/build/find_mirrors.hpp"
#include "framework/graph/build/place_on_grid.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"
#include "system/machine/topology.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t most_local_indices = std::uint64_t{1} << 30;

// The vertices of a locale.
index_range range_of(const partition& owners, locale_id l) {
  const core_id first = shape().first_core_of(l);
  return {owners.first_of(first), owners.last_of(first + shape().cores_of(l) - 1)};
}

std::vector<std::uint32_t> lengths_of(const rows& mine) {
  std::vector<std::uint32_t> lengths(mine.vertices());
  for (std::size_t row = 0; row < lengths.size(); ++row)
    lengths[row] = static_cast<std::uint32_t>(mine.offsets[row + 1] - mine.offsets[row]);
  return lengths;
}

// Makes room for the guests of all cores of the locale, and writes those of the calling core.
void note_guests(locale_graph& g, const std::vector<std::uint64_t>& mine) {
  core_part& part = g.my_part();
  const std::vector<std::size_t> counts = collectives::all_gather(mine.size(), collectives::group::locale);
  const auto core = counts.begin() + my_core_of_locale();
  part.first_guest =
      g.own + static_cast<std::uint32_t>(std::accumulate(counts.begin(), core, std::size_t{0}));
  part.last_guest = part.first_guest + static_cast<std::uint32_t>(mine.size());
  if (leads_locale()) g.guests.resize(std::accumulate(counts.begin(), counts.end(), std::size_t{0}));
  collectives::barrier(collectives::group::locale);
  std::ranges::copy(mine, g.guests.begin() + (part.first_guest - g.own));
}

// Counts the out-edges of the rows' neighbours that lead to this locale. With both_ways the owner has them
// all: they are as many as the in-edges.
void count_out_edges(locale_graph& g, const std::vector<std::uint32_t>& in_degrees,
                     std::initializer_list<const rows*> in) {
  if (leads_locale()) g.out_degree = machine::huge_array<std::uint32_t>(std::size_t{g.own} + g.mirrors);
  collectives::barrier(collectives::group::locale);
  machine::place_here(g.my_part().of(std::span(g.out_degree.data(), g.out_degree.size())));
  if (g.both_ways) {
    std::ranges::copy(in_degrees, g.out_degree.begin() + g.my_part().first);
  } else {
    collectives::barrier(collectives::group::locale);
    for (const rows* mine : in) {
      for (std::uint64_t k = 0; k < mine->edges(); ++k)
        std::atomic_ref(g.out_degree[mine->neighbours[k]]).fetch_add(1, std::memory_order_relaxed);
    }
  }
  collectives::barrier(collectives::group::locale);
}

// Stores in-degrees, unless the out-degrees or kept rows give them.
void note_in_degrees(locale_graph& g, const std::vector<std::uint32_t>& mine) {
  if (leads_locale()) g.in_degrees = machine::huge_array<std::uint32_t>(g.own);
  collectives::barrier(collectives::group::locale);
  const std::span<std::uint32_t> degrees = g.my_part().of(g.in_degrees.part(0, g.own));
  machine::place_here(degrees);
  std::ranges::copy(mine, degrees.begin());
}

// The notice that the owner of a mirrored vertex gets from each locale that mirrors it.
struct mirror_notice {
  std::uint32_t vertex;     // local index at the owner's locale
  std::uint32_t out_edges;  // to the sending locale
};

struct note_mirrors {
  using value = mirror_notice;
  locale_graph* graph;
  core_part* part;
  locale_id from;
  std::uint32_t first_mirror;
  void operator()(std::span<const mirror_notice> notices) const {
    mirror_list& list = part->mirrored_by[from];
    if (list.vertices.empty()) list.first_mirror = first_mirror;
    for (const mirror_notice& n : notices) {
      list.vertices.push_back(n.vertex);
      graph->out_degree[n.vertex] += n.out_edges;  // its owner is the only one to touch it now
    }
  }
};

// Sends the owners of this locale's mirrors which they are, and how many out-edges they have here.
void tell_owners(locale_graph& g) {
  if (locales() == 1) return;
  const by_core<locale_graph*> graphs = collectives::all_gather(&g);
  const by_core<core_part*> parts = collectives::all_gather(&g.my_part());
  delegates::completion_event told;
  if (leads_locale()) {
    std::vector<note_mirrors> receivers;
    for (core_id c = 0; c < cores(); ++c) {
      receivers.push_back({graphs[c], parts[c], my_locale(), g.mirrors_before(g.owners.first_of(c))});
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
  collectives::barrier();
}

}  // namespace

status check_local_indices(std::uint64_t indices) {
  const std::uint64_t most = collectives::all_reduce(indices, [](auto a, auto b) { return std::max(a, b); });
  if (most < most_local_indices) return {};
  return {exit_status::no_resource,
          fmt::format(
              "the graph needs {} vertices and mirrors on a locale, but 2^30 are too many: use more locales",
              most)};
}

result<std::shared_ptr<locale_graph>> open_graph(const graph_outline& outline) {
  const index_range own = range_of(outline.owners, my_locale());
  if (status s = check_local_indices(own.size()); !s.ok()) return s;
  return collectives::share_on_locale<locale_graph>([&] {
    auto made = std::make_shared<locale_graph>();
    locale_graph& g = *made;
    g.vertices = outline.owners.vertices();
    g.weighted = outline.weighted;
    g.first_id = outline.first_id;
    g.symmetric = outline.symmetric;
    g.both_ways = outline.symmetric || outline.both_ways;
    g.numbers = outline.order.numbers;
    g.order = outline.order.report;
    g.owners = outline.owners;
    g.other_owners = outline.other_owners;
    g.first_vertex = own.first;
    g.own = static_cast<std::uint32_t>(own.size());
    for (int k = 0; k < my_locales_cores(); ++k) {
      const core_id c = my_core() + k;
      core_part& part = g.parts.emplace_back();
      part.first = static_cast<std::uint32_t>(g.owners.first_of(c) - own.first);
      part.last = static_cast<std::uint32_t>(g.owners.last_of(c) - own.first);
      part.mirrored_by.resize(locales());
    }
    return made;
  });
}

status assemble(locale_graph& g, rows in, rows out, const build_options& options) {
  const edge_forms& keep = options.keep;
  const std::vector<std::uint32_t> in_degrees = lengths_of(in);
  const std::uint64_t edges = collectives::all_reduce(in.edges());
  guest_rows guests;
  if (choose_placement(g, in, options) == edge_placement::grid) {
    CHECK(keep.in_vectors && !keep.in_rows && !keep.out_rows) << "a graph on a grid keeps vectors only";
    if (leads_locale()) g.placement = edge_placement::grid;
    guests = place_on_grid(g, in);
    note_guests(g, guests.numbers);
  }
  if (status s = find_mirrors(g, {&in, &out, &guests.of}); !s.ok()) return s;
  const auto to_encode = [&](std::uint32_t first, const rows& of) {
    return target_rows{first, of.offsets.part(0, of.offsets.size()), of.neighbours.part(0, of.edges()),
                       of.weights.part(0, g.weighted ? of.edges() : 0)};
  };
  if (keep.in_vectors) {
    encode_in_edges(g, to_encode(g.my_part().first, in), to_encode(g.my_part().first_guest, guests.of),
                    options);
  }
  count_out_edges(g, in_degrees, {&in, &guests.of});
  if (!g.both_ways && !keep.in_rows) note_in_degrees(g, in_degrees);
  tell_owners(g);
  const auto kept = [&](rows& mine) {
    return keep_rows(std::exchange(mine, {}), g.my_part().first, g.own, kept_weights(g, keep));
  };
  std::shared_ptr<adjacency> in_rows, out_rows;
  if (keeps_in_rows(g, keep)) in_rows = kept(in);
  if (keep.out_rows && !g.both_ways) out_rows = kept(out);
  for ([[maybe_unused]] const adjacency* rows : {in_rows.get(), out_rows.get()})
    DCHECK(!rows || rows_ascend(g, *rows, g.my_part())) << "rows ascend by vertex number";
  if (leads_locale()) {
    g.edges = edges;
    g.out_rows = g.both_ways ? in_rows : std::move(out_rows);
    g.in_rows = std::move(in_rows);
  }
  collectives::barrier(collectives::group::locale);
  return {};
}

}  // namespace orujo::internal::graph
