// Sorts a global_array in place.
#pragma once

#include <algorithm>
#include <array>
#include <boost/sort/pdqsort/pdqsort.hpp>
#include <cstddef>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/call_on_all.hpp"

namespace orujo::internal::containers {

namespace detail {

// The first `rank` elements of an array whose blocks are sorted are the first so many of each core's. Equal
// ones are told apart by where they are, so that there is one answer, and every core's share is as large as
// it should be whatever the values are.
template <class T, class Less>
class rank_search {
 public:
  rank_search(const global_array<T>& array, const Less& less) : array_(array), less_(less) {
    for (core_id c = 0; c < cores(); ++c) open_.push_back({0, array.range_of(c).size()});
  }

  // [task; suspends] The number of elements of each core among the first `rank`. Random elements are asked
  // for their ranks in the whole, dozens in a round of 4 messages per core. That takes 3 rounds for 1,000
  // elements and 6 for 10^9. (A single element per round would be Hoare, "Algorithm 65: Find", CACM 1961.)
  std::vector<std::size_t> counts(std::size_t rank) {
    random_stream random(rank);
    for (;;) {
      std::size_t surely = 0, open = 0;
      for (const index_range& of : open_) surely += of.first, open += of.size();
      if (open == 0 || surely == rank) return ends(&index_range::first);
      if (surely + open == rank) return ends(&index_range::last);
      pivots_of_round drawn;
      for (std::size_t k = 0; k < per_round; ++k) drawn[k] = element_at(random.below(open));
      fetch_values(drawn);
      narrow(drawn, rank);
    }
  }

 private:
  struct pivot {
    core_id core;
    std::size_t index;  // in the core's block
    T value;
  };
  static constexpr std::size_t per_round = std::clamp<std::size_t>(2048 / sizeof(pivot), 1, 64);
  using pivots_of_round = std::array<pivot, per_round>;

  // Element number k of those that are open.
  pivot element_at(std::size_t k) const {
    core_id c = 0;
    for (; k >= range(c).size(); ++c) k -= range(c).size();
    return {c, range(c).first + k, {}};
  }

  void fetch_values(pivots_of_round& drawn) const {
    loops::forall_here({0, per_round}, [&](std::size_t k) {
      drawn[k].value = delegates::read(array_[array_.range_of(drawn[k].core).first + drawn[k].index]);
    });
  }

  // Counts the calling core's elements before each pivot.
  static std::array<std::size_t, per_round> before_here(std::span<const T> mine,
                                                        const pivots_of_round& pivots, const Less& less) {
    std::array<std::size_t, per_round> before;
    for (std::size_t k = 0; k < per_round; ++k) {
      const pivot& p = pivots[k];
      const auto end = my_core() < p.core ? std::upper_bound(mine.begin(), mine.end(), p.value, less)
                                          : std::lower_bound(mine.begin(), mine.end(), p.value, less);
      before[k] = my_core() == p.core ? p.index : static_cast<std::size_t>(end - mine.begin());
    }
    return before;
  }

  void narrow(const pivots_of_round& pivots, std::size_t rank) {
    by_core<std::array<std::size_t, per_round>> before(cores());
    delegates::call_on_all(
        [array = array_, less = less_, pivots] { return before_here(array.local(), pivots, less); },
        [&](core_id c, const auto& counts) { before[c] = counts; },
        "where elements are in the order of a global_array");
    for (std::size_t k = 0; k < per_round; ++k) {
      std::size_t place = 0;
      for (const auto& counts : before) place += counts[k];
      for (core_id c = 0; c < cores(); ++c) {
        const std::size_t count = before[c][k];
        if (place < rank) {
          range(c).first = std::max(range(c).first, count + (c == pivots[k].core ? 1 : 0));
        } else {
          range(c).last = std::min(range(c).last, count);
        }
      }
    }
  }

  std::vector<std::size_t> ends(std::size_t index_range::*which) const {
    std::vector<std::size_t> all;
    for (const index_range& of : open_) all.push_back(of.*which);
    return all;
  }
  index_range& range(core_id c) { return open_[c]; }
  const index_range& range(core_id c) const { return open_[c]; }

  const global_array<T> array_;
  const Less less_;
  // Ranges of each core's block that are undecided. Elements before a range are among the first `rank`, later
  // ones are not.
  by_core<index_range> open_;
};

// [task; suspends] Merges the sorted runs of `runs`, which end at `ends`, in rounds of pairs. The result is
// in `into`, and `runs` is left in disorder.
template <class T, class Less>
void merge_runs(std::span<T> runs, std::span<T> into, std::vector<std::size_t> ends, const Less& less) {
  std::span<T> from = runs, to = into;
  for (; ends.size() > 1; std::swap(from, to)) {
    std::vector<std::size_t> merged;
    std::size_t first = 0;
    for (std::size_t k = 0; k < ends.size(); k += 2) {
      const std::size_t middle = ends[k], last = ends[std::min(k + 1, ends.size() - 1)];
      std::merge(from.data() + first, from.data() + middle, from.data() + middle, from.data() + last,
                 to.data() + first, less);
      merged.push_back(first = last);
      tasks::yield();
    }
    ends = std::move(merged);
  }
  if (from.data() != into.data()) std::copy(from.begin(), from.end(), into.begin());
}

// The steps of sort(), each a task on every core, begun when the one before is done on all. Can travel.
template <class T, class Less>
struct sorting {
  global_array<T> array;
  global_array<T> runs;  // of the same shape: what each core is to have, as it comes
  global_array<std::size_t>
      bounds;  // row c, by core: how much of a core's sorted block goes to cores before c
  Less less;

  void sort_block() const { boost::sort::pdqsort(array.local().begin(), array.local().end(), less); }

  void find_bounds() const {
    const auto me = static_cast<std::size_t>(my_core()), parts = static_cast<std::size_t>(cores());
    rank_search<T, Less> search(array, less);
    bounds.put(me * parts, search.counts(array.range_here().first));
    if (me + 1 == parts) bounds.put(parts * parts, sizes());
  }

  void fetch() const {
    const std::vector<std::size_t> from = bounds_here(), ends = run_ends(from);
    check(ends.back() == runs.local().size(),
          "the cores' shares of a sorted array are as large as their blocks");
    const auto parts = static_cast<std::size_t>(cores());
    loops::forall_here({0, parts}, [&](std::size_t k) {
      const std::size_t c =
          (k + static_cast<std::size_t>(my_core())) % parts;  // not all from the same one at a time
      const std::size_t n = from[parts + c] - from[c];
      array.get(array.range_of(static_cast<core_id>(c)).first + from[c],
                runs.local().subspan(ends[c] - n, n));
    });
  }

  void merge() const {
    std::vector<std::size_t> ends = run_ends(bounds_here());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    merge_runs(runs.local(), array.local(), std::move(ends), less);
  }

 private:
  std::vector<std::size_t> sizes() const {
    std::vector<std::size_t> all;
    for (core_id c = 0; c < cores(); ++c) all.push_back(array.range_of(c).size());
    return all;
  }
  // This core's row and the next one.
  std::vector<std::size_t> bounds_here() const {
    const auto parts = static_cast<std::size_t>(cores());
    std::vector<std::size_t> rows(2 * parts);
    bounds.get(static_cast<std::size_t>(my_core()) * parts, rows);
    return rows;
  }
  // Where the runs of all cores end in `runs`.
  static std::vector<std::size_t> run_ends(const std::vector<std::size_t>& rows) {
    std::vector<std::size_t> ends(rows.size() / 2);
    for (std::size_t c = 0, end = 0; c < ends.size(); ++c) ends[c] = end += rows[ends.size() + c] - rows[c];
    return ends;
  }
};

}  // namespace detail

// [task; suspends] Sorts the elements in ascending order by `less`, a strict weak order that can travel. Core
// 0 then has the smallest. The sort is not stable. No other task may use the array meanwhile.
//
// Every core sorts its block, finds which parts of all sorted blocks become its own, fetches these and merges
// them. Each element travels at most once, and elements of a sorted array stay. The sort takes the array's
// memory once more. A core handles no messages while it sorts its block or merges two runs.
template <class T, class Less = std::less<>>
void sort(global_array<T> array, const Less& less = {}) {
  static_assert(std::is_trivially_copyable_v<T>,
                "sort() moves elements between cores: they must be trivially copyable");
  const auto parts = static_cast<std::size_t>(cores());
  if (parts == 1) return boost::sort::pdqsort(array.local().begin(), array.local().end(), less);
  const detail::sorting<T, Less> s{array, global_array<T>::create(array.size()),
                                   global_array<std::size_t>::create(parts * (parts + 1)), less};
  loops::on_all_cores([s] { s.sort_block(); });
  loops::on_all_cores([s] { s.find_bounds(); });
  loops::on_all_cores([s] { s.fetch(); });
  loops::on_all_cores([s] { s.merge(); });
  s.bounds.destroy();
  s.runs.destroy();
}

}  // namespace orujo::internal::containers
