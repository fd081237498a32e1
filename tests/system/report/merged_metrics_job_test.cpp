#include "system/report/merged_metrics.hpp"

#include <gtest/gtest.h>

#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::report {
namespace {

const observe::counter calls("test.merged.calls", "of this test");
const observe::summary numbers("test.merged.numbers", "of cores");
const observe::histogram powers("test.merged.sizes", "powers of two");

TEST(merged_metrics, hold_what_every_core_recorded) {
  reset_metrics();
  loops::on_all_cores([] {
    calls.add(static_cast<std::uint64_t>(my_core()) + 1);
    numbers.record(my_core());
    for (int k = 0; k < 10; ++k) powers.record(std::uint64_t{1} << k);
  });
  const observe::metric_values merged = merged_metrics();
  const auto n = static_cast<std::uint64_t>(cores());
  EXPECT_EQ(merged.count_of("test.merged.calls"), n * (n + 1) / 2);
  EXPECT_EQ(merged.summary_of("test.merged.numbers").count, n);
  EXPECT_EQ(merged.summary_of("test.merged.numbers").largest, static_cast<double>(n - 1));
  EXPECT_DOUBLE_EQ(merged.summary_of("test.merged.numbers").mean, static_cast<double>(n - 1) / 2);
  EXPECT_EQ(merged.histogram_of("test.merged.sizes").count(), 10 * n);
  reset_metrics();
  EXPECT_EQ(merged_metrics().count_of("test.merged.calls"), 0u);
}

TEST(merged_metrics, of_the_runtime_agree_with_what_was_done) {
  reset_metrics();
  constexpr std::uint64_t per_pair = 5000;
  loops::on_all_cores([] {
    delegates::completion_event done;
    for (core_id to = 0; to < cores(); ++to) {
      for (std::uint64_t k = 0; k < per_pair && to != my_core(); ++k) {
        delegates::async_call(done.ref(), to, [] {});
      }
    }
    done.wait();
    for (int k = 0; k < 10; ++k) tasks::spawn([] {});
    tasks::yield();
  });
  const observe::metric_values m = merged_metrics();
  const auto n = static_cast<std::uint64_t>(cores());
  std::uint64_t mates = 0;  // ordered pairs of different cores of one locale
  for (locale_id l = 0; l < locales(); ++l) {
    const auto of_locale = static_cast<std::uint64_t>(shape().cores_of(l));
    mates += of_locale * (of_locale - 1);
  }
  const std::uint64_t strangers = n * (n - 1) - mates;
  const std::uint64_t near = m.count_of("messages.sent.same_locale"),
                      far = m.count_of("messages.sent.other_locale");
  EXPECT_GE(near, mates * per_pair);
  EXPECT_GE(far, strangers * per_pair);
  if (locales() == 1) {
    EXPECT_EQ(far + m.count_of("messages.received.other_locale"), 0u);
  }
  EXPECT_GE(m.count_of("messages.received.same_locale"), mates * per_pair);
  EXPECT_GE(m.count_of("messages.received.other_locale"), strangers * per_pair);
  EXPECT_GE(m.count_of("tasks.run"), 11 * n);
  if (n > 1) {
    EXPECT_GT(m.count_of("blocks.sent.full") + m.count_of("blocks.sent.idle") +
                  m.count_of("blocks.sent.requested") + m.count_of("blocks.sent.age"),
              0u);
    EXPECT_GE(m.count_of("blocks.bytes"), near + far);
  }
  EXPECT_GE(m.count_of("parcels.bytes"), 8 * far / 10);
}

std::uint64_t sent_here() {
  observe::metric_values mine;
  mine.merge(observe::all_values_here());
  return mine.count_of("messages.sent.same_locale") + mine.count_of("messages.sent.other_locale");
}

TEST(merged_metrics, count_each_message_once) {
  // As in a handler: then messages to this core itself travel, too.
  const tasks::scheduler::handler_scope as_in_a_handler(*tasks::scheduler::here());
  const core_id to = cores() - 1;
  messages::messenger& here = messages::messenger::here();
  here.flush_all();
  const std::uint64_t before = sent_here();
  for (int k = 0; k < 1000; ++k) {
    here.send(to, [] {});
    if (k % 3 == 0) here.send(to, [k] { EXPECT_GE(k, 0); });  // another type: a run of its own
    if (k % 100 == 0) here.flush(to);
  }
  here.flush_all();
  EXPECT_EQ(sent_here() - before, 1000u + 334u);  // nothing else was sent: this task did not yield
}

}  // namespace
}  // namespace orujo::internal::report
