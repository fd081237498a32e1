#include "framework/graph/light_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "framework/graph/mirror_rows.hpp"
#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

// The mean number of light edges of a vertex that has any edge, and of all its edges at least. So most
// vertices are found along light edges first (docs/benchmarks/paths.md).
constexpr double light_edges = 6, least_degree = 20;
constexpr std::uint64_t most_sampled = 1024;  // edges of a core

struct kept_light_rows {
  light_rows rows;
  bool made = false, useful = false;
};

std::uint64_t count_sources(const locale_graph& g) {
  const core_part& mine = g.my_part();
  const adjacency& rows = *g.out_rows;
  std::uint64_t sources = 0;
  for (std::uint32_t v = mine.first; v < mine.last; ++v) sources += rows.degree(v) > 0 ? 1 : 0;
  return collectives::all_reduce(sources);
}

// Which edges are light, and the part of all edges that these are.
struct light_weights {
  float heaviest = 0;
  double part = 1;
};

// Chooses the weight so that this part of the edges is light, by a sample of the edges of each core. More are
// if many weigh the same.
light_weights choose_weights(double part, const locale_graph& g) {
  const core_part& mine = g.my_part();
  const adjacency& rows = *g.out_rows;
  const std::uint64_t first = rows.offsets[mine.first], edges = rows.offsets[mine.last] - first;
  const std::uint64_t count = std::min(edges, most_sampled);
  std::vector<float> weights;
  for (std::uint64_t k = 0; k < count; ++k)
    weights.push_back(rows.any_form().weight(first + edges * k / count));
  std::ranges::sort(weights);
  // The mean over cores, by the edges of each.
  const auto mean = [&](double of_sample) {
    const double mine_of_all = static_cast<double>(edges) / static_cast<double>(g.edges);
    return collectives::all_reduce(count > 0 ? of_sample * mine_of_all : 0);
  };
  const std::size_t at = count > 0 ? static_cast<std::size_t>(part * static_cast<double>(count)) : 0;
  light_weights chosen;
  chosen.heaviest = static_cast<float>(mean(count > 0 ? static_cast<double>(weights[at]) : 0));
  const auto light = std::ranges::upper_bound(weights, chosen.heaviest) - weights.begin();
  chosen.part = mean(static_cast<double>(light) / static_cast<double>(count));
  return chosen;
}

// The edges in slots [first, last) of a row.
struct row_slots {
  std::uint64_t first, last;
};

// Makes `mine` of the rows that the cores of the locale make together. slots(v) are those of the whole row.
template <class Slots>
void make_rows(machine::huge_array<light_row>& rows, machine::huge_array<arc>& into, index_range mine,
               std::uint32_t own, float heaviest, Slots slots, const edge_reader& edges) {
  const auto is_light = [&](std::uint64_t k) {
    return edges.weight(k) <= heaviest && edges.neighbour(k) < own;
  };
  std::uint64_t light = 0;
  for (std::size_t v = mine.first; v < mine.last; ++v) {
    light_row& row = rows[v];
    row.lightest_outer = std::numeric_limits<float>::infinity();
    const row_slots at = slots(v);
    for (std::uint64_t k = at.first; k < at.last; ++k) {
      row.count += is_light(k) ? 1 : 0;
      if (edges.neighbour(k) >= own) row.lightest_outer = std::min(row.lightest_outer, edges.weight(k));
    }
    light += row.count;
  }
  const std::vector<std::uint64_t> counts = collectives::all_gather(light, collectives::group::locale);
  const auto before = counts.begin() + my_core_of_locale();
  std::uint64_t next = std::accumulate(counts.begin(), before, std::uint64_t{0});
  if (leads_locale())
    into = machine::huge_array<arc>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  collectives::barrier(collectives::group::locale);
  for (std::size_t v = mine.first; v < mine.last; ++v) {
    rows[v].first = next;
    const row_slots at = slots(v);
    for (std::uint64_t k = at.first; k < at.last; ++k) {
      if (is_light(k)) into[next++] = edges[k];
    }
  }
}

void make(light_rows& made, const locale_graph& g) {
  const adjacency& out = *g.out_rows;
  const core_part& mine = g.my_part();
  const auto own_slots = [&](std::size_t v) { return row_slots{out.offsets[v], out.offsets[v + 1]}; };
  make_rows(made.of_own, made.own_edges, {mine.first, mine.last}, g.own, made.heaviest, own_slots,
            out.any_form());
  for (std::uint32_t v = mine.first; v < mine.last; ++v)
    made.of_own[v].degree = static_cast<std::uint32_t>(out.degree(v));
  if (locales() == 1) return;
  const auto whole = turn_mirror_rows<arc>(g);
  const index_range mirrors = my_part_of_locale({0, g.mirrors});
  const auto mirrors_slots = [&](std::size_t m) {
    return row_slots{whole->offsets()[m], whole->offsets()[m + 1]};
  };
  make_rows(made.of_mirrors, made.mirrors_edges, mirrors, g.own, made.heaviest, mirrors_slots,
            edge_reader{nullptr, nullptr, whole->targets()});
}

}  // namespace

std::shared_ptr<const light_rows> find_light_rows(const locale_graph& g) {
  const auto kept = collectives::share_on_locale<kept_light_rows>(
      [&] { return g.kept->get<kept_light_rows>([] { return std::make_shared<kept_light_rows>(); }); });
  if (!kept->made) {
    const std::uint64_t sources = count_sources(g);
    const double degree = sources > 0 ? static_cast<double>(g.edges) / static_cast<double>(sources) : 0;
    const light_weights light =
        degree >= least_degree ? choose_weights(light_edges / degree, g) : light_weights{};
    if (leads_locale()) {
      kept->useful = degree >= least_degree && light.part * degree < (light_edges + degree) / 2;
      kept->rows.heaviest = light.heaviest;
      kept->rows.sources = sources;
      kept->rows.of_own = machine::huge_array<light_row>(kept->useful ? g.own : 0);
      kept->rows.of_mirrors = machine::huge_array<light_row>(kept->useful ? g.mirrors : 0);
    }
    collectives::barrier(collectives::group::locale);
    if (kept->useful) make(kept->rows, g);
    collectives::barrier(collectives::group::locale);
    if (leads_locale()) kept->made = true;
    collectives::barrier(collectives::group::locale);
  }
  return kept->useful ? std::shared_ptr<const light_rows>(kept, &kept->rows) : nullptr;
}

}  // namespace orujo::internal::graph
