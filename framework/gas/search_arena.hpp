// State that the cores of a locale share in runs of searching programs (search_runner.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <type_traits>

#include "framework/exchange/mirror_values.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex.hpp"
#include "framework/steps/search_step.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::gas::detail {

// Value: of the program. The arena stays with the graph from run to run (kept_memory.hpp).
template <class Value>
class search_arena : public steps::search_state {
 public:
  static constexpr bool tells_who = std::is_same_v<Value, graph::source>;  // vertices send their index only
  using exchange_type = exchange::mirror_values<std::conditional_t<tells_who, exchange::no_value, Value>>;

  explicit search_arena(const graph::locale_graph& g)
      : search_state(g, my_locales_cores()),
        shown(tells_who ? 0 : indices_of(g)),
        silent(indices_of(g)),
        exchanges_(my_locales_cores()) {}

  bool suits(const graph::locale_graph& g) const {
    return order.size() == g.own && silent.size_in_words() == graph::bit_set::words_for(indices_of(g));
  }

  // [task; suspends; collective over the job] Returns the calling core's exchange, which has sent nothing yet
  // in this search. The first call makes it and visits all mirrored vertices.
  exchange_type& my_exchange(const graph::locale_graph& g, const exchange::codec_options& codec) {
    std::optional<exchange_type>& mine = exchanges_[my_core_of_locale()];
    if (!mine) mine.emplace(g, exchange::told_sets::growing);
    mine->set_codec(codec);
    mine->forget();
    return *mine;
  }

  machine::huge_array<Value> shown;     // by local index; empty where vertices show which they are
  graph::bit_set silent;                // own vertices that have been seen and contribute nothing
  std::atomic<bool> has_silent{false};  // true: some are; read after the superstep that set it

 private:
  static std::size_t indices_of(const graph::locale_graph& g) { return std::size_t{g.own} + g.mirrors; }

  by_core<std::optional<exchange_type>> exchanges_;
};

}  // namespace orujo::internal::gas::detail
