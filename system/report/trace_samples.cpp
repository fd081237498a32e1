#include "system/report/trace_samples.hpp"

#include <chrono>
#include <cstdint>

#include "system/base/identity.hpp"
#include "system/base/ticks.hpp"
#include "system/delegates/delegate.hpp"
#include "system/machine/available_memory.hpp"
#include "system/messages/messenger.hpp"
#include "system/observe/trace.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::report {
namespace {

constexpr observe::trace_kind tasks_kind{"samples", observe::trace_shape::counter, "tasks"};
constexpr observe::trace_kind rate_kind{"samples", observe::trace_shape::counter, "per second"};
constexpr observe::trace_kind memory_kind{"samples", observe::trace_shape::counter, "bytes"};

struct message_counts {
  std::uint64_t sent = 0, handled = 0;
};

message_counts count_messages() {
  message_counts all;
  for (const messages::block_traffic& peer : messages::messenger::here().traffic()) {
    all.sent += peer.messages_sent;
    all.handled += peer.messages_received;
  }
  return all;
}

// One core's curves, with its counts at the last sample.
class sampler {
 public:
  void sample() {
    const message_counts now = count_messages();
    const std::uint64_t when = base::now_ns();
    const double seconds = static_cast<double>(when - when_) * 1e-9;
    observe::record_instant("tasks ready", tasks_kind, tasks::scheduler::here()->ready_tasks());
    record_rate("messages sent", now.sent - last_.sent, seconds);
    record_rate("messages handled", now.handled - last_.handled, seconds);
    if (leads_locale()) observe::record_instant("memory", memory_kind, machine::resident_memory());
    last_ = now;
    when_ = when;
  }

 private:
  static void record_rate(const char* name, std::uint64_t count, double seconds) {
    const double rate = seconds > 0 ? static_cast<double>(count) / seconds : 0;
    observe::record_instant(name, rate_kind, static_cast<std::uint64_t>(rate));
  }

  message_counts last_ = count_messages();
  std::uint64_t when_ = base::now_ns();
};

}  // namespace

void trace_samples::begin() {
  over_ = std::make_unique<delegates::completion_event>();
  for (core_id c = 0; c < cores(); ++c) {
    delegates::async_spawn(over_->ref(), c, [] {
      for (sampler mine; observe::tracing();) {
        mine.sample();
        tasks::scheduler::here()->pause(std::chrono::milliseconds(1), "the time for the next sample",
                                        tasks::scheduler::pauses::to_look_again);
      }
    });
  }
}

void trace_samples::end() {
  if (over_) over_->wait();
  over_.reset();
}

}  // namespace orujo::internal::report
