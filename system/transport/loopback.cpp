#include "system/transport/loopback.hpp"

#include <glog/logging.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <utility>

#include "system/base/aligned_bytes.hpp"
#include "system/base/by_core.hpp"
#include "system/base/random.hpp"

namespace orujo::internal::transport {
namespace {

// The state that all ends share. One lock suffices, because this transport is for tests and trials.
class fabric {
 public:
  fabric(int locales, const loopback_options& options)
      : locales_(locales),
        chaos_(options.chaos_seed != 0),
        random_(options.chaos_seed),
        links_(locales * locales),
        transfers_to_(locales),
        ended_sends_(locales),
        gathered_(locales),
        alarm_memory_(locales),
        alarms_(locales),
        cores_of_(locales),
        work_memory_(locales),
        pulses_(locales),
        under_way_to_(locales) {
    if (options.chaos_seed % 2 == 0 || locales == 1) return;
    board_memory_ = base::make_aligned_bytes(node::board::bytes_for(locales));
    node::board::clear(board_memory_.get());
  }

  int locales() const { return locales_; }

  void send(int from, const parcel& full) {
    std::lock_guard lock(mutex_);
    const std::uint64_t delay = chaos_ ? random_.below(8) : 0;
    link(from, full.peer).push_back({std::vector<std::byte>(full.data, full.data + full.bytes), delay});
    bring(full.peer);
  }

  // Any thread; a hint, but true for anything whose wake-up has been sent.
  bool has_anything_for(int at) const { return under_way_to_[at] != 0; }

  // Called before the locale `at` meets the others, which wake its cores only after that.
  node::alarms make_alarms(int at, int cores) {
    base::aligned_bytes memory = base::make_aligned_bytes(node::alarms::bytes_for(cores));
    std::memset(memory.get(), 0, node::alarms::bytes_for(cores));
    const node::alarms made(memory.get(), cores);
    std::lock_guard lock(mutex_);
    alarm_memory_[at] = std::move(memory);
    cores_of_[at] = cores;
    return alarms_[at] = made;
  }

  // Called when all have created their wake-up flags.
  meeting_place make_place(int at) {
    if (!board_memory_) return {};
    return {node::board(board_memory_.get(), at, alarms_), {0}, share_work()};
  }

  node::pulse* pulse(int of) { return &pulses_[of]; }

  enum class arrival { none, delayed, arrived };

  // Fills `into` with the next parcel for this locale, if one has arrived.
  arrival receive(int at, parcel& into) {
    std::lock_guard lock(mutex_);
    const int start = chaos_ ? static_cast<int>(random_.below(static_cast<std::uint64_t>(locales_))) : 0;
    auto found = arrival::none;
    for (int k = 0; k < locales_; ++k) {
      const int from = (start + k) % locales_;
      auto& waiting = link(from, at);
      if (waiting.empty()) continue;
      found = arrival::delayed;
      if (waiting.front().polls_left-- > 0) continue;
      const std::vector<std::byte>& bytes = waiting.front().bytes;
      std::memcpy(into.data, bytes.data(), bytes.size());
      into.bytes = static_cast<std::uint32_t>(bytes.size());
      into.peer = from;
      waiting.pop_front();
      --under_way_to_[at];
      return arrival::arrived;
    }
    return found;
  }

  // The sender's memory is read when the transfer arrives; under chaos sometimes at once, as MPI may.
  void send_transfer(int from, parcel& full) {
    std::lock_guard lock(mutex_);
    transfer_under_way& t = transfer_of(from, full.peer, full.transfer_number);
    CHECK(!t.sent && !t.copied) << "transfer " << full.transfer_number << " sent twice";
    t.polls_left = chaos_ ? random_.below(16) : 0;
    t.bytes = full.bytes;
    t.sent = &full;
    bring(full.peer);
    if (!chaos_ || random_.below(2) == 0) return;
    t.copied = std::vector<std::byte>(full.data, full.data + full.bytes);
    ended_sends_[from].push_back(std::exchange(t.sent, nullptr));
    bring(from);
  }
  void receive_transfer(int at, parcel& empty) {
    std::lock_guard lock(mutex_);
    transfer_under_way& t = transfer_of(empty.peer, at, empty.transfer_number);
    CHECK(!t.place) << "transfer " << empty.transfer_number << " awaited twice";
    t.place = &empty;
  }
  // Collects this locale's ended transfers, sends first. Returns true if some are delayed.
  bool end_transfers(int at, std::vector<parcel*>& sent, std::vector<parcel*>& received) {
    std::lock_guard lock(mutex_);
    auto& arriving = transfers_to_[at];
    bool delayed = false;
    for (auto next = arriving.begin(); next != arriving.end();) {
      transfer_under_way& t = next->second;
      const bool late = t.complete() && t.polls_left-- > 0;
      delayed |= late;
      if (late || !t.complete()) {
        ++next;
        continue;
      }
      CHECK_EQ(t.bytes, t.place->capacity) << "a transfer of another size";
      if (t.bytes > 0) std::memcpy(t.place->data, t.sent ? t.sent->data : t.copied->data(), t.bytes);
      t.place->bytes = t.bytes;
      received.push_back(t.place);
      if (t.sent) {
        ended_sends_[static_cast<std::size_t>(next->first.first)].push_back(t.sent);
        bring(next->first.first);
      }
      next = arriving.erase(next);
      --under_way_to_[at];
    }
    sent = std::exchange(ended_sends_[at], {});
    under_way_to_[at] -= static_cast<int>(sent.size());
    return delayed;
  }
  // Drops transfers to this locale that lack a side.
  void drop_transfers(int at) {
    std::lock_guard lock(mutex_);
    transfers_to_[at].clear();
  }

  bool nothing_for(int at) {
    std::lock_guard lock(mutex_);
    for (const auto& [key, t] : transfers_to_[at]) {
      if (t.complete()) return false;
    }
    for (int from = 0; from < locales_; ++from) {
      if (!link(from, at).empty()) return false;
    }
    return true;
  }

  std::vector<std::uint64_t> all_gather(int from, std::uint64_t mine) {
    {
      std::lock_guard lock(mutex_);
      gathered_[from] = mine;
    }
    meet([] {});
    std::vector<std::uint64_t> all;
    {
      std::lock_guard lock(mutex_);
      all = gathered_;
    }
    meet([] {});
    return all;
  }

  // A barrier of all locales that calls `meanwhile` until it ends.
  template <class F>
  void meet(F meanwhile) {
    std::uint64_t generation;
    {
      std::lock_guard lock(mutex_);
      generation = generation_;
      if (++met_ == locales_) {
        met_ = 0;
        ++generation_;
        return;
      }
    }
    for (;;) {
      {
        std::lock_guard lock(mutex_);
        if (generation_ != generation) return;
      }
      meanwhile();
      sched_yield();
    }
  }

 private:
  // The first caller makes the memory.
  node::work_tables share_work() {
    const int cores = std::accumulate(cores_of_.begin(), cores_of_.end(), 0);
    node::work_tables work;
    std::lock_guard lock(mutex_);
    for (int l = 0; l < locales_; ++l) {
      const std::size_t bytes =
          static_cast<std::size_t>(cores_of_[l]) * node::work_table::bytes_for(cores);
      if (!work_memory_[l]) {
        work_memory_[l] = base::make_aligned_bytes(bytes);
        std::memset(work_memory_[l].get(), 0, bytes);
      }
      work.add(work_memory_[l].get(), cores_of_[l], cores);
    }
    return work;
  }

  struct in_flight {
    std::vector<std::byte> bytes;
    std::uint64_t polls_left;
  };
  struct transfer_under_way {
    parcel* sent = nullptr;                        // where its bytes are
    std::optional<std::vector<std::byte>> copied;  // or the bytes themselves
    parcel* place = nullptr;                       // where they belong
    std::uint32_t bytes = 0;
    std::uint64_t polls_left = 0;
    bool complete() const { return place && (sent || copied); }
  };
  // Call it with the lock held. Counts one more parcel, transfer or end of a sent transfer for this locale.
  void bring(int to) {
    ++under_way_to_[to];
    alarms_[to].ring_one();
  }
  transfer_under_way& transfer_of(int from, int to, std::uint32_t number) {
    return transfers_to_[to][{from, number}];
  }
  std::deque<in_flight>& link(int from, int to) { return links_[from * locales_ + to]; }

  const int locales_;
  const bool chaos_;
  std::mutex mutex_;
  random_stream random_;
  by_locale<std::deque<in_flight>> links_;  // by source and destination
  // By destination; then by source and number.
  by_locale<std::map<std::pair<int, std::uint32_t>, transfer_under_way>> transfers_to_;
  by_locale<std::vector<parcel*>> ended_sends_;  // by source; not yet reported
  by_locale<std::uint64_t> gathered_;
  by_locale<base::aligned_bytes> alarm_memory_;
  by_locale<node::alarms> alarms_;
  by_locale<int> cores_of_;
  by_locale<base::aligned_bytes> work_memory_;  // of the cores of each
  base::aligned_bytes board_memory_;
  by_locale<node::pulse> pulses_;
  by_locale<std::atomic<int>> under_way_to_;  // counted by bring() and not taken yet
  int met_ = 0;
  std::uint64_t generation_ = 0;
};

class loopback_transport final : public transport {
 public:
  loopback_transport(std::shared_ptr<fabric> shared, int locale)
      : fabric_(std::move(shared)), locale_(locale) {}

  int locale() const override { return locale_; }
  int locales() const override { return fabric_->locales(); }

  void send(parcel& full) override {
    if (full.transfer_number) return fabric_->send_transfer(locale_, full);
    fabric_->send(locale_, full);
    sent_.push_back(&full);
  }

  void provide(parcel& empty) override {
    if (empty.transfer_number) return fabric_->receive_transfer(locale_, empty);
    buffers_.push_back(&empty);
  }

  bool poll(listener& to) override {
    bool any = !sent_.empty();
    for (parcel* done : sent_) to.sent(*done);
    sent_.clear();
    if (!fabric_->has_anything_for(locale_)) return any;
    while (!buffers_.empty()) {
      const fabric::arrival next = fabric_->receive(locale_, *buffers_.front());
      // Delays are counted in polls: a locale that waits for the end of one is not idle.
      any |= next != fabric::arrival::none;
      if (next != fabric::arrival::arrived) break;
      parcel& full = *buffers_.front();
      buffers_.pop_front();
      to.received(full);
    }
    return end_transfers(to) || any;
  }

  node::alarms make_alarms(int cores) override {
    const node::alarms mine = fabric_->make_alarms(locale_, cores);
    fabric_->meet([] {});
    return mine;
  }
  meeting_place take_board() override { return fabric_->make_place(locale_); }
  void exchange_pulses(const node::pulse&) override {}
  std::vector<node::pulse*> pulses() override {
    std::vector<node::pulse*> all;
    for (int k = 0; k < locales(); ++k) all.push_back(fabric_->pulse(k));
    return all;
  }
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds) const override {
    return std::chrono::hours(1);
  }

  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override {
    return fabric_->all_gather(locale_, mine);
  }

  void close(listener& to, const std::function<void()>& meanwhile) override {
    fabric_->meet([&] {
      poll(to);
      meanwhile();
    });
    while (!fabric_->nothing_for(locale_)) {
      poll(to);
      meanwhile();
    }
    fabric_->drop_transfers(locale_);
    fabric_->meet([&] { poll(to); });
    poll(to);
    buffers_.clear();
  }

 private:
  bool end_transfers(listener& to) {
    ended_sends_.clear();
    ended_receives_.clear();
    const bool delayed = fabric_->end_transfers(locale_, ended_sends_, ended_receives_);
    for (parcel* done : ended_sends_) to.sent(*done);
    for (parcel* done : ended_receives_) to.received(*done);
    return delayed || !ended_sends_.empty() || !ended_receives_.empty();
  }

  std::shared_ptr<fabric> fabric_;
  int locale_;
  std::deque<parcel*> buffers_;
  std::vector<parcel*> sent_;
  std::vector<parcel*> ended_sends_, ended_receives_;  // scratch
};

}  // namespace

std::vector<std::unique_ptr<transport>> make_loopback(int locales, const loopback_options& options) {
  auto shared = std::make_shared<fabric>(locales, options);
  std::vector<std::unique_ptr<transport>> ends;
  for (int k = 0; k < locales; ++k) ends.push_back(std::make_unique<loopback_transport>(shared, k));
  return ends;
}

}  // namespace orujo::internal::transport
