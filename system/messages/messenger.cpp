#include "system/messages/messenger.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "system/base/check.hpp"
#include "system/base/ticks.hpp"
#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::messages {
namespace {

// Counted by the run or by the block, never by the message.
using observe::counter;
const counter received_near("messages.received.same_locale",
                            "messages handled that came from the same locale");
const counter received_far("messages.received.other_locale",
                           "messages handled that came from another locale");
const counter suspensions("messages.suspended_sends", "times a task waited before it could send");
const counter holds("messages.holds", "times a core, overdrawn by its handlers, asked others to hold");
const counter acknowledgements("blocks.acknowledgements", "blocks sent only to acknowledge others");
constexpr observe::trace_kind batch_handled{"messages", observe::trace_shape::span, "blocks", "bytes"};

constexpr std::size_t blocks_per_slab = 16;
// Number of polls for messages of an idle core before it looks for tasks again.
constexpr int idle_looks = 4;
// Interval at which a busy core serves the transport and flushes its expired blocks.
constexpr std::uint64_t ticks_between_chores = 20'000;  // 5 to 10 us

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

void messenger::anchor(const run&) {}

messenger::messenger(core_id me, const job_shape& shape, post_office& post, tasks::scheduler& scheduler,
                     node::alarms locale_alarms, const messenger_options& options)
    : me_(me),
      shape_(shape),
      post_(post),
      scheduler_(scheduler),
      options_{options.flush_age_ns, options.most_flush_age_ns, std::max(options.blocks_in_flight, 2u),
               options.crowded},
      ledger_(me),
      open_(me, shape, ledger_, options.flush_age_ns, options.most_flush_age_ns),
      outboxes_(shape.cores()),
      traffic_(shape.locales()),
      inbox_(locale_alarms, me - shape.first_core_of(shape.locale_of(me))),
      transfers_(inbox_, post) {
  for (core_id c = 0; c < shape.cores(); ++c) {
    outbox_of(c).traffic = &traffic_[shape.locale_of(c)];
  }
}

messenger::~messenger() = default;

void refuse_core(core_id core) {
  base::misuse(
      fmt::format("there is no core {}: cores are 0 to {}. A global_address has such a core if it is null, "
                  "or past the end of an array",
                  core, cores() - 1));
}

void fail_for_damaged_message(const char* fault, core_id from) {
  fail_for_damage("a message", fault, messenger::here().shape().locale_of(from));
}

void messenger::connect(std::span<messenger* const> locale_mates, const node::work_tables& on_node) {
  std::vector<const work_ledger*> ledgers;
  for (messenger* mate : locale_mates) {
    outbox_of(mate->core()).mate = mate;
    ledgers.push_back(&mate->ledger_);
  }
  ledger_.connect(std::move(ledgers), on_node);
}

void messenger::send_bytes(core_id to, handler run, const void* message, std::size_t bytes) {
  if (to == me_ && may_run_at_once()) {
    return scheduler_.run_as_handler([&] {
      run({static_cast<const std::byte*>(message), 1, static_cast<std::uint32_t>(bytes), no_tag, me_});
    });
  }
  std::memcpy(reserve<true>(to, id_of(run), no_tag, bytes), message, bytes);
}

void messenger::send_bytes_with_payload(core_id to, handler run, std::span<const std::byte> closure,
                                        std::span<const std::byte> payload, std::uint32_t tag) {
  const std::uint64_t bytes = payload.size();
  const std::size_t message_bytes = padded(closure.size()) + sizeof(bytes) + padded(bytes);
  require_fits(message_bytes);
  const bool at_once = to == me_ && may_run_at_once();
  std::vector<std::byte> own(at_once ? message_bytes : 0);
  std::byte* const message = at_once ? own.data() : reserve<false>(to, id_of(run), tag, message_bytes);
  std::byte* const size = message + padded(closure.size());
  std::ranges::copy(closure, message);
  std::memcpy(size, &bytes, sizeof(bytes));
  std::ranges::copy(payload, size + sizeof(bytes));
  if (at_once) {
    scheduler_.run_as_handler([&] {
      run({message, 1, static_cast<std::uint32_t>(message_bytes), tag, me_});
    });
  }
}

std::byte* messenger::start_run(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes,
                                bool equally_large) {
  require_fits(bytes);
  if (static_cast<std::size_t>(to) >= outboxes_.size()) [[unlikely]]
    refuse_core(to);
  outbox& out = outbox_of(to);
  bool has_yielded = false;
  for (;;) {
    if (!open_.has(to)) {
      if (!may_open(out) && !inbox_.returned.empty()) take_back_blocks();
      if (!may_open(out) && scheduler_.may_suspend()) {
        ++suspended_sends_;
        suspensions.add();
        ++suspended_;
        scheduler_.suspend(out.waiting, "a core to handle the messages already sent to it");
        --suspended_;
        continue;  // other tasks may have sent meanwhile
      }
      // A core of this locale may return blocks so fast that a task never waits, and so never reads its word
      // to hold.
      if (!has_yielded && out.mate && out.mate->inbox_.asks_to_hold() && scheduler_.may_suspend()) {
        has_yielded = true;
        scheduler_.yield();
        continue;
      }
      open_.open(take_block(to));
      if (to == me_) in_place_ = no_core;
    }
    if (std::byte* at = open_.start_run(to, id, tag, bytes, equally_large)) return at;
    seal(to, flush_reason::full);
  }
}

void messenger::seal(core_id to, flush_reason why) {
  outbox& out = outbox_of(to);
  block* full = open_.seal(to, why, *out.traffic);
  ++out.blocks.sent;
  if (beyond_bound(out) > 0 && ++overdrawn_ > options_.blocks_in_flight && !inbox_.asks_to_hold()) {
    hold(true);
    holds.add();
  }
  dispatch(to, full, why != flush_reason::full && why != flush_reason::none);
  if (!free_.empty()) {  // the next block, whose lines may still be in the cache of its last reader
    __builtin_prefetch(free_.back(), 1);
    __builtin_prefetch(free_.back()->content() + 32, 1);
  }
}

void messenger::reset_traffic() {
  for (block_traffic& t : traffic_) {
    const auto posted = t.posted, posted_ticks = t.posted_ticks;
    t = {};
    t.posted = posted;
    t.posted_ticks = posted_ticks;
  }
}

// An urgent block is not aggregated on its way.
void messenger::dispatch(core_id to, block* b, bool urgent) {
  outbox& out = outbox_of(to);
  b->acknowledged = out.blocks.told = out.blocks.handled;
  b->hold = out.told_to_hold = inbox_.asks_to_hold();
  if (out.mate) {
    out.mate->inbox_.deliver(b);
  } else {
    post_.submit(b, urgent, traffic_);
  }
}

void messenger::flush(core_id to) {
  if (!open_.has(to)) return;
  seal(to, flush_reason::requested);
  if (!outbox_of(to).mate) post_.progress(false);  // this core may be busy for a long time
}

void messenger::send_due(open_blocks::looker as) {
  if (open_.destinations() == 0) return;
  const bool busy = as == open_blocks::looker::busy;
  open_.send_due(
      {as, busy ? base::now_ns() : 0, post_.block_ns()},
      [this](core_id to) {
        return open_blocks::outlook{post_.is_blocked(shape_.locale_of(to)),
                                    are_short(outbox_of(to).blocks, options_.blocks_in_flight)};
      },
      [this](core_id to, flush_reason why) { seal(to, why); });
}

bool messenger::poll() {
  if (const std::uint64_t now = base::ticks(); now - last_chores_ > ticks_between_chores) {
    last_chores_ = now;
    send_due(open_blocks::looker::busy);
    return_handled();
    if (!inbox_.returned.empty()) take_back_blocks();
    post_.progress(false);
  }
  if (awaits_returned() && !inbox_.returned.empty()) take_back_blocks();
  bool any = transfers_.finish();
  if (any) scheduler_.count_work(1);
  if (watched_.is_over()) {
    end_watch();
    any = true;
  }
  any |= !errands_.empty() && run_errands();
  block* b = inbox_.arrived.take_all();
  if (!b) return any;
  tasks::scheduler::handler_scope in_handler(scheduler_);
  const std::uint64_t start = observe::tracing() ? base::ticks() : 0;
  std::uint64_t blocks = 0, bytes = 0;
  while (b) {
    block* next = b->next;
    ++blocks;
    bytes += b->bytes;
    handle(b);
    b = next;
  }
  if (start != 0) [[unlikely]]
    observe::record_span("messages handled", batch_handled, start, base::ticks(), blocks, bytes);
  return true;
}

void messenger::end_watch() {
  scheduler_.count_work(1);
  scheduler_.wake_all(*std::exchange(watched_, {}).waiting);
}

bool messenger::run_errands() {
  tasks::scheduler::handler_scope in_handler(scheduler_);
  errand* next = nullptr;
  for (errand* e = errands_.take_all(); e; e = next) {
    next = e->next;
    const std::unique_ptr<errand> done(e);
    scheduler_.count_work(1);
    e->run();
  }
  return true;
}

bool messenger::idle() {
  const std::size_t destinations = open_.destinations();
  send_due(open_blocks::looker::idle);
  bool any = open_.destinations() < destinations;
  // A busy core lets twice as many gather (handle()).
  if (handled_.size() > options_.blocks_in_flight / 8) return_handled();
  const bool has_peers = shape_.locales() > 1;
  for (int looks = options_.crowded ? 1 : idle_looks; looks > 0; --looks) {
    any |= has_peers && post_.progress(true);
    if (inbox_.arrived.fetch() || any || watched_.is_over()) return true;
    if (!has_peers) pause();
  }
  return false;
}

// Senders wake the core; only events of the transport do not.
void messenger::sleep(std::chrono::nanoseconds most, std::chrono::nanoseconds waited) {
  // Blocks that stayed because their way was blocked go to the post office, where the locale's other cores
  // see them. One of them may learn that the way is free, and nobody wakes this core for that.
  send_due(open_blocks::looker::on_request);
  inbox_.sleep(std::min(most, post_.longest_sleep(waited)), [this] {
    return !inbox_.arrived.empty() || watched_.is_over() || transfers_.have_ended() || !errands_.empty() ||
           (awaits_returned() && !inbox_.returned.empty()) || !post_.may_sleep() || scheduler_.can_refill();
  });
}

// Returns handled blocks of the locale's other cores to them, some at a time or as a chore. Nobody waits for
// a single one, and each time costs a cache line that both cores write.
void messenger::return_handled() {
  for (auto rest = handled_.begin(); rest != handled_.end();) {
    const core_id from = (*rest)->source;
    const auto end = std::partition(rest, handled_.end(), [=](const block* b) { return b->source == from; });
    outbox_of(from).mate->inbox_.give_back(std::span<block* const>(rest, end));
    rest = end;
  }
  handled_.clear();
}

void messenger::handle(block* b) {
  looks_ = 0;
  const std::uint64_t messages = handlers_.handle(*b, &anchor, shape_, ledger_);
  scheduler_.count_work(messages - looks_);
  const core_id from = b->source;
  outbox& back = outbox_of(from);
  (back.mate ? received_near : received_far).add(messages);
  back.traffic->messages_received += messages;
  ++back.traffic->blocks_received;
  const bool counts = b->bytes > 0;
  back.blocks.held = b->hold;
  if (from == me_) {  // at once, because its tasks' delegates on their own core go by message meanwhile
    free_.push_back(b);
    if (counts) count_done(back, 1);
    if (!open_.has(me_) && back.blocks.in_flight() == 0) in_place_ = me_;
  } else if (back.mate) {
    handled_.push_back(b);
    if (handled_.size() > options_.blocks_in_flight / 4) return_handled();
  } else {
    if (counts) ++back.blocks.handled;
    if (!may_acknowledge(back.blocks, b->acknowledged)) [[unlikely]]
      fail_for_damage("a block", "it acknowledges more than was sent", shape_.locale_of(from));
    count_done(back, b->acknowledged - back.blocks.done);
    b->home->give_back(b);
  }
  if (may_open(back)) scheduler_.wake_all(back.waiting);
  const bool word_due = counts && inbox_.asks_to_hold() && !back.told_to_hold;
  if (word_due || owes_word(back.blocks, options_.blocks_in_flight)) acknowledge(from);
}

// Counts blocks that have been handled since the last count.
void messenger::count_done(outbox& out, std::uint32_t done) {
  const std::uint32_t before = beyond_bound(out);
  out.blocks.done += done;
  overdrawn_ -= before - beyond_bound(out);
  if (overdrawn_ == 0 && inbox_.asks_to_hold()) hold(false);
}

// Asks the cores that send to this one to hold, each when its next block is handled, or ends the hold of
// those that were asked.
void messenger::hold(bool yes) {
  inbox_.ask_to_hold(yes);
  if (yes) return;
  for (core_id to = 0; to < shape_.cores(); ++to) {
    if (outbox_of(to).told_to_hold) acknowledge(to);
  }
}

// Reports to `to` how many of its blocks are handled, and whether to hold. The report goes with the block
// that is open, or with an empty one, which does not count as a block.
void messenger::acknowledge(core_id to) {
  if (open_.has(to)) return seal(to, flush_reason::none);
  acknowledgements.add();
  ++outbox_of(to).traffic->acknowledgements_sent;
  block* empty = take_block(to);
  empty->bytes = 0;
  dispatch(to, empty, false);
}

void messenger::take_back_blocks() {
  block* next = nullptr;
  for (block* b = inbox_.returned.take_all(); b; b = next) {
    next = b->next;
    outbox& out = outbox_of(b->destination);
    if (out.mate) {
      const returned_blocks& batch = returned_blocks::of(*b);
      free_.insert(free_.end(), batch.others().begin(), batch.others().end());
      count_done(out, batch.counted());
      if (may_open(out)) scheduler_.wake_all(out.waiting);
    }
    free_.push_back(b);
  }
}

block* messenger::take_block(core_id to) {
  if (free_.empty() && !inbox_.returned.empty()) take_back_blocks();
  if (free_.empty()) {
    slabs_.push_back(base::make_aligned_bytes(blocks_per_slab * block_bytes));
    for (std::size_t k = 0; k < blocks_per_slab; ++k) {
      free_.push_back(reinterpret_cast<block*>(slabs_.back().get() + k * block_bytes));
    }
  }
  block* taken = free_.back();
  free_.pop_back();
  taken->home = &inbox_;
  taken->source = me_;
  taken->destination = to;
  return taken;
}

}  // namespace orujo::internal::messages
