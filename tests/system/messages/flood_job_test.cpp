// Floods: cores send more than others can take. Memory stays within what the settings say messages need.
//   job_tests --gtest_filter='flood*' --flood_bytes=2000000000     as much as one likes, on any launch
#include <gflags/gflags.h>
#include <glog/logging.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <vector>

#include "system/base/identity.hpp"
#include "system/base/sanitizers.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"
#include "tests/system/messages/resident_memory.hpp"

#if defined(ORUJO_THREAD_SANITIZER) || defined(ORUJO_ADDRESS_SANITIZER)
constexpr std::uint64_t usual_bytes = 2'000'000;
#else
constexpr std::uint64_t usual_bytes = 20'000'000;
#endif
DEFINE_uint64(flood_bytes, usual_bytes, "payload of each test of floods, over the whole job");

namespace orujo::internal::messages {
namespace {

using delegates::event_ref;

// The sanitizers' shadows and quarantines would be measured, too.
#if defined(ORUJO_THREAD_SANITIZER) || defined(ORUJO_ADDRESS_SANITIZER)
constexpr bool memory_can_be_measured = false;
#else
constexpr bool memory_can_be_measured = true;
#endif

// The rise of each process's peak of memory, against the limit.
class peaks {
 public:
  // [task; suspends] From now on.
  peaks() {
    delegates::call_on_all(
        [] {
          return process_at{getpid(), my_locale(), reset_peak_memory()};
        },
        [this](core_id, const process_at& p) {
          process& of = processes_[key(p)];
          of.base = std::max(of.base, p.bytes);
          of.locales.insert({p.locale, 0});
        });
    const runtime::job_options options = runtime::options_from_flags();
    for (auto& [k, of] : processes_) {
      for (auto& [locale, cap] : of.locales) {
        cap = runtime::message_memory_of(locale, shape(), options).sum();
        of.cap += cap;
      }
    }
  }

  // [task; suspends] Checks the peaks until now. Handlers send at most sent_by_handlers bytes for each byte
  // that they get, and are not stopped. Bytes in flight when they exceed the bound may therefore grow by that
  // factor.
  void expect_within_caps(const char* what, std::uint64_t sent_by_handlers = 0) {
    delegates::call_on_all(
        [] {
          return process_at{getpid(), my_locale(), memory_of_process("VmHWM")};
        },
        [this](core_id, const process_at& p) {
          process& of = processes_[key(p)];
          of.peak = std::max(of.peak, p.bytes);
        });
    for (const auto& [k, of] : processes_) {
      const std::uint64_t cap = of.cap * (1 + sent_by_handlers);
      const std::uint64_t grown = of.peak - std::min(of.peak, of.base);
      LOG(INFO) << what << ": locale " << of.locales.begin()->first << " at first " << of.base
                << " bytes, grew by " << grown << " of " << cap;
      if (memory_can_be_measured) {
        EXPECT_LE(of.peak, (of.base + cap) * 11 / 10)
            << what << ": locale " << of.locales.begin()->first << " grew by " << grown;
      }
    }
  }

 private:
  struct process_at {
    pid_t pid;
    locale_id locale;
    std::uint64_t bytes;
  };
  struct process {
    std::uint64_t base = 0, peak = 0, cap = 0;
    std::map<locale_id, std::uint64_t> locales;  // and their caps
  };
  // Processes of different nodes may have one number.
  static std::pair<pid_t, locale_id> key(const process_at& p) {
    const bool alone = p.pid != getpid();
    return {p.pid, alone ? p.locale : 0};
  }
  std::map<std::pair<pid_t, locale_id>, process> processes_;
};

constexpr std::size_t message_bytes = 2000;
struct large {
  std::array<std::byte, message_bytes> bytes;
};

// A core's count of received messages, and its speed.
struct receiver {
  std::uint64_t received = 0;
  bool slow = false;

  void take(const large&) {
    if (++received % 64 != 0 || !slow) return;
    const auto start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(1)) sched_yield();
  }
};
using receivers = containers::symmetric<receiver>;

// The parts of a test of a flood: the slow core, and a check that all messages arrived.
class flood_test {
 public:
  explicit flood_test(core_id slow = -1) : to_(receivers::reserve()) {
    loops::on_all_cores([to = to_, slow] { to.emplace_here().slow = my_core() == slow; });
  }
  ~flood_test() { to_.destroy(); }
  receivers to() const { return to_; }
  std::uint64_t received() const {
    return delegates::sum_of_all([to = to_] { return to.here().received; });
  }

 private:
  receivers to_;
};

std::uint64_t messages_of(std::uint64_t senders) { return FLAGS_flood_bytes / message_bytes / senders + 1; }

// [handler or task]
void send_large(event_ref event, receivers to, core_id destination) {
  delegates::async_call(event, destination, [to, message = large{}] { to.here().take(message); });
}

// Small and large messages travel both ways, so that every connection has its buffers.
void warm_up() {
  flood_test warm;
  delegates::completion_event all;
  loops::on_all_cores([to = warm.to(), event = all.ref()] {
    for (int k = 0; k < 100; ++k) {
      for (core_id c = 0; c < cores(); ++c) send_large(event, to, c);
    }
  });
  all.wait();
}

TEST(flood, of_one_slow_core_by_all_others_stays_within_the_caps) {
  if (cores() == 1) GTEST_SKIP() << "needs another core";
  const core_id slow = cores() - 1;
  warm_up();
  const flood_test flood(slow);
  peaks memory;
  delegates::completion_event all;
  const std::uint64_t each = messages_of(static_cast<std::uint64_t>(cores() - 1));
  for (core_id c = 0; c < cores() - 1; ++c) {
    delegates::async_spawn(all, c, [=, to = flood.to(), event = all.ref()] {
      for (std::uint64_t k = 0; k < each; ++k) send_large(event, to, slow);
    });
  }
  all.wait();
  EXPECT_EQ(flood.received(), each * static_cast<std::uint64_t>(cores() - 1));
  memory.expect_within_caps("one slow core");
}

TEST(flood, of_all_by_all_completes_within_the_caps) {
  warm_up();
  const flood_test flood;
  peaks memory;
  delegates::completion_event all;
  const auto count = static_cast<std::uint64_t>(cores());
  const std::uint64_t each = messages_of(count * count);
  loops::on_all_cores([=, to = flood.to(), event = all.ref()] {
    for (std::uint64_t k = 0; k < each; ++k) {
      for (core_id c = 0; c < cores(); ++c) send_large(event, to, c);
    }
  });
  all.wait();
  EXPECT_EQ(flood.received(), each * count * count);
  memory.expect_within_caps("all to all");
}

TEST(flood, of_requests_with_larger_replies_stays_within_what_the_requests_in_flight_ask_for) {
  warm_up();
  const flood_test flood;
  peaks memory;
  delegates::completion_event all;
  const core_id server = cores() - 1;
  const std::uint64_t each = messages_of(static_cast<std::uint64_t>(cores()));
  struct small {
    std::array<std::byte, message_bytes / 4> bytes;
  };
  loops::on_all_cores([=, to = flood.to(), event = all.ref()] {
    for (std::uint64_t k = 0; k < each; ++k) {
      delegates::async_call(event, server, [=, me = my_core(), request = small{}] {
        (void)request;
        send_large(event, to, me);
      });
    }
  });
  all.wait();
  EXPECT_EQ(flood.received(), each * static_cast<std::uint64_t>(cores()));
  memory.expect_within_caps("requests with larger replies", 4);
}

TEST(flood, handed_on_by_handlers_to_a_slow_core_stays_within_the_caps) {
  if (cores() < 3) GTEST_SKIP() << "needs a third core";
  const core_id slow = cores() - 1, middle = cores() - 2;
  warm_up();
  const flood_test flood(slow);
  peaks memory;
  delegates::completion_event all;
  const std::uint64_t each = messages_of(static_cast<std::uint64_t>(cores() - 2));
  for (core_id c = 0; c < cores() - 2; ++c) {
    delegates::async_spawn(all, c, [=, to = flood.to(), event = all.ref()] {
      for (std::uint64_t k = 0; k < each; ++k) {
        delegates::async_call(event, middle, [=, message = large{}] {
          (void)message;
          send_large(event, to, slow);
        });
      }
    });
  }
  all.wait();
  EXPECT_EQ(flood.received(), each * static_cast<std::uint64_t>(cores() - 2));
  memory.expect_within_caps("handed on by handlers", 1);
}

}  // namespace
}  // namespace orujo::internal::messages
