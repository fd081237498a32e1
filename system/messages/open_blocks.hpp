// The blocks that one core fills, one for each core that it sends to, and the choice of those that leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/shape.hpp"
#include "system/machine/huge_array.hpp"
#include "system/messages/block.hpp"
#include "system/messages/flush_policy.hpp"
#include "system/messages/traffic.hpp"
#include "system/messages/work_ledger.hpp"

namespace orujo::internal::messages {

// Used by its own core only.
class open_blocks {
 public:
  // The state of the core that checks whether blocks must leave, or an explicit request.
  enum class looker { busy, idle, on_request };
  struct look {
    looker as;
    std::uint64_t now_ns = 0;  // for a busy core, as is the cost of a block (block_cost.hpp)
    double block_ns = 0;
  };
  // The way of a block for another locale, as in flush_state.
  struct outlook {
    bool way_is_blocked = false, credit_is_short = false;
  };

  // The blocks of core `me`. A busy core's blocks leave after flush_age_ns, or up to most_flush_age_ns if
  // there are many for other locales (patience_ns()). Runs with a tag count in the core's ledger.
  open_blocks(core_id me, const job_shape& shape, work_ledger& ledger, std::uint64_t flush_age_ns,
              std::uint64_t most_flush_age_ns);

  bool has(core_id to) const { return of(to).filled != nullptr; }
  // Number of cores that have an open block, or had one at the last check.
  std::size_t destinations() const { return destinations_.size(); }

  // Returns whether the block for `to` has an open run of this type and tag, and room for one more message of
  // `bytes` bytes. Each message costs this check; append() then returns the room. If all messages of a run
  // are equally large, their number follows from its bytes.
  template <bool EquallyLarge>
  bool goes_on(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes) const {
    const open_block& b = of(to);
    if (b.run_key != key_of(id, tag)) [[unlikely]]
      return false;
    return EquallyLarge ? b.end <= b.limit : static_cast<std::size_t>(b.limit - b.end) >= bytes;
  }
  template <bool EquallyLarge>
  std::byte* append(core_id to, std::size_t bytes) {
    open_block& b = of(to);
    std::byte* at = b.end;
    b.end += bytes;
    if constexpr (!EquallyLarge) ++b.run->count;
    return at;
  }
  // The room for the first message of a run; null if the open block is too full for it.
  std::byte* start_run(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes, bool equally_large);

  // Opens `empty` for the core that it names, which has no open block.
  void open(block* empty);
  // Closes the block for `to` and returns it, ready to be sent. It is counted as one that leaves for this
  // reason.
  block* seal(core_id to, flush_reason why, block_traffic& of_its_locale);

  // Calls leave(to, why), which must seal it, for each block that is due. outlook_of(to) is asked for cores
  // of other locales. A busy core's check does nothing shortly after the last one.
  template <class OutlookOf, class Leave>
  void send_due(const look& now, OutlookOf&& outlook_of, Leave&& leave);

 private:
  struct alignas(base::cache_line_bytes) open_block {
    // A message reads these three.
    std::uint64_t run_key = no_run;   // type and tag of the open run
    std::byte* end = nullptr;         // where its next message goes
    std::byte* limit = nullptr;       // where it can begin at the latest; if they vary, the end of the room
    block* filled = nullptr;          // null: not open
    run_header* run = nullptr;        // the last one
    std::uint32_t message_bytes = 0;  // of every message of the run; 0: they vary, and are counted one by one
    bool is_listed = false;           // in destinations_
    bool is_far = false;              // for a core of another locale
    std::uint64_t since_ns = 0;       // when a check first found it not due; 0: not yet
    std::uint64_t messages = 0;       // in the runs that have ended
  };

  static constexpr std::uint64_t no_run = 0;  // no handler has this number
  static constexpr std::uint64_t key_of(handler_id id, std::uint32_t tag) {
    return std::uint64_t{static_cast<std::uint32_t>(id)} << 32 | tag;
  }

  open_block& of(core_id to) { return blocks_[static_cast<std::size_t>(to)]; }
  const open_block& of(core_id to) const { return blocks_[static_cast<std::size_t>(to)]; }
  void end_run(open_block& b);
  // At least as many messages as the open run can have.
  static std::uint64_t most_messages(const open_block& b);

  // By core. All cores that an address can name have an entry, also those that the job lacks. Their blocks
  // are never open, so that sending to one ends in start_run(). Only written entries take memory.
  machine::huge_array<open_block> blocks_;
  work_ledger& ledger_;
  std::vector<core_id> destinations_;  // have an open block, or had one at the last check
  const std::uint64_t flush_age_ns_, most_flush_age_ns_;
  std::uint64_t far_ = 0;           // open blocks for other locales
  std::uint64_t next_look_ns_ = 0;  // when a busy core checks their timeouts again
};

template <class OutlookOf, class Leave>
void open_blocks::send_due(const look& now, OutlookOf&& outlook_of, Leave&& leave) {
  const bool busy = now.as == looker::busy;
  if (busy && now.now_ns < next_look_ns_) return;
  const std::uint64_t age_far =
      busy ? patience_ns(far_, now.block_ns, flush_age_ns_, most_flush_age_ns_) : flush_age_ns_;
  std::size_t kept = 0;
  for (core_id to : destinations_) {
    open_block& b = of(to);
    if (b.filled) {
      if (b.since_ns == 0) b.since_ns = now.now_ns;
      const outlook before = b.is_far ? outlook_of(to) : outlook{};
      const flush_state state{.filled_bytes = static_cast<std::size_t>(b.end - b.filled->content()),
                              .capacity_bytes = max_block_content,
                              .age_ns = now.now_ns > b.since_ns ? now.now_ns - b.since_ns : 0,
                              .core_is_idle = now.as == looker::idle,
                              .requested = now.as == looker::on_request,
                              .way_is_blocked = before.way_is_blocked,
                              .credit_is_short = before.credit_is_short};
      const flush_reason why = decide_flush(state, b.is_far ? age_far : flush_age_ns_);
      if (why == flush_reason::none) {
        destinations_[kept++] = to;
        continue;
      }
      leave(to, why);
    }
    b.is_listed = false;
  }
  destinations_.resize(kept);
  // A check visits all blocks, so it is not done much more often than they leave.
  constexpr std::uint64_t looks_per_age = 8;
  if (busy) next_look_ns_ = now.now_ns + age_far / looks_per_age;
}

}  // namespace orujo::internal::messages
