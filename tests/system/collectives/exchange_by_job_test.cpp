#include "system/collectives/exchange_by.hpp"

#include <gtest/gtest.h>

#include "system/base/random.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::collectives {
namespace {

// An element knows where it comes from, and its hash where it goes.
struct parcel {
  std::uint64_t hash;
  std::int32_t from, number;
  bool operator==(const parcel&) const = default;
};
std::vector<parcel> parcels_of(core_id from, std::size_t count) {
  std::vector<parcel> made(count);
  for (std::size_t k = 0; k < count; ++k) {
    made[k] = {mix64(static_cast<std::uint64_t>(from) << 32 | k), from, static_cast<std::int32_t>(k)};
  }
  return made;
}

// With members `first` to `first + count - 1`.
bool all_come_in_order(group g, core_id first, int count, std::size_t per_core) {
  const auto owner_of = [=](const parcel& p) {
    return first + static_cast<core_id>(p.hash % static_cast<std::uint64_t>(count));
  };
  const auto size_of = [=](core_id c) { return c % 3 == 1 ? 0 : per_core * static_cast<std::size_t>(c + 1); };
  std::vector<parcel> expected;
  for (core_id c = first; c < first + count; ++c) {
    for (const parcel& p : parcels_of(c, size_of(c))) {
      if (owner_of(p) == my_core()) expected.push_back(p);
    }
  }
  return exchange_by(parcels_of(my_core(), size_of(my_core())), owner_of, g) == expected;
}

TEST(exchange_by, brings_everything_to_its_owner_in_the_order_of_senders) {
  for (const std::size_t per_core : {0u, 1u, 10u, 5000u}) {
    EXPECT_EQ(cores_where([=] { return all_come_in_order(group::job, 0, cores(), per_core); }), cores());
    EXPECT_EQ(cores_where([=] {
                return all_come_in_order(group::locale, shape().first_core_of(my_locale()),
                                         my_locales_cores(), per_core);
              }),
              cores());
  }
}

TEST(exchange_by, may_bring_everything_to_one_core) {
  EXPECT_EQ(cores_where([] {
              const core_id last = cores() - 1;
              const std::vector<int> mine(1000, my_core());
              const std::vector<int> here = exchange_by(std::span(mine), [=](int) { return last; });
              std::vector<int> expected;
              for (core_id c = 0; my_core() == last && c < cores(); ++c)
                expected.insert(expected.end(), 1000, c);
              return here == expected;
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::collectives
