// Tests of packs of any number of lanes. They are typed tests, which each test of an encoding instantiates
// for its packs, and the vectors of edges that they need.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "framework/vectors/combine.hpp"
#include "framework/vectors/simd.hpp"
#include "system/base/random.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::vectors::test_packs {

constexpr machine::instruction_set set_of(isa::scalar) { return machine::instruction_set::scalar; }
#if defined(__x86_64__)
constexpr machine::instruction_set set_of(isa::avx2) { return machine::instruction_set::avx2; }
constexpr machine::instruction_set set_of(isa::avx512) { return machine::instruction_set::avx512; }
#endif

// The vectors of edges and weights with this number of lanes.
//   edges_type, weights_type
//   static void put(edges_type&, lane, neighbour)   makes the lane valid and name this neighbour
//   rest                                            what else may be in any lane
template <std::size_t Lanes>
struct vectors_of;

template <class P>
struct shape_of;
template <class T, class Isa, std::size_t Lanes>
struct shape_of<pack<T, Isa, Lanes>> {
  using value = T;
  using numbers = std::array<T, Lanes>;
  using vectors = vectors_of<Lanes>;
  static constexpr auto set = set_of(Isa{});
};

// Values with the hard cases among them: zeros of both signs, infinities, NaN, the ends of the range.
template <class T>
T random_value(random_stream& random) {
  using limits = std::numeric_limits<T>;
  if constexpr (std::is_floating_point_v<T>) {
    const T hard[] = {
        0, -T{0}, 1, limits::infinity(), -limits::infinity(), limits::quiet_NaN(), limits::max()};
    if (random.below(4) == 0) return hard[random.below(7)];
    return (static_cast<T>(random.below(1u << 24)) - (1 << 23)) / 1024;
  } else {
    const T hard[] = {0, 1, limits::max(), limits::min(), static_cast<T>(-1)};
    if (random.below(4) == 0) return hard[random.below(5)];
    return static_cast<T>(random());
  }
}

template <class Numbers>
Numbers random_numbers(random_stream& random) {
  Numbers values;
  for (auto& value : values) value = random_value<typename Numbers::value_type>(random);
  return values;
}

// The same bits; any NaN is as good as another.
template <class T>
bool same(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b);
}

template <class T>
T wrapped(std::uint64_t x) {
  return static_cast<T>(x);
}

template <class P>
class packs : public testing::Test {
 public:
  using value = typename shape_of<P>::value;
  using numbers = typename shape_of<P>::numbers;
  using vectors = typename shape_of<P>::vectors;
  static constexpr std::size_t count = std::tuple_size_v<numbers>;

  static numbers lanes_of(P p) {
    numbers out;
    p.store(out.data());
    return out;
  }
  static void expect_lanes(P p, const numbers& expected, const char* what) {
    const numbers got = lanes_of(p);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(same(got[i], expected[i]))
          << what << ", lane " << i << ": " << got[i] << ", not " << expected[i];
    }
  }
  void SetUp() override {
    if (!machine::runs(shape_of<P>::set)) GTEST_SKIP() << "this processor does not run it";
  }
  // Runs check(a, b) on many pairs of random lanes.
  template <class Check>
  static void with_random_pairs(Check check) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      random_stream random(seed);
      numbers a = random_numbers<numbers>(random);
      numbers b = random_numbers<numbers>(random);
      if (random.below(2) == 0) b[random.below(count)] = a[0];
      if (random.below(2) == 0) b[3] = a[3];
      check(a, b);
    }
  }
  template <class Operation>
  static void expect_lanewise(const numbers& a, const numbers& b, P got, Operation operation,
                              const char* what) {
    numbers expected;
    for (std::size_t i = 0; i < count; ++i) expected[i] = operation(a[i], b[i]);
    expect_lanes(got, expected, what);
  }
};

template <class Isa, std::size_t Lanes>
using packs_of =
    testing::Types<pack<float, Isa, Lanes>, pack<double, Isa, Lanes>, pack<std::uint32_t, Isa, Lanes>,
                   pack<std::int32_t, Isa, Lanes>, pack<std::uint64_t, Isa, Lanes>>;

TYPED_TEST_SUITE_P(packs);

TYPED_TEST_P(packs, compute_lane_by_lane) {
  using T = typename TestFixture::value;
  TestFixture::with_random_pairs([](const auto& a, const auto& b) {
    const TypeParam p = TypeParam::load(a.data()), q = TypeParam::load(b.data());
    const auto check = [&](TypeParam got, auto operation, const char* what) {
      TestFixture::expect_lanewise(a, b, got, operation, what);
    };
    if constexpr (std::is_floating_point_v<T>) {
      check(
          p + q, [](T x, T y) { return x + y; }, "+");
      check(
          p - q, [](T x, T y) { return x - y; }, "-");
      check(
          p * q, [](T x, T y) { return x * y; }, "*");
      check(
          p / q, [](T x, T y) { return x / y; }, "/");
    } else {
      check(
          p + q, [](T x, T y) { return wrapped<T>(std::uint64_t(x) + std::uint64_t(y)); }, "+");
      check(
          p - q, [](T x, T y) { return wrapped<T>(std::uint64_t(x) - std::uint64_t(y)); }, "-");
      check(
          p * q, [](T x, T y) { return wrapped<T>(std::uint64_t(x) * std::uint64_t(y)); }, "*");
      check(
          p & q, [](T x, T y) { return T(x & y); }, "&");
      check(
          p | q, [](T x, T y) { return T(x | y); }, "|");
    }
    check(
        min(p, q), [](T x, T y) { return x < y ? x : y; }, "min");
    check(
        max(p, q), [](T x, T y) { return x > y ? x : y; }, "max");
  });
}

TYPED_TEST_P(packs, select_by_comparisons) {
  using T = typename TestFixture::value;
  TestFixture::with_random_pairs([](const auto& a, const auto& b) {
    const TypeParam p = TypeParam::load(a.data()), q = TypeParam::load(b.data());
    const auto check = [&](auto mask, auto comparison, const char* what) {
      TestFixture::expect_lanewise(
          a, b, select(mask, p, q), [&](T x, T y) { return comparison(x, y) ? x : y; }, what);
    };
    check(
        p == q, [](T x, T y) { return x == y; }, "==");
    check(
        p < q, [](T x, T y) { return x < y; }, "<");
    check(
        p > q, [](T x, T y) { return x > y; }, ">");
  });
}

TYPED_TEST_P(packs, broadcast_a_number) {
  using T = typename TestFixture::value;
  typename TestFixture::numbers expected;
  expected.fill(T{42});
  TestFixture::expect_lanes(TypeParam(T{42}), expected, "broadcast");
  expected.fill(T{44});
  TestFixture::expect_lanes(TypeParam(T{42}) + 2, expected, "broadcast in an expression");
}

TYPED_TEST_P(packs, reduce_in_the_documented_order) {
  using T = typename TestFixture::value;
  constexpr std::size_t n = TestFixture::count;
  TestFixture::with_random_pairs([](const auto& a, const auto&) {
    const auto check = [&](auto combine) {
      const auto c = [&](T x, T y) { return static_cast<T>(combine(x, y)); };
      const auto four = [&](T w, T x, T y, T z) { return c(c(w, y), c(x, z)); };
      T expected;
      if constexpr (n == 8) {
        expected = four(c(a[0], a[4]), c(a[1], a[5]), c(a[2], a[6]), c(a[3], a[7]));
      } else {
        expected = four(a[0], a[1], a[2], a[3]);
      }
      const T got = reduce(combine, TypeParam::load(a.data()));
      EXPECT_TRUE(same(got, expected)) << got << ", not " << expected;
    };
    if constexpr (!std::is_same_v<T, std::int32_t>) check(gas::sum{});
    check(gas::minimum{});
    check(gas::maximum{});
    if constexpr (std::is_integral_v<T>) check(gas::bit_or{});
  });
}

TYPED_TEST_P(packs, gather_the_valid_lanes) {
  using T = typename TestFixture::value;
  constexpr std::size_t n = TestFixture::count;
  random_stream random(3);
  std::vector<T> base(1000);
  for (T& each : base) each = random_value<T>(random);
  for (std::size_t valid = 1; valid <= n; ++valid) {
    typename TestFixture::vectors::edges_type edges{};
    typename TestFixture::numbers expected;
    expected.fill(T{77});
    for (std::size_t i = 0; i < n; ++i) {
      if (random.below(2) == 0) edges.lane[i] |= TestFixture::vectors::rest;
      if (i >= valid) continue;
      const auto index = static_cast<std::uint32_t>(random.below(base.size()));
      TestFixture::vectors::put(edges, i, index);
      expected[i] = base[index];
    }
    const auto gathered = TypeParam::gather_valid(base.data(), edges);
    TestFixture::expect_lanes(select(TypeParam::valid(edges), gathered, TypeParam(T{77})), expected,
                              "gather");
  }
}

TYPED_TEST_P(packs, scatter_the_valid_lanes) {
  using T = typename TestFixture::value;
  constexpr std::size_t n = TestFixture::count;
  for (std::size_t valid = 0; valid <= n; ++valid) {
    typename TestFixture::vectors::edges_type edges{};
    typename TestFixture::numbers values;
    std::vector<T> expected(100, T{1}), base = expected;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<T>(10 + i);
      if (i % 3 == 0) edges.lane[i] |= TestFixture::vectors::rest;
      if (i >= valid) continue;
      const auto index = static_cast<std::uint32_t>(99 - 7 * i);
      TestFixture::vectors::put(edges, i, index);
      expected[index] = values[i];
    }
    TypeParam::scatter_valid(base.data(), edges, TypeParam::load(values.data()));
    EXPECT_EQ(base, expected) << valid;
  }
}

TYPED_TEST_P(packs, convert_weights) {
  using T = typename TestFixture::value;
  constexpr std::size_t n = TestFixture::count;
  constexpr float all[] = {0, 1, 2.75f, 1e6f, 255, 16777216, 3.5f, 0.25f};
  typename TestFixture::vectors::weights_type weights;
  std::copy_n(all, n, weights.lane);
  typename TestFixture::numbers expected;
  for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<T>(weights.lane[i]);
  TestFixture::expect_lanes(TypeParam::convert(weights), expected, "weights");
}

REGISTER_TYPED_TEST_SUITE_P(packs, compute_lane_by_lane, select_by_comparisons, broadcast_a_number,
                            reduce_in_the_documented_order, gather_the_valid_lanes, scatter_the_valid_lanes,
                            convert_weights);

}  // namespace orujo::internal::vectors::test_packs
