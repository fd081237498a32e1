#include "system/collectives/collective.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/system/cores_where.hpp"

namespace orujo::internal::collectives {
namespace {

TEST(members, numbers_and_cores_are_inverse) {
  EXPECT_EQ(cores_where([] {
              for (group g : {group::job, group::locale, group::leaders}) {
                if (g == group::leaders && !leads_locale()) continue;
                const members who(g);
                if (who.core(who.me()) != my_core()) return false;
                for (int k = 0; k < who.size(); ++k) {
                  if (who.number_of(who.core(k)) != k) return false;
                }
              }
              return true;
            }),
            cores());
}

TEST(collective, passes_carry_up_to_2_kib_in_the_order_of_cores) {
  EXPECT_EQ(cores_where([] {
              for (std::size_t size : {std::size_t{0}, std::size_t{1}, collective::max_bytes}) {
                // Each byte becomes the number of the last core, if combined in order; each core is seen
                // once.
                std::vector<std::byte> value(size, static_cast<std::byte>(my_core()));
                bool ordered = true;
                collective::here().reduce(group::job, value, [&](auto into, auto from) {
                  for (std::size_t i = 0; i < into.size(); ++i) {
                    ordered = ordered && into[i] < from[i];
                    into[i] = from[i];
                  }
                });
                if (!ordered) return false;
                if (value != std::vector<std::byte>(size, static_cast<std::byte>(cores() - 1))) return false;
              }
              return true;
            }),
            cores());
}

TEST(collective, sum_for_me_adds_what_all_have_for_a_core) {
  EXPECT_EQ(cores_where([] {
              std::vector<std::uint64_t> for_each;
              for (core_id c = 0; c < cores(); ++c) {
                for_each.push_back(static_cast<std::uint64_t>(1 + my_core() * 1000 + c));
              }
              std::uint64_t expected = 0;
              for (core_id c = 0; c < cores(); ++c) {
                expected += static_cast<std::uint64_t>(1 + c * 1000 + my_core());
              }
              return collective::here().sum_for_me(for_each) == expected;
            }),
            cores());
}

TEST(collective, gathers_more_than_a_message_of_each_member) {
  EXPECT_EQ(cores_where([] {
              for (group g : {group::job, group::locale, group::leaders}) {
                if (g == group::leaders && !leads_locale()) continue;
                const members who(g);
                const std::size_t each = 5'000, n = static_cast<std::size_t>(who.size());
                std::vector<std::byte> mine(each, static_cast<std::byte>(my_core())), all(n * each);
                collective::here().gather(g, mine, all);
                for (std::size_t k = 0; k < all.size(); ++k) {
                  if (all[k] != static_cast<std::byte>(who.core(static_cast<int>(k / each)))) return false;
                }
              }
              return true;
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::collectives
