// The number of blocks that one core may have under way to another, decided by pure functions.
//
// Credit-based flow control: the sender knows how much the receiver has not yet handled. (Kung, Morris,
// "Credit-Based Flow Control for ATM Networks", IEEE Network 9(2), 1995, does it for cells.)
#pragma once

#include <cstdint>

namespace orujo::internal::messages {

// Between two cores; counts of blocks, modulo 2^32.
struct credits {
  std::uint32_t sent = 0;
  std::uint32_t done = 0;     // of these, handled there
  std::uint32_t handled = 0;  // of the blocks from there, handled here
  std::uint32_t told = 0;     // of these, acknowledged
  bool held = false;          // the core there has asked for a pause of sending by tasks

  constexpr std::uint32_t in_flight() const { return sent - done; }
};

// Returns whether a task may begin a further block. Handlers always may.
constexpr bool may_open(const credits& c, std::uint32_t bound) { return c.in_flight() < bound && !c.held; }
// Blocks that handlers have sent beyond the bound.
constexpr std::uint32_t beyond_bound(const credits& c, std::uint32_t bound) {
  return c.in_flight() > bound ? c.in_flight() - bound : 0;
}
// Returns whether blocks should fill up instead of leaving by timeout. A nearly empty block takes as much of
// the bound as a full one. With half of the bound under way an acknowledgement is due, which frees credit.
constexpr bool are_short(const credits& c, std::uint32_t bound) { return c.in_flight() >= (bound + 1) / 2; }
// Returns whether the other core can have handled `done` blocks.
constexpr bool may_acknowledge(const credits& c, std::uint32_t done) {
  return done - c.done <= c.in_flight();
}
// Returns whether an acknowledgement to the other core is due.
constexpr bool owes_word(const credits& c, std::uint32_t bound) { return c.handled - c.told >= bound / 2; }

}  // namespace orujo::internal::messages
