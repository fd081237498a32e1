#include "system/collectives/collectives.hpp"

#include <gtest/gtest.h>

#include <array>

#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::collectives {
namespace {

TEST(collectives, all_reduce_combines_every_cores_value) {
  EXPECT_EQ(cores_where([] {
              const int n = cores();
              return all_reduce(my_core() + 1) == n * (n + 1) / 2;
            }),
            cores());
}

// Composition of x -> factor x + constant modulo 2^32: associative, but does not commute.
struct affine {
  std::uint32_t factor = 1, constant = 0;
  bool operator==(const affine&) const = default;
};
constexpr auto compose = [](affine a, affine b) {
  return affine{a.factor * b.factor, a.constant * b.factor + b.constant};
};

// The arrays that the cores contribute: everybody can work out everybody's.
affine element(core_id core, std::size_t i) {
  const std::uint64_t r = mix64(static_cast<std::uint64_t>(core) << 32 | i);
  return {static_cast<std::uint32_t>(r) | 1, static_cast<std::uint32_t>(r >> 32)};
}
std::vector<affine> array_of(core_id core, std::size_t size) {
  std::vector<affine> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = element(core, i);
  return values;
}
// The elements of the cores [0, last) combined.
std::vector<affine> combined(core_id last, std::size_t size) {
  std::vector<affine> values(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (core_id c = 0; c < last; ++c) values[i] = compose(values[i], element(c, i));
  }
  return values;
}
// Empty, one, around a pass of the tree (2 KiB), around where pieces begin, and beyond blocks of 4 KiB.
constexpr std::size_t sizes[] = {0, 1, 3, 255, 256, 257, 511, 512, 1000, 5003, 20'001};

// Lets the cores come to collectives at different times.
void skew(std::size_t round) {
  for (std::uint64_t k = mix64(round * 64 + static_cast<std::uint64_t>(my_core())) % 20; k > 0; --k)
    tasks::yield();
}

TEST(collectives, all_reduce_combines_in_the_order_of_cores) {
  EXPECT_EQ(cores_where([] {
              for (std::size_t size : sizes) {
                std::vector<affine> values = array_of(my_core(), size);
                all_reduce(std::span(values), compose);
                if (values != combined(cores(), size)) return false;
              }
              return all_reduce(element(my_core(), 0), compose) == combined(cores(), 1)[0];
            }),
            cores());
}

TEST(collectives, sums_of_fractions_are_the_same_at_all_cores_and_each_time) {
  EXPECT_EQ(cores_where([] {
              const double mine = 1 / (3.0 + my_core());
              const double first = all_reduce(mine);
              bool same = broadcast(first, 0) == first;
              for (std::size_t round = 0; round < 50; ++round) {
                skew(round);
                same &= all_reduce(mine) == first;
              }
              return same;
            }),
            cores());
}

TEST(collectives, take_any_array_element_by_element) {
  EXPECT_EQ(cores_where([] {
              const int n = cores(), all = n * (n + 1) / 2, mine = my_core() + 1;
              const auto larger = [](int a, int b) { return std::max(a, b); };
              std::vector<int> vector(1500, mine);  // in pieces, with few cores
              all_reduce(vector);
              int plain[] = {mine, 2 * mine};
              all_reduce(plain, larger);
              const auto [sum, twice] = all_reduce(std::array{mine, 2 * mine});
              const std::vector<int> returned = all_reduce(std::vector<int>(3, mine), larger);
              std::array<int, 2> from_root{mine, my_core()}, scanned{mine, 1}, before{mine, 1};
              broadcast(from_root, n - 1);
              inclusive_scan(scanned);
              exclusive_scan(before, 100);
              std::vector<int> at_root(2, mine);
              reduce(at_root, 0);
              return vector == std::vector<int>(1500, all) && plain[0] == n && plain[1] == 2 * n &&
                     sum == all && twice == 2 * all && returned == std::vector<int>(3, n) &&
                     from_root == std::array{n, n - 1} &&
                     scanned == std::array{mine * (mine + 1) / 2, mine} &&
                     before == std::array{100 + mine * (mine - 1) / 2, 100 + my_core()} &&
                     (my_core() != 0 || at_root == std::vector<int>(2, all));
            }),
            cores());
}

TEST(collectives, reduce_and_broadcast_work_for_every_root) {
  EXPECT_EQ(cores_where([] {
              for (std::size_t size : sizes) {
                for (core_id root = 0; root < cores(); ++root) {
                  std::vector<affine> values = array_of(my_core(), size);
                  reduce(std::span(values), root, compose);
                  if (my_core() == root && values != combined(cores(), size)) return false;
                  values = array_of(my_core(), size);
                  broadcast(std::span(values), root);
                  if (values != array_of(root, size)) return false;
                  skew(size);
                }
              }
              const core_id last = cores() - 1;
              return broadcast(my_core(), last) == last && (reduce(1, last) == cores() || my_core() != last);
            }),
            cores());
}

TEST(collectives, scans_combine_the_cores_before) {
  EXPECT_EQ(cores_where([] {
              const affine start{3, 5};
              for (std::size_t size : sizes) {
                std::vector<affine> values = array_of(my_core(), size);
                inclusive_scan(std::span(values), compose);
                if (values != combined(my_core() + 1, size)) return false;
                values = array_of(my_core(), size);
                exclusive_scan(std::span(values), start, compose);
                std::vector<affine> expected = combined(my_core(), size);
                for (affine& e : expected) e = compose(start, e);
                if (values != expected) return false;
              }
              return inclusive_scan(2) == 2 * my_core() + 2 && exclusive_scan(2) == 2 * my_core() &&
                     exclusive_scan(2, 7) == 2 * my_core() + 7 && exclusive_sum(3) == 3 * my_core();
            }),
            cores());
}

TEST(collectives, gathers_bring_every_cores_values) {
  EXPECT_EQ(cores_where([] {
              for (core_id root = 0; root < cores(); ++root) {
                const std::vector<affine> values = gather(element(my_core(), 1), root);
                if (values.size() != (my_core() == root ? static_cast<std::size_t>(cores()) : 0))
                  return false;
                for (std::size_t c = 0; c < values.size(); ++c) {
                  if (values[c] != element(static_cast<core_id>(c), 1)) return false;
                }
              }
              // Vectors of another size at every core.
              const auto size_at = [](core_id c, std::size_t size) {
                return size * static_cast<std::size_t>(c % 3);
              };
              for (std::size_t size : sizes) {
                const auto mine = array_of(my_core(), size_at(my_core(), size));
                const core_id root = static_cast<core_id>(size) % cores();
                const auto at_root = gather(mine, root);
                const auto everywhere = all_gather(mine);
                if (my_core() == root ? at_root != everywhere : !at_root.empty()) return false;
                for (core_id c = 0; c < cores(); ++c) {
                  if (everywhere[static_cast<std::size_t>(c)] != array_of(c, size_at(c, size))) return false;
                }
                skew(size);
              }
              return true;
            }),
            cores());
}

TEST(collectives, all_to_all_transposes) {
  EXPECT_EQ(cores_where([] {
              // The values that core `from` sends to core `to` in a round.
              const auto sent = [](core_id from, core_id to, std::size_t round) {
                random_stream random(round, static_cast<std::uint64_t>(from * 1000 + to));
                std::vector<std::uint64_t> values(random.below(3) ? random.below(round * 400 + 1) : 0);
                for (auto& v : values) v = random();
                return values;
              };
              for (std::size_t round = 0; round < 12; ++round) {
                std::vector<std::vector<std::uint64_t>> outgoing;
                std::vector<int> single;
                for (core_id to = 0; to < cores(); ++to) {
                  outgoing.push_back(sent(my_core(), to, round));
                  single.push_back(my_core() * 1000 + to);
                }
                skew(round);
                const auto incoming = all_to_all(outgoing);
                const auto singles = all_to_all(single);
                for (core_id from = 0; from < cores(); ++from) {
                  if (incoming[static_cast<std::size_t>(from)] != sent(from, my_core(), round)) return false;
                  if (singles[static_cast<std::size_t>(from)] != from * 1000 + my_core()) return false;
                }
              }
              return true;
            }),
            cores());
}

TEST(collectives, consecutive_ones_of_skewed_cores_do_not_mix) {
  EXPECT_EQ(cores_where([] {
              for (std::size_t round = 0; round < 60; ++round) {
                skew(round);
                const auto root = static_cast<core_id>(round) % cores();
                const std::size_t size = mix64(round) % 1500;
                std::vector<affine> values = array_of(my_core() + static_cast<core_id>(round), size);
                if (round % 3 == 0) broadcast(std::span(values), root);
                if (round % 3 == 0 && values != array_of(root + static_cast<core_id>(round), size))
                  return false;
                if (round % 3 == 1) all_reduce(std::span(values), [](affine a, affine) { return a; });
                if (round % 3 == 1 && values != array_of(static_cast<core_id>(round), size)) return false;
                if (round % 3 == 2) {
                  const auto all = gather(values, root);
                  for (std::size_t c = 0; c < all.size(); ++c) {
                    if (all[c] != array_of(static_cast<core_id>(c + round), size)) return false;
                  }
                }
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
                // Large enough for pieces.
                std::vector<int> ones(10'000, 1);
                all_reduce(std::span(ones), std::plus<>(), group::leaders);
                right = right && ones == std::vector<int>(10'000, locales());
                const auto all = all_gather(std::vector<int>(3, my_locale()), group::leaders);
                right = right && all.back() == std::vector<int>(3, locales() - 1);
              }
              std::vector<int> ones(10'000, 1);
              all_reduce(std::span(ones), std::plus<>(), group::locale);
              right = right && ones == std::vector<int>(10'000, of_locale);
              const core_id first = shape().first_core_of(my_locale());
              right = right && broadcast(my_core(), first, group::locale) == first;
              right = right && inclusive_scan(1, std::plus<>(), group::locale) == my_core_of_locale() + 1;
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
}  // namespace orujo::internal::collectives
