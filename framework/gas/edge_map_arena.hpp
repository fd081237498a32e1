// State that the cores of a locale share while vertices contribute to each other: totals, and which vertices
// have received something.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/exchange/mirror_values.hpp"
#include "framework/gas/visitor.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/row_push.hpp"
#include "framework/vectors/edge_loops.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::gas::detail {

struct no_value {};

// State that the cores of a locale keep for edge maps with one type of values and one operator.
template <class Value, class Combine>
class edge_map_arena {
  static constexpr bool any_will_do = std::is_same_v<Combine, any>;
  using partial = partial_of<Combine, Value>;

 public:
  static constexpr bool tells_who = std::is_same_v<Value, source>;  // members send their index only
  using told_value = std::conditional_t<tells_who, exchange::no_value, Value>;
  using kept_value = std::conditional_t<tells_who, std::uint32_t, Value>;  // of a source its local index

  struct contribution {
    std::uint32_t vertex;  // local index
    kept_value total;
  };
  // A vertex that has received a contribution. It is here where any will do, and otherwise in totals.
  struct listener {
    std::uint32_t vertex;
    [[no_unique_address]] std::conditional_t<any_will_do, kept_value, no_value> heard;
  };
  struct alignas(64) core {
    std::vector<listener> touched;       // vertices that this core was the first to touch
    std::vector<std::uint32_t> refused;  // touched vertices for which visit() has returned false
    // An asynchronous visitor has these places in this core's list of the result. From the first on, members
    // have not gone along edges here. From the second on, other locales have not heard of them.
    std::size_t first_waiting = 0, first_untold = 0;
    // Constructed at first use.
    std::optional<steps::row_push<told_value>> push;
    std::optional<steps::edges_to_own> edges;
  };

  explicit edge_map_arena(const graph::locale_graph& g)
      : touched(g.own), cores(my_locales_cores()), shares(my_locales_cores()) {
    if constexpr (!any_will_do) {
      totals = machine::huge_array<partial>(g.own);
      const partial silence = Combine::template identity<partial>();
      constexpr std::byte zeros[sizeof(partial)]{};  // the initial bytes of the array
      if (std::memcmp(&silence, zeros, sizeof(partial)) != 0)
        std::fill_n(totals.data(), totals.size(), silence);
      if constexpr (!lock_free) locked = graph::bit_set(totals.size());
    }
  }
  static std::shared_ptr<edge_map_arena> of(const graph::locale_graph& g) {
    return g.kept->get<edge_map_arena>([&] { return std::make_shared<edge_map_arena>(g); });
  }

  core& mine() { return cores[my_core_of_locale()]; }

  // Other cores may add to the same total, unless the calling core is alone.
  void add(bool alone, std::uint32_t vertex, const kept_value& more, core& me) {
    if constexpr (any_will_do) {
      if (!same(more, kept(Combine::template identity<Value>())) && touch(alone, vertex))
        me.touched.push_back({vertex, more});
    } else {
      if (combine(alone, totals[vertex], vertex, more) && touch(alone, vertex))
        me.touched.push_back({vertex, {}});
    }
  }

  void fetch_touched(std::uint32_t vertex) const {
    __builtin_prefetch(&touched.words()[graph::bit_set::word_of(vertex)], 1);
  }

  // Called by one core.
  void make_shown(const graph::locale_graph& g) {
    if (!tells_who && shown.size() == 0) shown = machine::huge_array<Value>(std::size_t{g.own} + g.mirrors);
  }
  // Returns the value of a member of this graph, or of its mirror.
  Value shown_by(const graph::locale_graph& g, std::uint32_t local) const {
    if constexpr (tells_who)
      return {local, &g};
    else
      return shown[local];
  }
  void fetch_shown(const graph::locale_graph& g, std::uint32_t local) const {
    if constexpr (!tells_who)
      __builtin_prefetch(&shown[local]);
    else if (local >= g.own)
      __builtin_prefetch(&g.mirrored[local - g.own]);
  }

  static kept_value kept(const Value& value) {
    if constexpr (tells_who)
      return value.local;
    else
      return value;
  }
  // Returns the total of a vertex of this graph, and resets it.
  Value take_heard(const graph::locale_graph& g, const listener& l) {
    if constexpr (tells_who)
      return {l.heard, &g};
    else if constexpr (any_will_do)
      return l.heard;
    else
      return static_cast<Value>(std::exchange(totals[l.vertex], Combine::template identity<partial>()));
  }

  graph::bit_set touched;               // own vertices in some core's list
  machine::huge_array<partial> totals;  // by own vertex: the identity, except for touched vertices
  by_core<core> cores;                  // of the locale
  by_core<steps::push_share> shares;
  machine::huge_array<Value> shown;          // of members, by local index; in pulls, and on several locales
  graph::bit_set hearing;                    // own vertices with in-edges, once known
  bool knows_hearing = false;                // set by the first core
  std::optional<vectors::edge_loops> loops;  // over the rows of in-edges
  vectors::edge_loop_options how;

 private:
  static constexpr bool lock_free =
      std::has_single_bit(sizeof(partial)) && sizeof(partial) <= 8 && alignof(partial) == sizeof(partial);

  bool touch(bool alone, std::uint32_t vertex) {
    if (!alone) return touched.shared_set(vertex);
    if (touched.test(vertex)) return false;
    touched.set(vertex);
    return true;
  }

  // True if the total changes.
  bool combine(bool alone, partial& total, std::uint32_t vertex, const Value& told) {
    const auto more = static_cast<partial>(told);
    if (lock_free && !alone) return combine_shared(total, more);
    if (!alone) lock(vertex);
    const partial after = Combine{}(total, more);
    const bool changes = !same(after, total);
    total = after;
    if (!alone) unlock(vertex);
    return changes;
  }
  static bool combine_shared(partial& total, const partial& more) {
    if constexpr (lock_free) {
      const std::atomic_ref<partial> shared(total);
      partial before = shared.load(std::memory_order_relaxed);
      for (;;) {
        const partial after = Combine{}(before, more);
        if (same(after, before)) return false;
        if (shared.compare_exchange_weak(before, after, std::memory_order_relaxed)) return true;
      }
    }
    return false;
  }
  void lock(std::uint32_t vertex) {
    const std::atomic_ref word(locked.words()[graph::bit_set::word_of(vertex)]);
    const graph::bit_set::word bit = graph::bit_set::bit_of(vertex);
    while ((word.fetch_or(bit, std::memory_order_acquire) & bit) != 0) std::this_thread::yield();
  }
  void unlock(std::uint32_t vertex) {
    const std::atomic_ref word(locked.words()[graph::bit_set::word_of(vertex)]);
    word.fetch_and(~graph::bit_set::bit_of(vertex), std::memory_order_release);
  }

  graph::bit_set locked;  // totals to which a core is adding; only for values without lock-free operations
};

}  // namespace orujo::internal::gas::detail
