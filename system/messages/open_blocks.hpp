// The blocks that one core fills, one for each core that it sends to, and which of them are to leave.
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

namespace orujo::messages {

// Used by its own core only.
class open_blocks {
 public:
  // How the core that looks whether blocks are to leave is occupied, or that somebody asks for them.
  enum class looker { busy, idle, on_request };
  struct look {
    looker as;
    std::uint64_t now_ns = 0;  // of a busy core, as is what a block costs (block_cost.hpp)
    double block_ns = 0;
  };
  // What lies before a block for another locale, as flush_state has it.
  struct outlook {
    bool way_is_blocked = false, credit_is_short = false;
  };

  // Of core `me`. A busy core's blocks leave at flush_age_ns, at up to most_flush_age_ns where there are many
  // for other locales (patience_ns()).
  open_blocks(core_id me, const job_shape& shape, std::uint64_t flush_age_ns,
              std::uint64_t most_flush_age_ns);

  bool has(core_id to) const { return of(to).filled != nullptr; }
  // How many cores have one, or had one before the last look.
  std::size_t destinations() const { return destinations_.size(); }

  // Whether the block for `to` has an open run of this type and tag, and the room for one more message of so
  // many bytes: what each message costs. Then append() gives the room. How many a run has follows from its
  // bytes where all are equally large.
  bool goes_on(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes) const {
    const open_block& b = of(to);
    if (b.run_key != key_of(id, tag)) [[unlikely]]
      return false;
    return static_cast<std::size_t>(b.limit - b.end) >= bytes;
  }
  template <bool EquallyLarge>
  std::byte* append(core_id to, std::size_t bytes) {
    open_block& b = of(to);
    std::byte* at = b.end;
    b.end += bytes;
    if constexpr (!EquallyLarge) ++b.run->count;
    return at;
  }
  // The room for the first message of a run; null where the block, which is open, is too full for it.
  std::byte* start_run(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes, bool equally_large);

  // `empty` is filled from now on for the core that it names; none was.
  void open(block* empty);
  // The block for `to`, ready to be sent; counted as one that leaves for this reason.
  block* seal(core_id to, flush_reason why, block_traffic& of_its_locale);

  // Calls leave(to, why), which is to seal it, for each block that is due; outlook_of(to) is asked of cores
  // of other locales. A busy core's look is at nothing if the last one has just been.
  template <class OutlookOf, class Leave>
  void send_due(const look& now, OutlookOf&& outlook_of, Leave&& leave);

 private:
  struct alignas(base::cache_line_bytes) open_block {
    // A message costs a look at these three.
    std::uint64_t run_key = no_run;   // type and tag of the run that goes on
    std::byte* end = nullptr;         // where its next message goes
    std::byte* limit = nullptr;       // and the end of the room for it
    block* filled = nullptr;          // none: not open
    run_header* run = nullptr;        // the last one
    std::uint32_t message_bytes = 0;  // of every message of the run; 0: they vary, and are counted one by one
    bool is_listed = false;           // in destinations_
    bool is_far = false;              // for a core of another locale
    std::uint64_t since_ns = 0;       // when first found not to be due; 0: not yet
    std::uint64_t messages = 0;       // in the runs that have ended
  };

  static constexpr std::uint64_t no_run = 0;  // no handler has such a number
  static constexpr std::uint64_t key_of(handler_id id, std::uint32_t tag) {
    return std::uint64_t{static_cast<std::uint32_t>(id)} << 32 | tag;
  }

  open_block& of(core_id to) { return blocks_[static_cast<std::size_t>(to)]; }
  const open_block& of(core_id to) const { return blocks_[static_cast<std::size_t>(to)]; }
  static void end_run(open_block& b);

  // By core. All cores that an address can name have a place, also those that the job lacks: their blocks are
  // never open, so that who sends to one comes to start_run(). Only what is written takes memory.
  machine::huge_array<open_block> blocks_;
  std::vector<core_id> destinations_;  // who has one, or had one before the last look
  const std::uint64_t flush_age_ns_, most_flush_age_ns_;
  std::uint64_t far_ = 0;           // open blocks for other locales
  std::uint64_t next_look_ns_ = 0;  // when a busy core looks at their age again
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
  // Each look is at all of them, so that is not done much more often than they leave.
  constexpr std::uint64_t looks_per_age = 8;
  if (busy) next_look_ns_ = now.now_ns + age_far / looks_per_age;
}

}  // namespace orujo::messages
