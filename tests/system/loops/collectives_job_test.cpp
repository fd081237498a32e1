#include "system/loops/collectives.hpp"

#include <gtest/gtest.h>

#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::loops {
namespace {

// Runs f() on every core and returns how many returned true.
template <class F>
int cores_where(F f) {
  auto answers = containers::global_array<int>::create(static_cast<std::size_t>(cores()));
  on_all_cores([=] { answers.local()[0] = f() ? 1 : 0; });
  int sum = 0;
  for (std::size_t c = 0; c < answers.size(); ++c) sum += delegates::read(answers[c]);
  answers.destroy();
  return sum;
}

TEST(collectives, all_reduce_combines_every_cores_value) {
  EXPECT_EQ(cores_where([] {
              const int n = cores();
              return all_reduce(my_core() + 1) == n * (n + 1) / 2;
            }),
            cores());
}

TEST(collectives, all_reduce_combines_in_the_order_of_cores) {
  // Composition of x -> 3x + c modulo 2^32 does not commute.
  struct affine {
    std::uint32_t factor, constant;
  };
  EXPECT_EQ(cores_where([] {
              const auto compose = [](affine a, affine b) {
                return affine{a.factor * b.factor, a.constant * b.factor + b.constant};
              };
              affine expected{3, 1};
              for (core_id c = 1; c < cores(); ++c)
                expected = compose(expected, {3, static_cast<std::uint32_t>(c) + 1});
              const affine got = all_reduce(affine{3, static_cast<std::uint32_t>(my_core()) + 1}, compose);
              return got.factor == expected.factor && got.constant == expected.constant;
            }),
            cores());
}

TEST(collectives, all_reduce_of_long_arrays_goes_in_pieces) {
  EXPECT_EQ(cores_where([] {
              std::vector<std::uint64_t> values(3001);
              for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = i + static_cast<std::size_t>(my_core());
              all_reduce(std::span(values), [](auto a, auto b) { return std::max(a, b); });
              for (std::size_t i = 0; i < values.size(); ++i) {
                if (values[i] != i + static_cast<std::size_t>(cores()) - 1) return false;
              }
              return true;
            }),
            cores());
}

TEST(collectives, groups_keep_to_themselves) {
  EXPECT_EQ(cores_where([] {
              const int of_locale = all_reduce(1, std::plus<>(), group::locale);
              bool right = of_locale == shape().cores_of(my_locale());
              if (leads_locale()) {
                right = right && all_reduce(1, std::plus<>(), group::leaders) == locales();
              }
              return right && all_reduce(1) == cores();
            }),
            cores());
}

TEST(collectives, gather_and_exclusive_sum_follow_the_cores) {
  EXPECT_EQ(cores_where([] {
              const std::vector<core_id> all = all_gather(my_core());
              for (core_id c = 0; c < cores(); ++c) {
                if (all[static_cast<std::size_t>(c)] != c) return false;
              }
              return exclusive_sum(2) == 2 * my_core();
            }),
            cores());
}

TEST(collectives, a_barrier_lets_nobody_pass_early) {
  auto arrived = containers::global_array<int>::create(1);
  EXPECT_EQ(cores_where([=] {
              for (int round = 1; round <= 50; ++round) {
                delegates::fetch_and_add(arrived[0], 1);
                barrier();
                if (delegates::read(arrived[0]) < round * cores()) return false;
                barrier();
              }
              return true;
            }),
            cores());
  arrived.destroy();
}

TEST(collectives, first_failure_is_the_lowest_cores) {
  EXPECT_EQ(cores_where([] { return first_failure({}).ok(); }), cores());
  EXPECT_EQ(cores_where([] {
              const core_id bad = cores() / 2;
              const status mine =
                  my_core() < bad
                      ? status()
                      : status(exit_status::bad_data, std::string(5000, 'x') + std::to_string(my_core()));
              const status first = first_failure(mine);
              return first.code() == exit_status::bad_data &&
                     first.message() == std::string(5000, 'x') + std::to_string(bad);
            }),
            cores());
}

TEST(collectives, share_on_locale_gives_all_its_cores_one_object) {
  EXPECT_EQ(cores_where([] {
              const auto shared = share_on_locale<std::vector<core_id>>(
                  [] { return std::make_shared<std::vector<core_id>>(1, my_core()); });
              return (*shared)[0] == shape().first_core_of(my_locale());
            }),
            cores());
}

}  // namespace
}  // namespace orujo::loops
