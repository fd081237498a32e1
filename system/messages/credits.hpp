// How many blocks one core may have on their way to another: pure functions decide.
//
// Credit-based flow control, as Kung, Morris, "Credit-Based Flow Control for ATM Networks", IEEE Network
// 9(2), 1995, has it for cells: who sends knows how much the receiver has not yet handled.
#pragma once

#include <cstdint>

namespace orujo::messages {

// Between two cores; counts of blocks, modulo 2^32.
struct credits {
  std::uint32_t sent = 0;
  std::uint32_t done = 0;     // of those, handled there
  std::uint32_t handled = 0;  // of the blocks from there, handled here
  std::uint32_t told = 0;     // of those, acknowledged
  bool held = false;          // the core there has asked tasks to send nothing for now

  constexpr std::uint32_t in_flight() const { return sent - done; }
};

// Whether a task may begin a further block. Handlers may always.
constexpr bool may_open(const credits& c, std::uint32_t bound) { return c.in_flight() < bound && !c.held; }
// Blocks that handlers have sent beyond the bound.
constexpr std::uint32_t beyond_bound(const credits& c, std::uint32_t bound) {
  return c.in_flight() > bound ? c.in_flight() - bound : 0;
}
// Whether blocks should rather fill than leave for their age: one that is hardly filled takes as much of the
// bound as a full one, and with half of it under way an acknowledgement is due, after which there is more.
constexpr bool are_short(const credits& c, std::uint32_t bound) { return c.in_flight() >= (bound + 1) / 2; }
// Whether the other core can have handled so many blocks.
constexpr bool may_acknowledge(const credits& c, std::uint32_t done) {
  return done - c.done <= c.in_flight();
}
// Whether the other core is to hear now what has been handled here.
constexpr bool owes_word(const credits& c, std::uint32_t bound) { return c.handled - c.told >= bound / 2; }

}  // namespace orujo::messages
