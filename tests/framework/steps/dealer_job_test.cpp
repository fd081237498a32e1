#include "framework/steps/dealer.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::steps {
namespace {

struct alignas(64) share {
  std::size_t size = 0;
  dealer from;
  std::vector<int> taken;  // how often, by place
};

TEST(dealer, deals_every_place_of_every_share_once) {
  for (const std::size_t most : {1, 7, 1000}) {
    loops::on_all_cores([most] {
      const auto shares = collectives::share_on_locale<std::vector<share>>(
          [] { return std::make_shared<std::vector<share>>(static_cast<std::size_t>(my_locales_cores())); });
      share& mine = (*shares)[static_cast<std::size_t>(my_core_of_locale())];
      for (const int turn : {1, 2}) {
        mine.size = my_core_of_locale() == 0 ? 0 : static_cast<std::size_t>(my_core_of_locale()) * 100 + 13;
        mine.taken.resize(mine.size);
        mine.from.reset();
        collectives::barrier(collectives::group::locale);
        deal_shares(*shares, [&](share& of) {
          of.from.deal(of.size, most, [&](std::size_t first, std::size_t last) {
            EXPECT_TRUE(first < last && last - first <= most && last <= of.size);
            for (std::size_t k = first; k < last; ++k) ++of.taken[k];  // no other core's
            tasks::yield();
          });
        });
        collectives::barrier(collectives::group::locale);
        EXPECT_EQ(mine.taken, std::vector<int>(mine.size, turn));
      }
    });
  }
}

TEST(dealer, begins_with_the_core_s_own_share) {
  loops::on_all_cores([] {
    by_core<int> shares(my_locales_cores());
    std::vector<int> order;
    for (int k = 0; k < my_locales_cores(); ++k) shares[k] = k;
    deal_shares(shares, [&](int core) { order.push_back(core); });
    EXPECT_EQ(order.size(), shares.size());
    EXPECT_EQ(order.front(), my_core_of_locale());
  });
}

}  // namespace
}  // namespace orujo::internal::steps
