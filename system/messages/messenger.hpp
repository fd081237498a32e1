// One core's messages. Sent closures gather in blocks per destination; arrived blocks are handled run by run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/aligned_bytes.hpp"
#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/messages/block.hpp"
#include "system/messages/credits.hpp"
#include "system/messages/handlers.hpp"
#include "system/messages/inbox.hpp"
#include "system/messages/mailbox.hpp"
#include "system/messages/open_blocks.hpp"
#include "system/messages/post_office.hpp"
#include "system/messages/traffic.hpp"
#include "system/messages/transfers.hpp"
#include "system/messages/wire.hpp"
#include "system/messages/work_ledger.hpp"
#include "system/node/alarms.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::messages {

struct messenger_options {
  std::uint64_t flush_age_ns = 50'000;
  // If larger: the flush timeout grows up to this with the number of destinations at other locales
  // (patience_ns()).
  std::uint64_t most_flush_age_ns = 0;
  // Blocks sent to one core and not yet handled there; a task that would exceed it suspends. Handlers never
  // do. If they exceed the bound by this many blocks, over all destinations, their core asks the tasks that
  // send to it to hold.
  std::uint32_t blocks_in_flight = 16;
  bool crowded = false;        // more cores than CPUs: without work, this core polls for messages once
  bool more_when_far = false;  // between distant nodes: as many as the delay requires
};

// A closure can travel if its bytes are all of its state.
template <class F>
concept can_travel = std::is_trivially_copyable_v<F> && std::is_trivially_destructible_v<F> &&
                     (alignof(F) <= message_alignment) &&
                     (sizeof(F) <= max_message_bytes);

// Functions that take a closure to another core begin with this, so that the compiler names the caller's
// line.
template <class F>
constexpr void check_travels() {
  static_assert(std::is_class_v<F>,
                "a pointer to a function means nothing in another process: wrap the call in a lambda");
  static_assert(can_travel<F>,
                "this closure cannot travel to another core: capture only trivially copyable values of at "
                "most 4 KiB in all (ids, numbers, global addresses), no strings, vectors or owning pointers; "
                "call, call_task, async_call, async_spawn and on_all_cores take such values after the "
                "closure, call(core, [](const std::string& text) { ... }, text)");
}

// Ends the job as misuse: the job does not have this core.
[[noreturn]] void refuse_core(core_id core);
// Ends the job: a message from core `from` of the calling core's job is malformed.
[[noreturn]] void fail_for_damaged_message(const char* fault, core_id from);

// A closure's member prefetch(), if it has one, is called this many messages before its turn in a run.
inline constexpr std::uint32_t prefetch_distance = 16;

// Runs every closure of a run; the default handler of a message type.
template <class F>
void run_closures(const run& r) {
  const F* closures = reinterpret_cast<const F*>(r.data);
  std::uint32_t k = 0;
  if constexpr (requires(const F& f) { f.prefetch(); }) {
    for (; k + prefetch_distance < r.count; ++k) {
      closures[k + prefetch_distance].prefetch();
      closures[k]();
    }
  }
  for (; k < r.count; ++k) closures[k]();
}

// Calls every closure of a run with its payload.
template <class F>
void run_closures_with_payload(const run& r) {
  payload_messages messages{r.data, r.data + r.bytes};
  for (std::uint32_t k = 0; k < r.count; ++k) {
    const std::byte* closure;
    std::span<const std::byte> payload;
    if (const char* fault = messages.next(sizeof(F), closure, payload)) [[unlikely]]
      fail_for_damaged_message(fault, r.source);
    (*reinterpret_cast<const F*>(closure))(payload);
  }
}

// Used by its own core only, except where said otherwise. Messages to one core arrive in the order sent.
class messenger final : public tasks::poller {
 public:
  messenger(core_id me, const job_shape& shape, post_office& post, tasks::scheduler& scheduler,
            node::alarms locale_alarms, const messenger_options& options);
  messenger(const messenger&) = delete;
  ~messenger();

  static constexpr base::core_part part = base::core_part::messenger;
  // The calling core's messenger.
  static messenger& here() { return base::part_of_this_core<messenger>(); }
  // Before the cores start: the messengers of this locale, by core within the locale, and the counts of work
  // that the node's locales share.
  void connect(std::span<messenger* const> locale_mates, const node::work_tables& on_node = {});

  core_id core() const { return me_; }
  const job_shape& shape() const { return shape_; }
  // The events' work at this core. Messages whose tag is an event's number count in it.
  work_ledger& ledger() { return ledger_; }
  // The transfers, for data too large for blocks.
  transfers& large() { return transfers_; }
  // [handler] Marks the current message as a mere poll of the progress of others, or an answer to one. A
  // watchdog does not count it as work.
  void count_as_look() { ++looks_; }
  // Number of times that a task had to wait before it could send.
  std::uint64_t suspended_sends() const { return suspended_sends_; }
  // This core's traffic by peer locale; sealed blocks only.
  const by_locale<block_traffic>& traffic() const { return traffic_; }
  // Resets all but the posted and packed counts, whose difference is the number of waiting blocks.
  void reset_traffic();
  // This locale's post office.
  post_office& post() const { return post_; }

  // Sends f, to run once at core `to` in a message handler, where it must not suspend. If `to` is this core f
  // runs at once, except from a handler. A task may suspend while its send window to `to` is full; a handler
  // never does.
  template <class F>
  void send(core_id to, const F& f) {
    check_travels<F>();
    static_assert(std::is_invocable_v<const F&>,
                  "a message is a closure without arguments (and not mutable)");
    if (to == me_ && may_run_at_once()) return scheduler_.run_as_handler([&] { f(); });
    send_counted<F, &run_closures<F>>(to, f, no_tag);
  }
  // As send above, for messages that an event counts, whose number is the tag: as issued from now on, and as
  // done when they have been handled. Those to this core wait in a block, too.
  template <class F, handler Handler = &run_closures<F>>
  void send_counted(core_id to, const F& f, std::uint32_t tag) {
    check_travels<F>();
    static_cast<void>(&announcement<Handler, sizeof(F)>);
    std::memcpy(reserve<true>(to, id_of(Handler), tag, sizeof(F)), &f, sizeof(F));
  }

  // As send above, with less code where it is called: for messages that are not sent by the million.
  template <class F, handler Handler = &run_closures<F>>
  void send_seldom(core_id to, const F& f) {
    check_travels<F>();
    static_cast<void>(&announcement<Handler, sizeof(F)>);
    send_bytes(to, Handler, &f, sizeof(F));
  }

  // Returns whether `core` is this one and has handled all messages that it has sent itself. If so, a task's
  // closure for it may run in place, without overtaking the task's earlier messages. Costs as much as a
  // comparison with core().
  bool may_run_in_place(core_id core) const { return core == in_place_; }
  bool has_caught_up() const { return in_place_ == me_; }
  tasks::scheduler& scheduler() const { return scheduler_; }

  // Sends f(std::span<const std::byte>) with a payload. It is copied, and 8-byte aligned at the handler.
  static constexpr std::size_t max_payload_bytes(std::size_t closure_bytes) {
    return max_message_bytes - padded(closure_bytes) - 8 - 8;
  }
  template <class F>
  void send_with_payload(core_id to, const F& f, std::span<const std::byte> payload,
                         std::uint32_t tag = no_tag) {
    check_travels<F>();
    constexpr handler run = &run_closures_with_payload<F>;
    static_cast<void>(&announcement<run, 0>);
    send_bytes_with_payload(to, run, std::as_bytes(std::span(&f, 1)), payload, tag);
  }

  // Sends the open block for this core, or all open blocks, at once and without aggregation on the way.
  void flush(core_id to);
  void flush_all() { send_due(open_blocks::looker::on_request); }

  // tasks::poller.
  bool poll() override;
  bool idle() override;
  void sleep(std::chrono::nanoseconds most, std::chrono::nanoseconds waited) override;

  // [task] Each poll reads a word in memory that others write, until it is at least `least`. Then the tasks
  // in `waiting` resume. One word at a time; the writer wakes this core.
  void watch(const std::atomic<std::uint64_t>& word, std::uint64_t least, tasks::wait_queue& waiting) {
    watched_ = {&word, least, &waiting};
  }

  // Where other threads of this locale deliver blocks for this core.
  inbox& arrivals() { return inbox_; }
  // Any thread, also one that is no core: has this core run f() at its next poll, in a handler.
  void do_errand(std::function<void()> f) {
    errands_.push(new errand{nullptr, std::move(f)});
    inbox_.ring();
  }

 private:
  // The traffic under way to one core. Blocks for another locale are counted by acknowledgement, others by
  // return.
  struct alignas(base::cache_line_bytes) outbox {
    block_traffic* traffic = nullptr;  // with the destination's locale
    messenger* mate = nullptr;         // the destination, if it is of this locale
    credits blocks;
    bool told_to_hold = false;  // this core has asked it to hold
    tasks::wait_queue waiting;  // tasks that may not send more for now
  };

  static handler_id id_of(handler h) {
    return static_cast<handler_id>(reinterpret_cast<std::intptr_t>(h) -
                                   reinterpret_cast<std::intptr_t>(&anchor));
  }
  [[gnu::visibility("hidden")]] static void anchor(const run&);
  static constexpr core_id no_core = std::numeric_limits<core_id>::min();  // no caller asks for it

  struct errand {
    errand* next;
    std::function<void()> run;
  };

  struct watched {
    const std::atomic<std::uint64_t>* word = nullptr;
    std::uint64_t least = 0;
    tasks::wait_queue* waiting = nullptr;
    bool is_over() const { return word && word->load(std::memory_order_seq_cst) >= least; }
  };

  static void require_fits(std::size_t message_bytes) {
    require(message_bytes <= max_message_bytes, "a message larger than a block: send it in pieces");
  }
  // A task's messages to its own core need no block, unless earlier ones still are in one.
  bool may_run_at_once() const { return scheduler_.may_suspend() && has_caught_up(); }

  void send_bytes(core_id to, handler run, const void* message, std::size_t bytes);
  void send_bytes_with_payload(core_id to, handler run, std::span<const std::byte> closure,
                               std::span<const std::byte> payload, std::uint32_t tag);

  // Returns room for one message of a type and tag in the open block for `to`.
  template <bool EquallyLarge>
  std::byte* reserve(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes) {
    if (open_.goes_on<EquallyLarge>(to, id, tag, bytes)) [[likely]]
      return open_.append<EquallyLarge>(to, bytes);
    return start_run(to, id, tag, bytes, EquallyLarge);
  }
  std::byte* start_run(core_id to, handler_id id, std::uint32_t tag, std::size_t bytes, bool equally_large);
  outbox& outbox_of(core_id to) { return outboxes_[to]; }
  bool may_open(const outbox& out) const { return messages::may_open(out.blocks, options_.blocks_in_flight); }
  std::uint32_t beyond_bound(const outbox& out) const {
    return messages::beyond_bound(out.blocks, options_.blocks_in_flight);
  }
  void count_done(outbox& out, std::uint32_t done);
  void hold(bool yes);
  // True if returned blocks may wake tasks or end the hold.
  bool awaits_returned() const { return suspended_ > 0 || inbox_.asks_to_hold(); }
  void seal(core_id to, flush_reason why);
  void dispatch(core_id to, block* b, bool urgent);
  void send_due(open_blocks::looker as);
  void handle(block* b);
  bool run_errands();
  void end_watch();
  void return_handled();
  void acknowledge(core_id to);
  void take_back_blocks();
  block* take_block(core_id to);

  const core_id me_;
  core_id in_place_ = me_;  // none while messages of this core to itself wait
  const job_shape& shape_;
  post_office& post_;
  tasks::scheduler& scheduler_;
  const messenger_options options_;
  watched watched_;
  work_ledger ledger_;
  open_blocks open_;
  by_core<outbox> outboxes_;  // by core of the job
  by_locale<block_traffic> traffic_;
  std::vector<block*> free_;
  std::vector<block*> handled_;  // of this locale's other cores, to be returned
  int suspended_ = 0;            // tasks that wait in start_run()
  std::vector<base::aligned_bytes> slabs_;
  std::uint64_t last_chores_ = 0;  // in ticks
  std::uint64_t suspended_sends_ = 0;
  std::uint64_t looks_ = 0;      // among the messages of the block that is being handled
  std::uint64_t overdrawn_ = 0;  // blocks in flight beyond the bound, which only handlers send
  known_handlers handlers_;
  inbox inbox_;
  transfers transfers_;
  mailbox<errand> errands_;
};

}  // namespace orujo::internal::messages
