#include "system/machine/huge_array.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace orujo::internal::machine {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

static_assert(!std::is_copy_constructible_v<huge_array<int>> && !std::is_copy_assignable_v<huge_array<int>>);

bool is_mapped(void* page) {
  unsigned char resident;
  return mincore(page, 1, &resident) == 0 || errno != ENOMEM;
}

TEST(gives_huge_pages, reads_the_setting) {
  const std::string root = testing::TempDir() + "huge_pages_" + std::to_string(getpid());
  const std::filesystem::path folder = root + "/sys/kernel/mm/transparent_hugepage";
  EXPECT_FALSE(gives_huge_pages(root));  // a kernel without them has no such file
  std::filesystem::create_directories(folder);
  for (const auto& [setting, given] :
       {std::pair{"[always] madvise never", true}, std::pair{"always [madvise] never", true},
        std::pair{"always madvise [never]", false}}) {
    std::ofstream(folder / "enabled") << setting << "\n";
    EXPECT_EQ(gives_huge_pages(root), given) << setting;
  }
  std::filesystem::remove_all(root);
}

TEST(huge_array, is_empty_by_default_and_of_size_zero) {
  for (const huge_array<int>& a : {huge_array<int>(), huge_array<int>(0)}) {
    EXPECT_EQ(a.size(), 0u);
    EXPECT_EQ(a.data(), nullptr);
    EXPECT_EQ(a.begin(), a.end());
    EXPECT_TRUE(a.part(0, 0).empty());
  }
}

TEST(huge_array, is_zeroed_aligned_and_usable_to_its_end_at_any_size) {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{4095}, std::size_t{4096}, std::size_t{4097},
                            2 * mib - 1, 2 * mib, 2 * mib + 1, 4 * mib - 1, 4 * mib, 5 * mib}) {
    SCOPED_TRACE(testing::Message() << bytes << " bytes");
    const huge_array<unsigned char> a(bytes);
    ASSERT_EQ(a.size(), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    EXPECT_EQ(std::count(a.begin(), a.end(), 0), static_cast<std::ptrdiff_t>(bytes));
    std::fill(a.begin(), a.end(), 0xff);
    EXPECT_EQ(a[bytes - 1], 0xff);
  }
}

TEST(huge_array, gives_all_its_memory_back) {
  for (std::size_t bytes : {std::size_t{1}, std::size_t{4097}, 2 * mib - 1, 2 * mib, 2 * mib + 1}) {
    unsigned char* first;
    {
      const huge_array<unsigned char> a(bytes);
      first = a.data();
      ASSERT_TRUE(is_mapped(first));
    }
    const std::size_t last_page = (bytes - 1) / 4096 * 4096;
    EXPECT_FALSE(is_mapped(first)) << bytes << " bytes";
    EXPECT_FALSE(is_mapped(first + last_page)) << bytes << " bytes";
  }
}

TEST(huge_array, moves_without_copying) {
  huge_array<std::uint64_t> a(1000);
  a[999] = 7;
  const std::uint64_t* data = a.data();
  huge_array<std::uint64_t> b(std::move(a));
  EXPECT_EQ(b.data(), data);
  EXPECT_EQ(b.size(), 1000u);
  EXPECT_EQ(a.data(), nullptr);
  EXPECT_EQ(a.size(), 0u);
  huge_array<std::uint64_t> c(5);
  c = std::move(b);
  EXPECT_EQ(c.data(), data);
  EXPECT_EQ(c.size(), 1000u);
  EXPECT_EQ(c[999], 7u);
}

TEST(huge_array, survives_a_move_to_itself) {
  huge_array<int> a(10);
  a[9] = 7;
  huge_array<int>& same = a;
  a = std::move(same);
  ASSERT_EQ(a.size(), 10u);
  EXPECT_EQ(a[9], 7);
}

TEST(huge_array, has_parts) {
  const huge_array<int> a(100);
  for (std::size_t k = 0; k < 100; ++k) a[k] = static_cast<int>(k);
  EXPECT_EQ(a.part(10, 20).size(), 10u);
  EXPECT_EQ(a.part(10, 20).front(), 10);
  EXPECT_EQ(a.part(90, 100).back(), 99);
}

TEST(huge_array, keeps_alive_what_it_borrows) {
  auto owner = std::make_shared<std::vector<std::uint64_t>>(std::vector<std::uint64_t>{1, 2, 3, 4});
  const std::weak_ptr<const void> alive = owner;
  auto some = huge_array<std::uint64_t>::borrow(std::span(*owner).subspan(1, 2), owner);
  owner.reset();
  EXPECT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0], 2u);
  huge_array<std::uint64_t> moved = std::move(some);
  huge_array<std::uint32_t> reused = std::move(moved).reuse_as<std::uint32_t>();
  EXPECT_EQ(reused[2], 3u);
  EXPECT_FALSE(alive.expired());
  reused = {};
  EXPECT_TRUE(alive.expired());
}

TEST(huge_array_death, ends_the_job_where_there_is_no_memory) {
  EXPECT_EXIT(huge_array<char>(std::size_t{1} << 60), testing::ExitedWithCode(71),
              "FATAL: cannot map 1152921504606846976 bytes");
}

TEST(huge_array_death, ends_the_job_where_the_bytes_overflow) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_EXIT(huge_array<std::uint64_t>(most / 8 + 2), testing::ExitedWithCode(71), "FATAL: cannot map");
  EXPECT_EXIT(huge_array<char>{most}, testing::ExitedWithCode(71), "FATAL: cannot map");
}

}  // namespace
}  // namespace orujo::internal::machine
