#include "framework/graph/build/find_mirrors.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/ranked_bitmap.hpp"
#include "framework/graph/build/ranked_list.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

// A bitmap of all vertices, 2 bits each, is the faster way. With more vertices per edge of the locale than
// this, as in jobs of some thousand locales, it would take more memory than the edges.
constexpr std::uint64_t most_vertices_per_edge = 16;

bool is_own(const locale_graph& g, std::uint64_t vertex) { return vertex - g.first_vertex < g.own; }

template <class Visit>
void for_each_remote(const locale_graph& g, const rows& of, Visit visit) {
  for (std::uint64_t k = 0; k < of.edges(); ++k) {
    const std::uint64_t vertex = of.neighbour(k);
    if (!is_own(g, vertex)) visit(vertex);
  }
}

// The state that the cores of a locale share.
struct remote_vertices {
  std::optional<ranked_bitmap> bitmap;
  by_core<std::vector<std::uint64_t>> of_core;  // without a bitmap
  std::optional<ranked_list> list;              // of the graph's mirrors
};

void sort_unique(std::vector<std::uint64_t>& all) {
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

std::vector<std::uint64_t> members_of(ranked_bitmap& bitmap) {
  std::vector<std::uint64_t> all;
  const std::uint64_t count = bitmap.count();
  all.reserve(count);
  bitmap.for_each(0, count, [&](std::uint64_t v) { all.push_back(v); });
  return all;
}

std::vector<std::uint64_t> merged(std::vector<std::vector<std::uint64_t>>& sorted) {
  std::vector<std::uint64_t> all;
  for (std::vector<std::uint64_t>& some : sorted) {
    const auto middle = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), some.begin(), some.end());
    some = {};
    std::inplace_merge(all.begin(), all.begin() + middle, all.end());
  }
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class Ranks>
void localise_rows(const locale_graph& g, const Ranks& remote, rows& mine) {
  localise(mine, [&](std::uint64_t vertex) {
    return is_own(g, vertex) ? static_cast<std::uint32_t>(vertex - g.first_vertex)
                             : g.own + static_cast<std::uint32_t>(remote.rank(vertex));
  });
}

}  // namespace

status find_mirrors(locale_graph& g, std::initializer_list<rows*> of_core) {
  if (locales() == 1) return {};  // numbers are local indices
  std::uint64_t edges = 0;
  for (const rows* mine : of_core) edges += mine->edges();
  edges = collectives::all_reduce(edges, std::plus<>(), collectives::group::locale);
  const auto remote = collectives::share_on_locale<remote_vertices>([&] {
    auto made = std::make_shared<remote_vertices>();
    if (g.vertices / most_vertices_per_edge <= edges) made->bitmap.emplace(g.vertices);
    made->of_core.resize(my_locales_cores());
    return made;
  });
  if (remote->bitmap) {
    for (const rows* mine : of_core)
      for_each_remote(g, *mine, [&](std::uint64_t v) { remote->bitmap->set(v); });
  } else {
    std::vector<std::uint64_t>& mine = remote->of_core[my_core_of_locale()];
    for (const rows* some : of_core) for_each_remote(g, *some, [&](std::uint64_t v) { mine.push_back(v); });
    sort_unique(mine);
  }
  collectives::barrier(collectives::group::locale);
  if (leads_locale()) {
    g.mirrored = remote->bitmap ? members_of(*remote->bitmap) : merged(remote->of_core);
    g.mirrors = static_cast<std::uint32_t>(g.mirrored.size());
    if (!remote->bitmap) remote->list.emplace(g.mirrored, g.vertices);
  }
  collectives::barrier(collectives::group::locale);
  if (status s = check_local_indices(std::uint64_t{g.own} + g.mirrored.size()); !s.ok()) return s;
  for (rows* mine : of_core) {
    if (remote->bitmap) {
      localise_rows(g, *remote->bitmap, *mine);
    } else {
      localise_rows(g, *remote->list, *mine);
    }
  }
  return {};
}

}  // namespace orujo::internal::graph
