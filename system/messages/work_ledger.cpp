#include "system/messages/work_ledger.hpp"

#include "system/base/check.hpp"

namespace orujo::internal::messages {

std::uint32_t work_ledger::take_number() {
  std::uint32_t slot;
  if (free_slots_.empty()) {
    slot = next_slot_++;
    require(slot < 1u << 16,
            "more than 65,536 completion events alive at one core: use one for many operations");
  } else {
    slot = free_slots_.top();
    free_slots_.pop();
  }
  return static_cast<std::uint32_t>(me_) << 16 | slot;
}

void work_ledger::give_back_number(std::uint32_t number) {
  require(
      static_cast<core_id>(number >> 16) == me_,
      "a completion event destroyed away from its core: it stays where it was made, only its ref() travels");
  free_slots_.push(slot_of(number));
}

live_counts& work_ledger::find(std::uint32_t number) {
  if (is_shared(number)) {
    const node::work_table& mine = on_node_.of_cores[static_cast<std::size_t>(me_ - first_on_node())];
    return mine.at(creator_on_node(number), slot_of(number));
  }
  return counts_.at(static_cast<std::uint16_t>(number >> 16)).at(slot_of(number));
}

work_counts work_ledger::of_node(std::uint32_t number) const {
  work_counts sums;
  for (const node::work_table& of_core : on_node_.of_cores)
    sums += of_core.at(creator_on_node(number), slot_of(number)).read();
  return sums;
}

work_counts work_ledger::of_locale(std::uint32_t number) const {
  work_counts sums;
  for (const work_ledger* mate : mates_) {
    const auto* const of_creator = mate->counts_.find(static_cast<std::uint16_t>(number >> 16));
    const live_counts* const counts =
        of_creator ? of_creator->find(static_cast<std::uint16_t>(number)) : nullptr;
    if (counts) sums += counts->read();
  }
  return sums;
}

}  // namespace orujo::internal::messages
