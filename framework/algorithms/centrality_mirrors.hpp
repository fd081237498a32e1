// Owners report the values of vertices to the locales that mirror them (ghost vertices) while shortest paths
// are counted, once on the way forward and once on the way back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "framework/algorithms/centrality_state.hpp"
#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/frontier_size.hpp"

namespace orujo::internal::algorithms::detail {

// Sizes of levels, by search. They are 0 for searches that do not take part.
inline constexpr std::size_t most_side_by_side = 8;
struct level_sizes {
  std::array<steps::frontier_counts, most_side_by_side> of{};
  friend level_sizes operator+(level_sizes a, const level_sizes& b) {
    for (std::size_t s = 0; s < most_side_by_side; ++s) a.of[s] += b.of[s];
    return a;
  }
};

// One core's part; one task per core constructs and uses it, where there are several locales. The cores of a
// locale offer the vertices of a level (centrality_state::levels) before they report it, and do not change
// the values of these vertices while they do. A core receives the same vertices on the way back as on the way
// forward, so it knows their number.
//
// Searches go side by side. On the way forward they go from level to level together, on the way back each
// goes by itself.
class centrality_mirrors {
 public:
  // `shared` is indexed by search.
  centrality_mirrors(const graph::locale_graph& g, std::deque<centrality_state>& shared)
      : graph_(g), shared_(shared) {}
  centrality_mirrors(const centrality_mirrors&) = delete;

  // [task; suspends; collective over the job] Makes room for this many searches side by side.
  void make_room(std::size_t searches);
  // [task; suspends; collective over the job] Enables reports of this search with exponents.
  void make_exponents(std::size_t search);
  // [task] Forgets the last search of this index. Call it before every search.
  void begin(std::size_t search);

  // [task; may suspend] Reports the offered level of a search on the way forward, with exponents if `scaled`.
  void tell(std::size_t search, std::size_t level, bool scaled);
  // [task; suspends; collective over the job] Ends the reports of these searches. Returns the sum of `mine`
  // of all cores when this core has the values sent to it. The other cores of its locale have theirs only
  // after a barrier.
  level_sizes meet(std::span<const std::size_t> searches, const level_sizes& mine);
  // [task] The mirrors of the finished level that this core has received, numbered from the first mirror on.
  std::span<const std::uint32_t> of(std::size_t search, std::size_t level) const {
    return searches_[search].received[level % 2];
  }

  // [task; may suspend] Reports the offered level of a search on the way back, on which levels descend. No
  // core of this locale may read the mirrors of that level meanwhile.
  void tell_back(std::size_t search, std::size_t level, bool scaled);
  // [task; suspends] Returns when this core has the values of that level.
  void await_back(std::size_t search, std::size_t level, bool scaled);

 private:
  template <class T>
  using exchange_of = exchange::mirror_values<T>;
  struct search_state {
    search_state(const graph::locale_graph& g, std::shared_ptr<tasks::wait_queue> waiting)
        : values(g, exchange::told_sets::unrelated, exchange::codec_options_from_flags(),
                 std::move(waiting)) {}

    exchange_of<double> values;
    std::optional<exchange_of<std::int32_t>> exponents;
    std::array<std::vector<std::uint32_t>, 2> received;  // by parity of the level
    std::vector<std::size_t> counts;                     // by level: received on the way forward
    bool scaled = false;                                 // whether the last reported level has exponents
  };

  void tell(std::size_t search, std::size_t level, bool scaled, std::vector<std::uint32_t>* received);

  const graph::locale_graph& graph_;
  std::deque<centrality_state>& shared_;
  const std::shared_ptr<tasks::wait_queue> waiting_ = std::make_shared<tasks::wait_queue>();
  std::deque<search_state> searches_;
};

}  // namespace orujo::internal::algorithms::detail
