#include "system/machine/caches.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::machine {
namespace {

TEST(caches, have_a_plausible_second_level) {
  EXPECT_GE(second_level_cache_bytes(), std::size_t{64} << 10);
  EXPECT_LE(second_level_cache_bytes(), std::size_t{1} << 30);
}

TEST(caches, are_read_as_the_kernel_writes_them) {
  EXPECT_EQ(detail::parse_cache_size("2048K"), std::size_t{2} << 20);
  EXPECT_EQ(detail::parse_cache_size("1M"), std::size_t{1} << 20);
  EXPECT_EQ(detail::parse_cache_size("65536"), 65536u);
  for (const char* none : {"", "K", "12Q", "12KB", "-3K", "99999999999999999999K"}) {
    EXPECT_EQ(detail::parse_cache_size(none), 0u) << none;
  }
}

TEST(caches, say_how_many_processors_share_them) {
  EXPECT_EQ(detail::count_cpus("0"), 1);
  EXPECT_EQ(detail::count_cpus("0-3"), 4);
  EXPECT_EQ(detail::count_cpus("0-1,64-65,70"), 5);
  for (const char* none : {"", "x", "3-1", "0-", "-3", "0-99999999999", "1,,2"})
    EXPECT_EQ(detail::count_cpus(none), 1) << none;
}

TEST(caches, for_data_are_found_by_level) {
  const scratch_folder root;
  const auto write = [&](int index, const char* level, const char* type, const char* size, const char* cpus) {
    const std::filesystem::path folder =
        root / ("sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "level") << level << "\n";
    std::ofstream(folder / "type") << type << "\n";
    std::ofstream(folder / "size") << size << "\n";
    std::ofstream(folder / "shared_cpu_list") << cpus << "\n";
  };
  write(0, "3", "Unified", "32768K", "0-7,16-23");
  write(1, "1", "Instruction", "32K", "0");
  write(2, "1", "Data", "32K", "0,16");
  write(3, "2", "Unified", "1024K", "0,16");
  write(4, "4", "Unified", "much", "0");
  EXPECT_EQ(data_caches(root.path().string()),
            (std::vector<cache>{{1, 32 << 10, 2}, {2, 1 << 20, 2}, {3, 32 << 20, 16}}));
  EXPECT_TRUE(data_caches(root / "nowhere").empty());
}

}  // namespace
}  // namespace orujo::internal::machine
