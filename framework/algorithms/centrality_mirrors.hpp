// What the owners of vertices tell the locales that mirror them while shortest paths are counted: each
// vertex's value, once on the way forward and once on the way back.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/centrality_state.hpp"
#include "framework/exchange/mirror_places.hpp"
#include "framework/exchange/push_channel.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/frontier_size.hpp"
#include "system/tasks/sync.hpp"

namespace orujo::algorithms::detail {

// Sizes of levels, by search; of those that do not take part 0.
inline constexpr std::size_t most_side_by_side = 8;
struct level_sizes {
  std::array<steps::frontier_counts, most_side_by_side> of{};
  friend level_sizes operator+(level_sizes a, const level_sizes& b) {
    for (std::size_t s = 0; s < most_side_by_side; ++s) a.of[s] += b.of[s];
    return a;
  }
};

// One core's part; made and used by one task per core. A value goes straight to the place of the mirror, 12
// bytes, between nodes less. Which core of a locale receives it follows from the vertex. So what a core was
// told of a level on the way forward it is told again on the way back, and waits for as many without asking
// anybody: a locale that mirrors nothing of a level goes on.
//
// Searches go side by side: forward from level to level together, back each by itself.
class centrality_mirrors {
 public:
  // [task; suspends; collective over the job] shared: by search. One core may be told as soon as others have
  // theirs.
  centrality_mirrors(const graph::locale_graph& g, std::deque<centrality_state>& shared);
  centrality_mirrors(const centrality_mirrors&) = delete;

  // [task] Before a search, with a barrier of the job between this and the first tell().
  void begin(std::size_t search);

  // [task; may suspend] Forward: own vertices of a search's level, each once, whose values nobody changes any
  // more. scaled: their exponents are told, too, which takes another 12 bytes for each.
  void tell(std::span<const std::uint32_t> vertices, std::size_t search, std::size_t level, bool scaled);
  // [task; suspends; collective over the job] All have told what they have of the next level of these
  // searches, and nobody of this locale asks for mirrors of the level before any more. Returns the sum of
  // `mine` of all cores, when what this core is told has come. Its locale's other cores have theirs only
  // after a barrier. One latency.
  level_sizes finish(std::span<const std::size_t> searches, const level_sizes& mine);
  // [task] The mirrors of the finished level that this core was told of, by their places among the mirrors.
  std::span<const std::uint32_t> of(std::size_t search, std::size_t level) const {
    return searches_[search].told[level % 2];
  }

  // [task] Nobody of this locale reads the search's values of the level before any more, so mirrors may have
  // their new ones: ever smaller levels.
  void go_back_to(std::size_t search, std::size_t level);
  // [task; may suspend] As tell().
  void tell_back(std::span<const std::uint32_t> vertices, std::size_t search, std::size_t level, bool scaled);
  // [task; may suspend] Sends what is left.
  void flush() { values_out_.flush(); }
  // [task; suspends] Returns when this core was told of this level what it was told forward.
  void await_back(std::size_t search, std::size_t level);

 private:
  // A message has either values of vertices or their exponents.
  struct note {
    std::uint32_t level;
    std::uint16_t search;
    std::uint8_t back, exponent;
  };
  struct [[gnu::packed, gnu::aligned(4)]] path_value {
    double value;
  };
  using told_values = std::span<const exchange::pushed<path_value>>;
  using channel = exchange::push_channel<centrality_mirrors, path_value, note>;
  friend channel;

  static constexpr std::size_t no_level = ~std::size_t{0};
  struct search_state {
    // By parity of the level: a peer may be a level ahead.
    std::array<std::vector<std::uint32_t>, 2> told;  // of their values
    std::array<std::uint64_t, 2> told_exponents{};
    std::vector<std::uint64_t> counts;  // by level: values and exponents told on the way forward
    // Of the way back.
    std::size_t open = no_level;
    std::uint64_t back = 0;  // of the level that is open
    // Levels that this locale has not come to: of a peer that waits for nothing of the ones before. First
    // values, then exponents, by level.
    std::array<std::vector<std::vector<exchange::pushed<path_value>>>, 2> early;
  };

  void receive(const note& of, told_values values);  // a handler's
  template <class Told>
  void push(std::span<const std::uint32_t> vertices, const note& of, const Told* told);
  void tell(std::span<const std::uint32_t> vertices, const note& of, bool scaled);
  void write(const note& of, told_values values);

  std::deque<centrality_state>& shared_;
  const std::uint32_t own_;
  const std::shared_ptr<const exchange::mirror_places> places_;  // null where there is one locale
  tasks::wait_queue arrivals_;
  std::vector<std::uint32_t> mirrored_;  // of a chunk's vertices
  std::uint16_t last_ = 0;               // search that something was told of
  std::vector<search_state> searches_;
  channel values_out_;
};

}  // namespace orujo::algorithms::detail
