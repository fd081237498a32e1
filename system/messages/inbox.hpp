// The inbox of a core, where other threads put blocks for it, and its own blocks once they are handled.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "system/messages/block.hpp"
#include "system/messages/mailbox.hpp"
#include "system/node/alarms.hpp"

namespace orujo::internal::messages {

// Blocks that return together, in the content of the first. The core reads three others in the line of the
// first block's header, and none of theirs.
class returned_blocks {
 public:
  // Writes these into the first of them. At most as many as fit.
  static void write(std::span<block* const> blocks) {
    returned_blocks* const all = new (blocks.front()->content()) returned_blocks;
    all->others_ = static_cast<std::uint32_t>(blocks.size() - 1);
    for (const block* b : blocks) all->counted_ += b->bytes > 0;
    std::ranges::copy(blocks.subspan(1), reinterpret_cast<block**>(all + 1));
  }
  // Returns what write() has left in the first.
  static const returned_blocks& of(block& first) {
    return *reinterpret_cast<const returned_blocks*>(first.content());
  }

  // The number of those that were not mere acknowledgements.
  std::uint32_t counted() const { return counted_; }
  std::span<block* const> others() const { return {reinterpret_cast<block* const*>(this + 1), others_}; }

 private:
  returned_blocks() = default;

  std::uint32_t counted_ = 0, others_ = 0;
};
static_assert(sizeof(block) + sizeof(returned_blocks) + 3 * sizeof(block*) == 64);

// A core's inbox, and its bell. The core empties it; other threads fill it and wake the core.
class inbox final : public block_home {
 public:
  inbox(node::alarms of_locale, int core_of_locale) : alarms_(of_locale), core_of_locale_(core_of_locale) {}

  // The number of the core within its locale.
  int core_of_locale() const { return core_of_locale_; }

  // Called by the core. Says whether cores that send to it are to hold (messenger_options::blocks_in_flight).
  void ask_to_hold(bool yes) { asks_to_hold_.store(yes, std::memory_order_relaxed); }
  // Any thread of this locale. Others than the core may see it late.
  bool asks_to_hold() const { return asks_to_hold_.load(std::memory_order_relaxed); }
  // Any thread of this locale: wakes the core if it sleeps, after publishing something for it.
  void ring() { alarms_.ring(core_of_locale_); }
  // Any thread of this locale: hands over a block for the core.
  void deliver(block* b) {
    arrived.push(b, true);
    ring();
  }
  // Any thread of this locale: these blocks, which the core has made for another of the locale, may be
  // reused.
  void give_back(std::span<block* const> blocks) {
    returned_blocks::write(blocks);
    returned.push(blocks.front());
    ring();
  }
  // Any thread of this locale: so may this one, which it has made for another locale.
  void give_back(block* b) override {
    returned.push(b);
    ring();
  }
  // The core: sleeps for at most `most`, unless holds().
  template <class Holds>
  void sleep(std::chrono::nanoseconds most, const Holds& holds) {
    alarms_.sleep(core_of_locale_, most, holds);
  }

  mailbox<block> arrived;   // the core takes them out
  mailbox<block> returned;  // the same; one of this locale stands for all of its returned_blocks

 private:
  node::alarms alarms_;
  const int core_of_locale_;
  std::atomic<bool> asks_to_hold_{false};  // in the line that senders read to ring
};

}  // namespace orujo::internal::messages
