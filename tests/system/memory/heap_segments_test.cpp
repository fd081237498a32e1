#include "system/memory/heap_segments.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/memory/budget.hpp"
#include "system/transport/loopback.hpp"

DECLARE_uint64(global_heap_bytes);
DECLARE_uint64(memory_budget_bytes);

namespace orujo::internal::memory {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

// Calls f(segments) at every locale of a job.
template <class F>
void at_every_locale(const job_shape& shape, const F& f) {
  auto links = transport::make_loopback(shape.locales(), {0});
  std::vector<std::thread> locales;
  for (auto& link : links) {
    locales.emplace_back([&] { f(heap_segments(*link, shape, budget_of_locale(*link)), link->locale()); });
  }
  for (std::thread& t : locales) t.join();
}

TEST(heap_segments, are_equally_large_apart_and_known_to_all) {
  const gflags::FlagSaver saver;
  FLAGS_global_heap_bytes = 3 * mib;
  const job_shape shape({2, 1, 3});
  std::vector<std::vector<std::byte*>> tables(3);
  at_every_locale(shape, [&](const heap_segments& segments, locale_id locale) {
    ASSERT_EQ(segments.bytes_per_core(), mib) << "the locale with the most cores has the least for each";
    ASSERT_EQ(segments.cores(), 6);
    for (core_id c = 0; c < 6; ++c) {
      tables[static_cast<std::size_t>(locale)].push_back(segments.base_of(c));
      if (shape.locale_of(c) != locale) continue;
      std::byte* const base = segments.base_of(c);
      EXPECT_EQ(base[0], std::byte{0});
      EXPECT_EQ(base[mib - 1], std::byte{0});
      base[0] = base[mib - 1] = std::byte{1};
    }
  });
  EXPECT_EQ(tables[0], tables[1]);
  EXPECT_EQ(tables[0], tables[2]);
  EXPECT_EQ(tables[0][1], tables[0][0] + mib);
}

TEST(heap_segments, share_the_budget_of_the_node_unless_told_otherwise) {
  const gflags::FlagSaver saver;
  FLAGS_memory_budget_bytes = 10 * mib;
  at_every_locale(job_shape({1}), [](const heap_segments& segments, locale_id) {
    EXPECT_EQ(segments.bytes_per_core(), 10 * mib);
  });
  FLAGS_memory_budget_bytes = 0;
  std::uint64_t alone = 0, together = 0;
  at_every_locale(job_shape({1}), [&](const heap_segments& s, locale_id) { alone = s.bytes_per_core(); });
  at_every_locale(job_shape({1, 1, 1, 1}), [&](const heap_segments& s, locale_id l) {
    if (l == 0) together = s.bytes_per_core();
  });
  EXPECT_GT(together, alone / 8);
  EXPECT_LT(together, alone / 2);
}

TEST(heap_segments, are_empty_where_a_locale_cannot_map_its_own) {
  const gflags::FlagSaver saver;
  FLAGS_memory_budget_bytes = std::uint64_t{1} << 52;  // no machine has such addresses
  std::vector<std::uint64_t> bytes(2, 1);
  at_every_locale(job_shape({2, 1}), [&](const heap_segments& segments, locale_id locale) {
    bytes[static_cast<std::size_t>(locale)] = segments.bytes_per_core();
  });
  EXPECT_EQ(bytes, std::vector<std::uint64_t>({0, 0}));
}

TEST(heap_segments, give_whole_pages_back) {
  const gflags::FlagSaver saver;
  FLAGS_global_heap_bytes = mib;
  at_every_locale(job_shape({1}), [](const heap_segments& segments, locale_id) {
    std::byte* const base = segments.base_of(0);
    for (std::size_t k = 0; k < 5 * 4096; ++k) base[k] = std::byte{1};
    segments.discard(0, 4000, 8192);
    EXPECT_EQ(base[4095], std::byte{1});
    EXPECT_EQ(base[4096], std::byte{0});
    EXPECT_EQ(base[8191], std::byte{0});
    EXPECT_EQ(base[8192], std::byte{1}) << "not a whole page of the extent";
  });
}

TEST(heap_segments_death, refuse_a_heap_larger_than_the_budget) {
  const auto start = [] {
    base::install_fatal_handlers();
    FLAGS_global_heap_bytes = 10 * mib;
    FLAGS_memory_budget_bytes = 9 * mib;
    at_every_locale(job_shape({1}), [](const heap_segments&, locale_id) {});
  };
  EXPECT_EXIT(start(), testing::ExitedWithCode(71),
              "FATAL: --global_heap_bytes=10485760 is more than the 9437184 bytes.*--memory_budget_bytes");
}

}  // namespace
}  // namespace orujo::internal::memory
