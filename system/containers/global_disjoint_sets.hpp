// Disjoint sets of numbers, which all cores unite: a distributed union-find forest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/chase.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::containers {

// Disjoint sets of the numbers 0 to size() - 1, at first one for each number. The object is a handle, which
// can travel. Number i and its parent in the forest lie at the core that has element i of a global_array of
// this size. The result does not depend on the order of operations, nor on the process layout: a set is
// represented by its member with the smallest mix64().
//
// The algorithm is that of Rem (Dijkstra, "A Discipline of Programming", 1976; Patwary, Blair, Manne,
// "Experiments on Union-Find Algorithms for the Disjoint-Set Data Structure", SEA 2010). It links members by
// a random order (Goel, Khanna, Larkin, Tarjan, "Disjoint Set Union with Randomized Linking", SODA 2014), so
// paths have logarithmic length whatever is united.
class global_disjoint_sets {
  using word = std::uint64_t;

 public:
  // [task; suspends] Makes `size` sets of one number. The job ends with no_resource where memory does not
  // suffice.
  static global_disjoint_sets create(std::size_t size) {
    const auto parents = global_array<word>::create_by(size, [](std::size_t i) { return word{i}; });
    return global_disjoint_sets(symmetric<global_array<word>>::create(parents));
  }
  // [task; suspends] Frees the sets. No operation on them may be under way.
  void destroy() const {
    const global_array<word> parents = parents_.here();
    parents_.destroy();
    parents.destroy();
  }

  // The sets have this many numbers together.
  std::size_t size() const { return parents_.here().size(); }

  // [task or handler] Unites the sets of a and b. Complete when the event is. Costs a message to the core of
  // one of them, and one for each change of cores on the paths from both towards their representatives.
  void async_unite(delegates::event_ref event, word a, word b,
                   const call_site& at = call_site::current()) const {
    base::require_index(a, size(), "a global_disjoint_sets", at);
    base::require_index(b, size(), "a global_disjoint_sets", at);
    if (mix64(a) < mix64(b)) std::swap(a, b);
    delegates::async_call(event, parents_.here().owner(a), uniting{parents_, event, a, b});
  }

  // The following require that no async_unite is under way; otherwise they answer for some moment of it.

  // [task; suspends unless the path is this core's] The representative of the set of a. Costs a message for
  // each change of cores on the path to it, and one for the answer.
  word find(word a, const call_site& at = call_site::current()) const {
    base::require_index(a, size(), "a global_disjoint_sets", at);
    const auto up = [parents = parents_](word& parent) { return parents.here()[parent]; };
    return delegates::chase(memory::global_address<word>(parents_.here()[a]), up, at);
  }
  // [task; suspends] The number of sets. Costs 2 messages per core.
  std::size_t sets() const {
    return delegates::sum_of_all([parents = parents_] {
      const index_range mine = parents.here().range_here();
      std::size_t roots = 0;
      for (std::size_t i = mine.first; i < mine.last; ++i)
        roots += parents.here().local()[i - mine.first] == i ? 1 : 0;
      return roots;
    });
  }
  // [task; suspends] The representative of every number, by number. The array belongs to the sets, and the
  // next async_unite() changes it. Costs a gather for every doubling of the longest path.
  global_array<word> representatives() const {
    loops::on_all_cores([parents = parents_] { point_to_roots(parents.here()); });
    return parents_.here();
  }

 private:
  struct member {
    explicit member(word n) : number(n), place(mix64(n)) {}
    word number, place;  // its place in the order
  };
  // Goes up from both numbers until they meet, and hangs what it passes below the other one where that comes
  // earlier in the order.
  struct uniting {
    symmetric<global_array<word>> parents;
    delegates::event_ref event;
    word low, high;  // `low` is later in the order, and the running core's

    void prefetch() const { __builtin_prefetch(parents.here()[low].local(), 1); }
    void operator()() const {
      const global_array<word>& forest = parents.here();
      const std::size_t first = forest.range_here().first;
      const std::span<word> mine = forest.local();
      for (member down(low), other(high); down.number != other.number;) {
        if (down.place < other.place) std::swap(down, other);
        if (down.number - first >= mine.size()) {
          const uniting further{parents, event, down.number, other.number};
          return delegates::async_call(event, forest.owner(down.number), further);
        }
        word& parent = mine[down.number - first];
        const member up(parent);
        if (up.number == other.number) return;
        if (up.place > other.place) parent = other.number;
        if (up.number == down.number) return;
        down = up;
      }
    }
  };

  // [task; suspends; collective over the job] Paths halve in each round. Parents change between two meetings,
  // when nobody reads them.
  static void point_to_roots(const global_array<word>& parents) {
    const std::span<word> mine = parents.local();
    std::vector<std::size_t> open(mine.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    std::vector<word> above, further;
    do {
      above.clear();
      for (const std::size_t i : open) above.push_back(mine[i]);
      further.resize(above.size());
      parents.gather(above, std::span(further));
      collectives::barrier();
      std::size_t kept = 0;
      for (std::size_t k = 0; k < open.size(); ++k) {
        if (further[k] == above[k]) continue;
        mine[open[k]] = further[k];
        open[kept++] = open[k];
      }
      open.resize(kept);
    } while (collectives::all_reduce(open.size()) > 0);
  }

  explicit global_disjoint_sets(symmetric<global_array<word>> parents) : parents_(parents) {}

  symmetric<global_array<word>> parents_;
};

}  // namespace orujo::internal::containers
