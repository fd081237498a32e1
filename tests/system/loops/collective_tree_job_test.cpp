#include "system/loops/collective_tree.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/system/cores_where.hpp"

namespace orujo::loops {
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

}  // namespace
}  // namespace orujo::loops
