#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "framework/graph/build/memory_needs.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t gib = std::uint64_t{1} << 30;

// The status at core 0 if each locale needs this number of bytes.
status room_for(std::uint64_t needed) {
  return loops::on_all_cores([needed] { return check_room("the test", needed); });
}

// While it lives, locale 0's process may map little more than it has.
class narrow_address_space {
 public:
  explicit narrow_address_space(std::uint64_t left) {
    getrlimit(RLIMIT_AS, &before_);
    rlimit narrow = before_;
    narrow.rlim_cur = mapped() + left;
    setrlimit(RLIMIT_AS, &narrow);
  }
  ~narrow_address_space() { setrlimit(RLIMIT_AS, &before_); }
  narrow_address_space(const narrow_address_space&) = delete;

 private:
  static std::uint64_t mapped() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }
  rlimit before_{};
};

TEST(memory_needs, that_nodes_have_are_met) { EXPECT_TRUE(room_for(1 << 20).ok()); }

TEST(memory_needs, that_no_node_has_are_refused) {
  const status told = room_for(std::uint64_t{1} << 56);
  EXPECT_EQ(told.code(), exit_status::no_resource);
  EXPECT_NE(told.message().find("the test requires about "), std::string::npos) << told.message();
  EXPECT_NE(told.message().find(" bytes on a node"), std::string::npos) << told.message();
}

TEST(memory_needs, that_a_process_may_not_map_are_refused) {
  const narrow_address_space limited(gib);
  EXPECT_LE(machine::mappable_memory(), gib);
  EXPECT_TRUE(room_for(1 << 20).ok());
  const status told = room_for(2 * gib);
  EXPECT_EQ(told.code(), exit_status::no_resource);
  EXPECT_NE(told.message().find(" bytes in a process and its limits leave "), std::string::npos)
      << told.message();
}

}  // namespace
}  // namespace orujo::internal::graph
