// The kernels of a search on a grid of locales (framework/grid), of which sources and targets have indices of
// their own, and what is done with its masks on the way.
#pragma once

#include <cstdint>

#include "framework/device/rows.hpp"
#include "framework/device/search.hpp"
#include "framework/device/warp.hpp"

namespace orujo::internal::device {

// A visitor of a walk (rows.hpp): of the targets that are not in `seen`, each is taken once.
struct find_targets_of_sources {
  std::uint32_t* seen;
  std::uint32_t* parents;

  template <class Warp>
  struct tally {};
  template <class Warp>
  ORUJO_DEVICE void see(const Warp& warp, tally<Warp>&,
                        const typename Warp::template each<std::uint32_t>& sources,
                        const typename Warp::template each<std::uint32_t>& targets,
                        const typename Warp::template each<std::uint64_t>&, std::uint32_t there) const {
    warp.lanes([&](std::uint32_t lane) {
      const std::uint32_t v = targets[lane], bit = std::uint32_t{1} << v % 32;
      if ((there >> lane & 1) == 0 || (seen[v / 32] & bit) != 0) return;
      if ((Warp::fetch_or(seen + v / 32, bit) & bit) == 0) parents[v] = sources[lane];
    });
  }
  template <class Warp>
  ORUJO_DEVICE void end(const Warp&, tally<Warp>&) const {}
};

struct keep_parent {
  std::uint32_t* parents;
  ORUJO_DEVICE void operator()(std::uint32_t v, std::uint32_t parent) const { parents[v] = parent; }
};

// Targets search for a source. `words` words of their masks: those from gap_at on lie `gap` words further on.
struct find_sources_of_targets {
  parent_search<keep_parent> search;
  std::uint32_t words, gap_at, gap;
  const std::uint32_t* pullable;  // with edges
  std::uint32_t* seen;
  std::uint32_t* found;  // becomes those that have found one

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t k = warp.number; k < words; k += warp.count) {
      const std::uint32_t w = k < gap_at ? k : k + gap, before = seen[w];
      const std::uint32_t children = search.look(warp, w, pullable[w] & ~before);
      warp.lanes([&](std::uint32_t lane) {
        if (lane != 0) return;
        found[w] = children;
        if (children != 0) seen[w] = before | children;
      });
    }
  }
};

// Calls of(w) for all words of a mask, a lane each.
template <class Of>
struct for_words {
  std::uint32_t words;
  Of of;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t first = warp.first(); first < words; first += warp.stride())
      warp.lanes([&](std::uint32_t lane) {
        if (first + lane < words) of(first + lane);
      });
  }
};

struct copy_word {
  const std::uint32_t* from;
  std::uint32_t* to;
  ORUJO_DEVICE void operator()(std::uint32_t w) const { to[w] = from[w]; }
};
struct merge_word {
  const std::uint32_t* from;
  std::uint32_t* to;
  ORUJO_DEVICE void operator()(std::uint32_t w) const { to[w] |= from[w]; }
};
// Replaces the old mask by the bits that are new since.
struct keep_news_of_word {
  const std::uint32_t* all;
  std::uint32_t* before;
  ORUJO_DEVICE void operator()(std::uint32_t w) const { before[w] = all[w] & ~before[w]; }
};
// The vertices that can be found at all: unseen ones with edges, and those that have been found. Receivers
// know this mask, too.
struct mark_possible_of_word {
  const std::uint32_t* pullable;
  const std::uint32_t* seen;
  const std::uint32_t* found;
  std::uint32_t* possible;
  ORUJO_DEVICE void operator()(std::uint32_t w) const { possible[w] = (pullable[w] & ~seen[w]) | found[w]; }
};
// Sets a bit for each of the rows that has any edges.
struct mark_rows_of_word {
  row_view rows;
  std::uint32_t size;
  std::uint32_t* mask;
  ORUJO_DEVICE void operator()(std::uint32_t w) const {
    std::uint32_t bits = 0;
    for (std::uint32_t v = w * 32; v < w * 32 + 32 && v < size; ++v)
      bits |= std::uint32_t{rows.degree(v) > 0} << v % 32;
    mask[w] = bits;
  }
};

}  // namespace orujo::internal::device
