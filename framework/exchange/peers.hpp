// Cores that exchange messages: a core sends to its partner (job_shape), or one core sends small data for
// all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "system/base/identity.hpp"
#include "system/base/index_range.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/available_memory.hpp"

namespace orujo::internal::exchange {

// The core of locale `from` that sends locale `to` what would be little from each core. Cores take turns.
inline core_id teller(locale_id from, locale_id to) {
  return shape().first_core_of(from) + to % shape().cores_of(from);
}
// True if there are enough peers for all cores of the locale to have a turn.
inline bool may_take_turns(locale_id from) {
  return shape().cores_of(from) > 1 && locales() > shape().cores_of(from);
}

// Arrays of `elements` elements are divided among the cores of each of `peers`. Returns how many elements
// this core receives.
inline std::uint64_t elements_received(std::span<const locale_id> peers, std::uint64_t elements) {
  std::uint64_t received = 0;
  for (const locale_id l : peers) {
    for (core_id k = 0; k < shape().cores_of(l); ++k) {
      if (shape().partner(shape().first_core_of(l) + k, my_locale()) != my_core()) continue;
      received += part_of({0, elements}, k, shape().cores_of(l)).size();
    }
  }
  return received;
}

// The cores that run on the same node as this one.
class node_mates {
 public:
  // [task; suspends; collective over the job]
  node_mates() : nodes_(collectives::all_gather(machine::node_fingerprint())) {}
  bool contain(core_id c) const { return nodes_[c] == nodes_[my_core()]; }

 private:
  by_core<std::uint64_t> nodes_;
};

}  // namespace orujo::internal::exchange
