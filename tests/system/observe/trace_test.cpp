#include "system/observe/trace.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace orujo::internal::observe {
namespace {

constexpr trace_kind numbered{"test", trace_shape::instant, "number"};

trace_event event(std::uint64_t number) { return {"event", &numbered, number, 0, number}; }

TEST(trace_ring, keeps_all_events_while_there_is_room) {
  trace_ring ring(5);
  EXPECT_EQ(ring.size(), 0u);
  for (std::uint64_t k = 0; k < 5; ++k) {
    ring.record(event(k));
    ASSERT_EQ(ring.size(), k + 1);
    for (std::size_t i = 0; i <= k; ++i) EXPECT_EQ(ring[i].first, i);
  }
  EXPECT_EQ(ring.dropped(), 0u);
}

TEST(trace_ring, drops_the_oldest_and_counts_them) {
  trace_ring ring(5);
  for (std::uint64_t k = 0; k < 5; ++k) ring.record(event(k));
  for (std::uint64_t k = 5; k < 23; ++k) {
    ring.record(event(k));
    ASSERT_EQ(ring.size(), 5u);
    ASSERT_EQ(ring.dropped(), k - 4);
    for (std::size_t i = 0; i < 5; ++i) ASSERT_EQ(ring[i].first, k - 4 + i);
  }
}

TEST(trace, records_nothing_until_it_is_begun_and_after_it_is_ended) {
  EXPECT_FALSE(tracing());
  { trace_scope nobody_looks("before"); }
  {
    trace_scope begun_before("outer");
    begin_trace_here(100);
    trace_scope inner("inner", 7);
    trace_instant("moment");
    trace_counter("level", 42);
  }
  EXPECT_TRUE(tracing());
  {
    trace_scope ends_too_late("late");
    end_trace_here();
  }
  trace_instant("after");
  const trace_ring& ring = trace_here();
  ASSERT_EQ(ring.size(), 3u);
  EXPECT_STREQ(ring[0].name, "moment");
  EXPECT_STREQ(ring[1].name, "level");
  EXPECT_EQ(ring[1].first, 42u);
  EXPECT_STREQ(ring[2].name, "inner");
  EXPECT_EQ(ring[2].first, 7u);
  EXPECT_LE(ring[2].start, ring[0].start);
  EXPECT_GE(ring[2].start + ring[2].duration, ring[1].start);
}

TEST(trace, begins_empty_each_time) {
  begin_trace_here(10);
  trace_instant("old");
  begin_trace_here(10);
  end_trace_here();
  EXPECT_EQ(trace_here().size(), 0u);
}

TEST(trace, is_of_one_core) {
  begin_trace_here(10);
  std::thread([] {
    EXPECT_FALSE(tracing());
    begin_trace_here(10);
    trace_instant("there");
    EXPECT_EQ(trace_here().size(), 1u);
  }).join();
  end_trace_here();
  EXPECT_EQ(trace_here().size(), 0u);
}

}  // namespace
}  // namespace orujo::internal::observe
