#include "system/messages/open_blocks.hpp"

#include <glog/logging.h>

#include <new>
#include <utility>

#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::messages {
namespace {

// Counted by the run or by the block, never by the message.
using observe::counter;
const counter sent_near("messages.sent.same_locale",
                        "messages put into blocks for a core of the same locale");
const counter sent_far("messages.sent.other_locale", "messages put into blocks for another locale");
const counter block_bytes_sent("blocks.bytes", "bytes of runs in the blocks sent");
// By flush_reason.
const counter blocks_sent[] = {
    {"blocks.sent.for_acknowledgement", "partly filled blocks that took one along"},
    {"blocks.sent.full", "blocks sent because they were full"},
    {"blocks.sent.requested", "partly filled blocks sent on request"},
    {"blocks.sent.idle", "partly filled blocks sent because the core was idle"},
    {"blocks.sent.age", "partly filled blocks sent because of their age"}};

// By flush_reason.
constexpr const char* seal_names[] = {"block: for acknowledgement", "block: full", "block: requested",
                                      "block: idle", "block: age"};
constexpr observe::trace_kind block_sealed{"messages", observe::trace_shape::instant, "bytes", "to core"};

}  // namespace

open_blocks::open_blocks(core_id me, const job_shape& shape, work_ledger& ledger, std::uint64_t flush_age_ns,
                         std::uint64_t most_flush_age_ns)
    : blocks_(std::size_t{1} << 16, machine::pages::small),
      ledger_(ledger),
      flush_age_ns_(flush_age_ns),
      most_flush_age_ns_(most_flush_age_ns) {
  for (core_id c = 0; c < shape.cores(); ++c) of(c).is_far = shape.locale_of(c) != shape.locale_of(me);
}

void open_blocks::open(block* empty) {
  open_block& b = of(empty->destination);
  b.filled = empty;
  b.end = empty->content();
  b.since_ns = 0;
  if (!b.is_listed) destinations_.push_back(empty->destination);
  b.is_listed = true;
  if (b.is_far) ++far_;
}

std::byte* open_blocks::start_run(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes,
                                  bool equally_large) {
  open_block& b = of(to);
  const std::size_t used = static_cast<std::size_t>(b.end - b.filled->content()),
                    padding = padded(used) - used;
  const flush_state state{.filled_bytes = used,
                          .needed_bytes = padding + sizeof(run_header) + bytes,
                          .capacity_bytes = max_block_content};
  if (decide_flush(state, flush_age_ns_) == flush_reason::full) return nullptr;
  end_run(b);
  b.run = new (b.end + padding) run_header{id, tag, 1, 0};
  b.run_key = key_of(id, tag);
  b.message_bytes = equally_large ? static_cast<std::uint32_t>(bytes) : 0;
  b.limit = b.filled->content() + max_block_content - b.message_bytes;
  std::byte* at = b.end + padding + sizeof(run_header);
  b.end = at + bytes;
  if (tag != no_tag) ledger_.at(tag).issue(most_messages(b));
  return at;
}

std::uint64_t open_blocks::most_messages(const open_block& b) {
  const auto room = static_cast<std::uint64_t>(b.limit - reinterpret_cast<std::byte*>(b.run + 1));
  return b.message_bytes != 0 ? room / b.message_bytes + 1 : room / least_with_payload;
}

// Closes the last run of the block, if any.
void open_blocks::end_run(open_block& b) {
  if (!b.run) return;
  b.run->bytes = static_cast<std::uint32_t>(b.end - reinterpret_cast<std::byte*>(b.run + 1));
  if (b.message_bytes != 0 && b.run->bytes != b.message_bytes) b.run->count = b.run->bytes / b.message_bytes;
  if (b.run->tag != no_tag) ledger_.at(b.run->tag).retract(most_messages(b) - b.run->count);
  b.messages += b.run->count;
  b.run = nullptr;
  b.run_key = no_run;
}

block* open_blocks::seal(core_id to, flush_reason why, block_traffic& of_its_locale) {
  open_block& b = of(to);
  end_run(b);
  block* full = std::exchange(b.filled, nullptr);
  full->bytes = static_cast<std::uint32_t>(b.end - full->content());
  if (b.is_far) --far_;
  (b.is_far ? sent_far : sent_near).add(b.messages);
  blocks_sent[static_cast<std::size_t>(why)].add();
  block_bytes_sent.add(full->bytes);
  of_its_locale.messages_sent += std::exchange(b.messages, 0);
  of_its_locale.bytes_sent += full->bytes;
  ++of_its_locale.blocks_sent[static_cast<std::size_t>(why)];
  VLOG(3) << seal_names[static_cast<std::size_t>(why)] << ", " << full->bytes << " bytes to core " << to;
  if (observe::tracing()) [[unlikely]] {
    observe::record_instant(seal_names[static_cast<std::size_t>(why)], block_sealed, full->bytes,
                            static_cast<std::uint64_t>(to));
  }
  return full;
}

}  // namespace orujo::internal::messages
