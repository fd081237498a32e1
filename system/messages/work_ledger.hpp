// The work of completion events (delegates/completion_event.hpp), as each core counts it.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "system/base/growing_array.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/messages/block.hpp"
#include "system/node/work_table.hpp"

namespace orujo::internal::messages {

using node::live_counts, node::work_counts;

// One core's counts of every event that it has worked for, by the event's number, which is the tag of its
// messages. Messages are counted by the run: a run counts as many as fit when it begins, and takes back what
// it lacks when it ends, before its block leaves. So at no time are fewer issued than were sent. An event
// whose work is complete has equal sums, and its number can be used again without a word to the other cores.
class work_ledger {
 public:
  explicit work_ledger(core_id me) : me_(me) {}
  work_ledger(const work_ledger&) = delete;

  static constexpr base::core_part part = base::core_part::work_ledger;
  // The calling core's ledger.
  static work_ledger& here() { return base::part_of_this_core<work_ledger>(); }

  // A number is (creating core) << 16 | slot.
  std::uint32_t take_number();
  void give_back_number(std::uint32_t number);

  // The operations of one of this core's numbers, in the whole job, when it was last found complete: what
  // earlier events of the number had.
  std::uint64_t& complete(std::uint32_t number) {
    const std::uint32_t slot = number & 0xffff;
    if (slot >= complete_.size()) complete_.resize(slot + 1);
    return complete_[slot];
  }

  // Before the cores start: the ledgers of this locale, by core, and what the node's locales share.
  void connect(std::vector<const work_ledger*> mates, node::work_tables on_node) {
    mates_ = std::move(mates);
    on_node_ = std::move(on_node);
  }
  // Sum of the counts of all cores of this locale. It reads the memory of each and sends no message.
  work_counts of_locale(std::uint32_t number) const;
  // True for the first events of the node's cores: of_node() reads the counts of all cores of the node.
  bool is_shared(std::uint32_t number) const {
    const core_id creator = creator_on_node(number);
    return creator >= 0 && creator < static_cast<core_id>(on_node_.of_cores.size()) &&
           slot_of(number) < node::work_table::slots;
  }
  work_counts of_node(std::uint32_t number) const;
  // The node's cores, of which there are none if its locales share nothing.
  core_id first_on_node() const { return on_node_.first_core; }
  core_id last_on_node() const {
    return first_on_node() + static_cast<core_id>(on_node_.of_cores.size()) - 1;
  }

  live_counts& at(std::uint32_t number) {
    if (number != last_number_) [[unlikely]] {
      last_ = &find(number);
      last_number_ = number;
    }
    return *last_;
  }

 private:
  static std::uint16_t slot_of(std::uint32_t number) { return static_cast<std::uint16_t>(number); }
  core_id creator_on_node(std::uint32_t number) const {
    return static_cast<core_id>(number >> 16) - on_node_.first_core;
  }
  live_counts& find(std::uint32_t number);

  core_id me_;
  base::growing_array<base::growing_array<live_counts>> counts_;  // by creator, slot
  std::vector<const work_ledger*> mates_;
  node::work_tables on_node_;
  live_counts nobodys_;                 // of no_tag
  std::uint32_t last_number_ = no_tag;  // what at() was asked for last; no event has this one
  live_counts* last_ = &nobodys_;
  std::vector<std::uint64_t> complete_;
  std::priority_queue<std::uint16_t, std::vector<std::uint16_t>, std::greater<>> free_slots_;  // lowest first
  std::uint32_t next_slot_ = 0;
};

}  // namespace orujo::internal::messages
