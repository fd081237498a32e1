// The steps of a search on a GPU: the vertices found along the rows of a frontier, and the unseen vertices
// with a seen in-neighbour.
//
// After Beamer, Asanovic, Patterson, "Direction-Optimizing Breadth-First Search", SC 2012, and Merrill,
// Garland, Grimshaw, "Scalable GPU Graph Traversal", PPoPP 2012.
#pragma once

#include <cstdint>

#include "framework/device/rows.hpp"
#include "framework/device/warp.hpp"

namespace orujo::internal::device {

// Masks have a bit per index, bit i % 32 of word i / 32, as the words of `graph::bit_set` have in memory.
ORUJO_HOST_DEVICE inline bool is_member(const std::uint32_t* mask, std::uint32_t index) {
  return (mask[index / 32] >> index % 32 & 1) != 0;
}

// The place of a vertex in the tree.
struct place {
  std::uint32_t parent, level;
};

// The counts of one step.
struct search_counts {
  std::uint32_t found, pieces;
  std::uint64_t out_edges;  // of those that were found
};

// A visitor of a walk (rows.hpp) along the rows of a frontier. Each target below `vertices` that is not in
// `seen` is taken once. It gets a bit, a place, and an entry in the list.
struct find_targets {
  std::uint32_t vertices;
  std::uint32_t* seen;
  place* places;
  std::uint32_t* list;
  search_counts* counts;
  const std::uint64_t* offsets;  // of the rows of targets, whose edges are counted; or null
  std::uint32_t level;

  template <class Warp>
  struct tally {
    typename Warp::template each<std::uint64_t> edges;
  };

  template <class Warp>
  ORUJO_DEVICE void see(const Warp& warp, tally<Warp>& all,
                        const typename Warp::template each<std::uint32_t>& sources,
                        const typename Warp::template each<std::uint32_t>& targets,
                        const typename Warp::template each<std::uint64_t>&, std::uint32_t there) const {
    const std::uint32_t found = warp.ballot([&](std::uint32_t lane) {
      const std::uint32_t v = targets[lane], bit = std::uint32_t{1} << v % 32;
      if ((there >> lane & 1) == 0 || v >= vertices || (seen[v / 32] & bit) != 0) return false;
      return (Warp::fetch_or(seen + v / 32, bit) & bit) == 0;
    });
    if (found == 0) return;
    warp.lanes([&](std::uint32_t lane) {
      if ((found >> lane & 1) == 0) return;
      const std::uint32_t v = targets[lane];
      places[v] = {sources[lane], level};
      if (offsets) all.edges[lane] += offsets[v + 1] - offsets[v];
    });
    append(warp, found, targets, list, &counts->found);
  }
  template <class Warp>
  ORUJO_DEVICE void end(const Warp& warp, tally<Warp>& all) const {
    warp.fold(all.edges, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0 && all.edges[0] > 0) Warp::fetch_add(&counts->out_edges, all.edges[0]);
    });
  }
};

// Vertices search their rows for a neighbour in `sources`, and stop at the first. A lane reads the
// first edges of its vertex. The warp then reads the remaining edges of vertices without a parent together.
// What is kept of the parent u of v is up to keep(v, u).
template <class Keep>
struct parent_search {
  row_view rows;
  std::uint32_t vertices;  // rows
  const std::uint32_t* sources;
  Keep keep;

  // The vertices of word w that are in `looking`. Returns the bits of those that have found one.
  template <class Warp>
  ORUJO_DEVICE std::uint32_t look(const Warp& warp, std::uint32_t w, std::uint32_t looking) const {
    if (looking == 0) return 0;
    typename Warp::template each<std::uint64_t> next, last;
    std::uint32_t children = warp.ballot([&](std::uint32_t lane) {
      const std::uint32_t v = w * 32 + lane;
      next[lane] = last[lane] = 0;
      if (v >= vertices || (looking >> lane & 1) == 0) return false;
      next[lane] = rows.offsets[v];
      last[lane] = rows.offsets[v + 1];
      const std::uint64_t end = next[lane] + alone < last[lane] ? next[lane] + alone : last[lane];
      for (; next[lane] < end; ++next[lane]) {
        const std::uint32_t u = rows.neighbours[next[lane]];
        if (!is_member(sources, u)) continue;
        keep(v, u);
        return true;
      }
      return false;
    });
    std::uint32_t left = warp.ballot(
        [&](std::uint32_t lane) { return (children >> lane & 1) == 0 && next[lane] < last[lane]; });
    for (; left != 0; left &= left - 1) {
      const std::uint32_t lane = Warp::first_bit(left);
      if (look_on(warp, w * 32 + lane, warp.from(next, lane), warp.from(last, lane)))
        children |= std::uint32_t{1} << lane;
    }
    return children;
  }

 private:
  static constexpr std::uint32_t alone = 16;  // edges that a lane examines

  template <class Warp>
  ORUJO_DEVICE bool look_on(const Warp& warp, std::uint32_t v, std::uint64_t first,
                            std::uint64_t last) const {
    typename Warp::template each<std::uint32_t> source;
    for (; first < last; first += lanes_of_warp) {
      const std::uint32_t there = warp.ballot([&](std::uint32_t lane) {
        if (first + lane >= last) return false;
        source[lane] = rows.neighbours[first + lane];
        return is_member(sources, source[lane]);
      });
      if (there == 0) continue;
      const std::uint32_t parent = warp.from(source, Warp::first_bit(there));
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) keep(v, parent);
      });
      return true;
    }
    return false;
  }
};

struct keep_place {
  place* places;
  std::uint32_t level;
  ORUJO_DEVICE void operator()(std::uint32_t v, std::uint32_t parent) const { places[v] = {parent, level}; }
};

// Vertices that are not in `before` search for a neighbour that is. `after` becomes `before` with those that
// have found one.
struct find_parents {
  row_view rows;
  std::uint32_t vertices;       // rows
  std::uint32_t words;          // of the masks, which may have more indices than there are rows
  const std::uint32_t* before;  // by local index
  std::uint32_t* after;
  place* places;
  search_counts* counts;
  std::uint32_t level;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    const parent_search<keep_place> search{rows, vertices, before, {places, level}};
    std::uint32_t found = 0;
    for (std::uint32_t w = warp.number; w < words; w += warp.count) {
      const std::uint32_t seen = before[w], children = search.look(warp, w, ~seen);
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) after[w] = seen | children;
      });
      found += Warp::popcount(children);
    }
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0 && found > 0) Warp::fetch_add(&counts->found, found);
    });
  }
};

// Lists the members of `mask` that are not in `without`, in no order. without: may be null.
struct list_members {
  const std::uint32_t* mask;
  const std::uint32_t* without;
  std::uint32_t words;
  std::uint32_t* list;
  std::uint32_t* size;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<std::uint32_t> members, at;
    for (std::uint32_t first = warp.first(); first < words; first += warp.stride()) {
      warp.lanes([&](std::uint32_t lane) {
        const std::uint32_t w = first + lane;
        members[lane] = w < words ? mask[w] & ~(without ? without[w] : 0) : 0;
        at[lane] = Warp::popcount(members[lane]);
      });
      const std::uint32_t count = warp.scan(at);
      if (count == 0) continue;
      const std::uint32_t begin = warp.once([&] { return Warp::fetch_add(size, count); });
      warp.lanes([&](std::uint32_t lane) {
        std::uint32_t to = begin + at[lane];
        for (std::uint32_t rest = members[lane]; rest != 0; rest &= rest - 1)
          list[to++] = (first + lane) * 32 + Warp::first_bit(rest);
      });
    }
  }
};

// Adds listed indices to a mask.
struct add_members {
  const std::uint32_t* list;
  std::uint32_t size;
  std::uint32_t* mask;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t first = warp.first(); first < size; first += warp.stride())
      warp.lanes([&](std::uint32_t lane) {
        if (first + lane >= size) return;
        const std::uint32_t index = list[first + lane];
        Warp::fetch_or(mask + index / 32, std::uint32_t{1} << index % 32);
      });
  }
};

// Sums the degrees of the members.
struct add_degrees {
  const std::uint32_t* mask;
  const std::uint64_t* offsets;
  std::uint32_t vertices;
  std::uint64_t* sum;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<std::uint64_t> mine;
    warp.lanes([&](std::uint32_t lane) {
      mine[lane] = 0;
      for (std::uint32_t v = warp.first() + lane; v < vertices; v += warp.stride()) {
        if (is_member(mask, v)) mine[lane] += offsets[v + 1] - offsets[v];
      }
    });
    warp.fold(mine, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0 && mine[0] > 0) Warp::fetch_add(sum, mine[0]);
    });
  }
};

}  // namespace orujo::internal::device
