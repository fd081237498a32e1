#include "system/transport/loopback.hpp"

#include <sched.h>

#include <cstring>
#include <deque>
#include <mutex>
#include <utility>

#include "system/base/random.hpp"

namespace orujo::transport {
namespace {

// What all ends share. One lock for all: this transport is for tests and for trying things out.
class fabric {
 public:
  fabric(int locales, const loopback_options& options)
      : locales_(locales),
        chaos_(options.chaos_seed != 0),
        random_(options.chaos_seed),
        links_(static_cast<std::size_t>(locales) * locales),
        gathered_(static_cast<std::size_t>(locales)) {}

  int locales() const { return locales_; }

  void send(int from, const parcel& full) {
    std::lock_guard lock(mutex_);
    const std::uint64_t delay = chaos_ ? random_.below(8) : 0;
    link(from, full.peer).push_back({std::vector<std::byte>(full.data, full.data + full.bytes), delay});
  }

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
      return arrival::arrived;
    }
    return found;
  }

  bool nothing_for(int at) {
    std::lock_guard lock(mutex_);
    for (int from = 0; from < locales_; ++from) {
      if (!link(from, at).empty()) return false;
    }
    return true;
  }

  std::vector<std::uint64_t> all_gather(int from, std::uint64_t mine) {
    {
      std::lock_guard lock(mutex_);
      gathered_[static_cast<std::size_t>(from)] = mine;
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
  struct in_flight {
    std::vector<std::byte> bytes;
    std::uint64_t polls_left;
  };
  std::deque<in_flight>& link(int from, int to) {
    return links_[static_cast<std::size_t>(from) * locales_ + to];
  }

  const int locales_;
  const bool chaos_;
  std::mutex mutex_;
  random_stream random_;
  std::vector<std::deque<in_flight>> links_;
  std::vector<std::uint64_t> gathered_;
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
    fabric_->send(locale_, full);
    sent_.push_back(&full);
  }

  void provide(parcel& empty) override { buffers_.push_back(&empty); }

  bool poll(listener& to) override {
    bool any = !sent_.empty();
    for (parcel* done : std::exchange(sent_, {})) to.sent(*done);
    while (!buffers_.empty()) {
      const fabric::arrival next = fabric_->receive(locale_, *buffers_.front());
      // Delays are counted in polls: a locale that waits for the end of one is not idle.
      any |= next != fabric::arrival::none;
      if (next != fabric::arrival::arrived) break;
      parcel& full = *buffers_.front();
      buffers_.pop_front();
      to.received(full);
    }
    return any;
  }

  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override {
    return fabric_->all_gather(locale_, mine);
  }

  void close(listener& to, const std::function<void()>& meanwhile) override {
    fabric_->meet([&] {
      poll(to);
      meanwhile();
    });
    while (!fabric_->nothing_for(locale_)) poll(to);
    poll(to);
    buffers_.clear();
  }

 private:
  std::shared_ptr<fabric> fabric_;
  int locale_;
  std::deque<parcel*> buffers_;
  std::vector<parcel*> sent_;
};

}  // namespace

std::vector<std::unique_ptr<transport>> make_loopback(int locales, const loopback_options& options) {
  auto shared = std::make_shared<fabric>(locales, options);
  std::vector<std::unique_ptr<transport>> ends;
  for (int k = 0; k < locales; ++k) ends.push_back(std::make_unique<loopback_transport>(shared, k));
  return ends;
}

}  // namespace orujo::transport
