#include "system/machine/topology.hpp"

#include <gflags/gflags.h>
#include <gtest/gtest.h>
#include <numaif.h>

#include <cerrno>
#include <string>
#include <thread>

#include "system/base/flags.hpp"
#include "system/machine/cpus.hpp"
#include "system/machine/huge_array.hpp"

DECLARE_int32(emulate_numa);
DECLARE_string(numa_nodes);

namespace orujo::internal::machine {
namespace {

// Some sandboxes forbid the query for the place of memory. Any other error is a failure.
bool kernel_tells() {
  int node = 0;
  void* asked = &node;
  return move_pages(0, 1, &asked, nullptr, &node, 0) == 0 || (errno != ENOSYS && errno != EPERM);
}

class topology : public testing::Test {
 protected:
  void TearDown() override {
    FLAGS_emulate_numa = 0;
    FLAGS_numa_nodes.clear();
  }
  static status parse(const std::string& nodes) {
    const std::string argument = "--numa_nodes=" + nodes;
    const char* arguments[] = {"program", argument.c_str()};
    return base::parse_flags(2, arguments).status();
  }
};

TEST_F(topology, covers_the_usable_cpus_once) {
  std::vector<int> all;
  for (const numa_domain& domain : usable_domains()) {
    EXPECT_FALSE(domain.cpus.empty());
    all.insert(all.end(), domain.cpus.begin(), domain.cpus.end());
  }
  EXPECT_EQ(all, usable_cpus());
}

TEST_F(topology, is_cut_down_to_the_nodes_asked_for) {
  FLAGS_emulate_numa = 4;
  EXPECT_EQ(usable_domains().size(), 4u);
  ASSERT_TRUE(parse("1,3").ok());
  const std::vector<numa_domain> chosen = usable_domains();
  ASSERT_EQ(chosen.size(), 2u);
  EXPECT_EQ(chosen[0].node, 1);
  EXPECT_EQ(chosen[1].node, 3);
  ASSERT_TRUE(parse("0-2").ok());
  EXPECT_EQ(usable_domains().size(), 3u);
}

TEST_F(topology, refuses_nodes_that_are_not_there) {
  FLAGS_emulate_numa = 2;
  for (const char* nodes : {"2", "0,2", "0-2", "-1", "x", "0,", ",", "1-0", "0x1", "99999999999"}) {
    EXPECT_EQ(parse(nodes).code(), exit_status::usage) << nodes;
  }
}

//   core      0  1  2  3  4
//   domain    a  a  a  b  b
TEST_F(topology, places_cores_by_their_cpus) {
  const std::vector<numa_domain> domains = {{0, {0, 1, 2}}, {7, {3, 4}}};
  const std::vector<int> cpus = {0, 1, 2, 3, 4};
  const auto places = place_cores(domains, cpus, 5);
  EXPECT_EQ(places[2].node, 0);
  EXPECT_EQ(places[2].first_core, 0);
  EXPECT_EQ(places[2].last_core, 3);
  EXPECT_EQ(places[3].node, 7);
  EXPECT_EQ(places[3].first_core, 3);
  EXPECT_EQ(places[4].last_core, 5);
  EXPECT_EQ(places[4].domains, 2);
  // A locale within one domain has one.
  EXPECT_EQ(place_cores(domains, std::vector<int>{3, 4}, 2)[0].domains, 1);
  EXPECT_EQ(place_cores(domains, std::vector<int>{3, 4}, 2)[0].node, 7);
}

TEST_F(topology, deals_cores_without_cpus_evenly) {
  const std::vector<numa_domain> domains = {{0, {0}}, {1, {1}}};
  const auto places = place_cores(domains, {}, 5);
  EXPECT_EQ(places[1].node, 0);
  EXPECT_EQ(places[2].last_core, 3);
  EXPECT_EQ(places[3].node, 1);
}

TEST_F(topology, places_whole_pages_within) {
  FLAGS_emulate_numa = 2;
  const huge_array<std::byte> memory(5 * 4096);
  std::thread([&] {
    set_my_place({1, 2, 1, 2});
    place_here(std::span(memory.data() + 1, 4 * 4096));
    place_here(std::span(memory.data() + 1, 4096));  // no whole page
  }).join();
  std::vector<placement> here;
  for (const placement& p : emulated_placements()) {
    if (p.first >= memory.data() && p.first < memory.end()) here.push_back(p);
  }
  ASSERT_EQ(here.size(), 1u);
  EXPECT_EQ(here[0].first, memory.data() + 4096);
  EXPECT_EQ(here[0].bytes, 3u * 4096);
  EXPECT_EQ(here[0].node, 1);
}

// A job whose memory is bound to a full node ends while others have memory.
TEST_F(topology, prefers_a_node_and_does_not_bind_to_it) {
  if (!kernel_tells()) GTEST_SKIP() << "the kernel forbids to ask";
  const huge_array<std::byte> memory(16 * 4096);
  std::thread([&] {
    set_my_place({0, 2, 0, 1});
    place_here(std::span(memory.data(), memory.size()));
  }).join();
  int policy = -1;
  ASSERT_EQ(get_mempolicy(&policy, nullptr, 0, const_cast<std::byte*>(memory.data()) + 4096, MPOL_F_ADDR), 0);
  EXPECT_EQ(policy, MPOL_PREFERRED);
}

TEST_F(topology, asks_the_kernel_where_pages_are) {
  if (!kernel_tells()) GTEST_SKIP() << "the kernel forbids to ask";
  huge_array<std::byte> memory(2 << 20, pages::small);
  std::byte* const first =
      reinterpret_cast<std::byte*>((reinterpret_cast<std::uintptr_t>(memory.data()) + 4095) / 4096 * 4096);
  *first = std::byte{1};
  void* const asked[] = {first, first + (1 << 20)};
  const std::vector<int> nodes = nodes_of_pages(asked);
  ASSERT_EQ(nodes.size(), 2u);
  EXPECT_GE(nodes[0], 0);
  EXPECT_LT(nodes[1], 0) << "nobody has touched it";
}

TEST_F(topology, places_nothing_within_one_domain) {
  FLAGS_emulate_numa = 2;
  const huge_array<std::byte> memory(1 << 20);
  const std::size_t before = emulated_placements().size();
  std::thread([&] { place_here(std::span(memory.data(), memory.size())); }).join();
  EXPECT_EQ(emulated_placements().size(), before);
}

}  // namespace
}  // namespace orujo::internal::machine
