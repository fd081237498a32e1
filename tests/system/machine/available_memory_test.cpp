#include "system/machine/available_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

namespace orujo::internal::machine {
namespace {

namespace fs = std::filesystem;

// A machine's /proc and /sys in a folder.
class available_memory_of : public testing::Test {
 protected:
  available_memory_of() {
    char pattern[] = "/tmp/orujo_memory_XXXXXX";
    root_ = mkdtemp(pattern);
    write("/proc/meminfo", "MemTotal:  2000 kB\nMemFree:  10 kB\nMemAvailable:  1000 kB\n");
  }
  ~available_memory_of() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    fs::create_directories(fs::path(root_ + file).parent_path());
    std::ofstream(root_ + file) << text;
  }
  std::uint64_t available() const { return available_memory(root_); }

  std::string root_;
};

TEST_F(available_memory_of, a_machine_without_groups_is_what_the_system_says) {
  EXPECT_EQ(available(), 1000u * 1024);
}

TEST_F(available_memory_of, a_group_of_version_2_is_what_its_limit_leaves) {
  write("/proc/self/cgroup", "0::/jobs/mine\n");
  write("/sys/fs/cgroup/jobs/mine/memory.max", "500000\n");
  write("/sys/fs/cgroup/jobs/mine/memory.current", "120000\n");
  EXPECT_EQ(available(), 380'000u);
  write("/sys/fs/cgroup/jobs/mine/memory.stat", "anon 50\nfile 7\ninactive_file 19000\nactive_file 1000\n");
  EXPECT_EQ(available(), 400'000u) << "pages of files can be taken";
  write("/sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  EXPECT_EQ(available(), 1000u * 1024);
}

TEST_F(available_memory_of, a_group_is_bounded_by_those_above_it) {
  write("/proc/self/cgroup", "0::/jobs/mine\n");
  write("/sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  write("/sys/fs/cgroup/jobs/memory.max", "300000\n");
  write("/sys/fs/cgroup/jobs/memory.current", "100000\n");
  EXPECT_EQ(available(), 200'000u);
  write("/sys/fs/cgroup/memory.max", "1000\n");
  EXPECT_EQ(available(), 1000u) << "the root of a container is its own group";
}

TEST_F(available_memory_of, a_group_of_version_1_is_what_its_limit_leaves) {
  write("/proc/self/cgroup", "9:name=systemd:/\n8:cpu,memory:/box\n3:memoryless:/\n0::/\n");
  write("/sys/fs/cgroup/memory/box/memory.limit_in_bytes", "700000\n");
  write("/sys/fs/cgroup/memory/box/memory.usage_in_bytes", "300000\n");
  write("/sys/fs/cgroup/memory/box/memory.stat",
        "inactive_file 1\ntotal_inactive_file 60000\ntotal_active_file 40000\n");
  EXPECT_EQ(available(), 500'000u);
}

TEST_F(available_memory_of, a_full_group_is_nothing) {
  write("/proc/self/cgroup", "0::/\n");
  write("/sys/fs/cgroup/memory.max", "1000\n");
  write("/sys/fs/cgroup/memory.current", "1500\n");
  EXPECT_EQ(available(), 0u);
}

TEST(mappable_memory, is_what_limits_leave) {
  std::uint64_t mapped = 0, resident = 0, shared = 0, code = 0, libraries = 0, data = 0;
  std::ifstream("/proc/self/statm") >> mapped >> resident >> shared >> code >> libraries >> data;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  for (const auto& [which, pages] : {std::pair(RLIMIT_AS, mapped), std::pair(RLIMIT_DATA, data)}) {
    rlimit before = {};
    getrlimit(which, &before);
    rlimit narrow = before;
    narrow.rlim_cur = pages * page + gib;
    ASSERT_EQ(setrlimit(which, &narrow), 0);
    const std::uint64_t left = mappable_memory();
    setrlimit(which, &before);
    EXPECT_LE(left, gib);
    EXPECT_GT(left, gib / 2);
  }
}

TEST(available_memory, of_this_machine_is_something) {
  EXPECT_GT(available_memory(), 1u << 20);
  EXPECT_EQ(node_fingerprint(), node_fingerprint());
}

}  // namespace
}  // namespace orujo::internal::machine
