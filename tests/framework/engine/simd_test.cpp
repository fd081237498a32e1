// Packs of every type and instruction set of this compilation, against arithmetic on single numbers.
#include "framework/engine/simd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "framework/engine/combine.hpp"
#include "system/base/random.hpp"

namespace orujo::engine {
namespace {

template <class T>
using eight = std::array<T, lanes>;

template <class P>
struct lane_type;
template <class T, class Isa>
struct lane_type<pack<T, Isa>> {
  using type = T;
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

template <class T>
eight<T> random_eight(random_stream& random) {
  eight<T> values;
  for (T& value : values) value = random_value<T>(random);
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
  using value = typename lane_type<P>::type;

  static eight<value> lanes_of(P p) {
    eight<value> out;
    p.store(out.data());
    return out;
  }
  static void expect_lanes(P p, const eight<value>& expected, const char* what) {
    const eight<value> got = lanes_of(p);
    for (std::size_t i = 0; i < lanes; ++i) {
      EXPECT_TRUE(same(got[i], expected[i]))
          << what << ", lane " << i << ": " << got[i] << ", not " << expected[i];
    }
  }
  // Runs check(a, b) on many pairs of random lanes.
  template <class Check>
  static void with_random_pairs(Check check) {
    for (std::uint64_t seed = 1; seed <= 500; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      random_stream random(seed);
      eight<value> a = random_eight<value>(random);
      eight<value> b = random_eight<value>(random);
      if (random.below(2) == 0) b[random.below(lanes)] = a[0];
      if (random.below(2) == 0) b[3] = a[3];
      check(a, b);
    }
  }
  template <class Operation>
  static void expect_lanewise(const eight<value>& a, const eight<value>& b, P got, Operation operation,
                              const char* what) {
    eight<value> expected;
    for (std::size_t i = 0; i < lanes; ++i) expected[i] = operation(a[i], b[i]);
    expect_lanes(got, expected, what);
  }
};

using all_packs =
    testing::Types<pack<float, isa::scalar>, pack<double, isa::scalar>, pack<std::uint32_t, isa::scalar>,
                   pack<std::int32_t, isa::scalar>, pack<std::uint64_t, isa::scalar>
#if defined(__AVX2__) && defined(__FMA__)
                   ,
                   pack<float, isa::avx2>, pack<double, isa::avx2>, pack<std::uint32_t, isa::avx2>,
                   pack<std::int32_t, isa::avx2>, pack<std::uint64_t, isa::avx2>
#endif
#ifdef ORUJO_AVX512
                   ,
                   pack<float, isa::avx512>, pack<double, isa::avx512>, pack<std::uint32_t, isa::avx512>,
                   pack<std::int32_t, isa::avx512>, pack<std::uint64_t, isa::avx512>
#endif
                   >;
TYPED_TEST_SUITE(packs, all_packs);

TYPED_TEST(packs, compute_lane_by_lane) {
  using T = typename TestFixture::value;
  TestFixture::with_random_pairs([](const eight<T>& a, const eight<T>& b) {
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

TYPED_TEST(packs, select_by_comparisons) {
  using T = typename TestFixture::value;
  TestFixture::with_random_pairs([](const eight<T>& a, const eight<T>& b) {
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
    check(
        TypeParam::every(true), [](T, T) { return true; }, "all");
    check(
        TypeParam::every(false), [](T, T) { return false; }, "none");
  });
}

TYPED_TEST(packs, broadcast_a_number) {
  using T = typename TestFixture::value;
  eight<T> expected;
  expected.fill(T{42});
  TestFixture::expect_lanes(TypeParam(T{42}), expected, "broadcast");
  expected.fill(T{44});
  TestFixture::expect_lanes(TypeParam(T{42}) + 2, expected, "broadcast in an expression");
}

TYPED_TEST(packs, reduce_in_the_documented_order) {
  using T = typename TestFixture::value;
  TestFixture::with_random_pairs([](const eight<T>& a, const eight<T>&) {
    const auto check = [&](auto combine) {
      const auto c = [&](T x, T y) { return static_cast<T>(combine(x, y)); };
      const T expected = c(c(c(a[0], a[4]), c(a[2], a[6])), c(c(a[1], a[5]), c(a[3], a[7])));
      const T got = reduce(combine, TypeParam::load(a.data()));
      EXPECT_TRUE(same(got, expected)) << got << ", not " << expected;
    };
    if constexpr (!std::is_same_v<T, std::int32_t>) check(gas::sum{});
    check(gas::minimum{});
    check(gas::maximum{});
    if constexpr (std::is_integral_v<T>) check(gas::bit_or{});
  });
}

TYPED_TEST(packs, gather_the_valid_lanes) {
  using T = typename TestFixture::value;
  random_stream random(3);
  std::vector<T> base(1000);
  for (T& each : base) each = random_value<T>(random);
  for (std::size_t valid = 1; valid <= lanes; ++valid) {
    edge_vector edges{};
    eight<T> expected;
    expected.fill(T{77});
    for (std::size_t i = 0; i < lanes; ++i) {
      if (random.below(2) == 0) edges.lane[i] |= graph::edge_step_bit;
      if (i >= valid) continue;
      const auto index = static_cast<std::uint32_t>(random.below(base.size()));
      edges.lane[i] |= graph::edge_valid_bit | index;
      expected[i] = base[index];
    }
    const auto gathered = TypeParam::gather_valid(base.data(), edges);
    TestFixture::expect_lanes(select(TypeParam::valid(edges), gathered, TypeParam(T{77})), expected,
                              "gather");
  }
}

TYPED_TEST(packs, scatter_the_valid_lanes) {
  using T = typename TestFixture::value;
  for (std::size_t valid = 0; valid <= lanes; ++valid) {
    edge_vector edges{};
    eight<T> values;
    std::vector<T> expected(100, T{1}), base = expected;
    for (std::size_t i = 0; i < lanes; ++i) {
      values[i] = static_cast<T>(10 + i);
      if (i % 3 == 0) edges.lane[i] |= graph::edge_step_bit;
      if (i >= valid) continue;
      const auto index = static_cast<std::uint32_t>(99 - 7 * i);
      edges.lane[i] |= graph::edge_valid_bit | index;
      expected[index] = values[i];
    }
    TypeParam::scatter_valid(base.data(), edges, TypeParam::load(values.data()));
    EXPECT_EQ(base, expected) << valid;
  }
}

TYPED_TEST(packs, convert_weights) {
  using T = typename TestFixture::value;
  const weight_vector weights = {{0, 1, 2.75f, 255, 1e6f, 16777216, 3.5f, 0.25f}};
  eight<T> expected;
  for (std::size_t i = 0; i < lanes; ++i) expected[i] = static_cast<T>(weights.lane[i]);
  TestFixture::expect_lanes(TypeParam::convert(weights), expected, "weights");
}

template <class Isa>
void expect_steps(Isa isa) {
  for (std::uint32_t expected = 0; expected < 256; ++expected) {
    edge_vector edges;
    for (std::size_t i = 0; i < lanes; ++i) {
      edges.lane[i] = graph::edge_valid_bit | graph::local_index_mask;
      if (expected >> i & 1) edges.lane[i] |= graph::edge_step_bit;
    }
    EXPECT_EQ(step(isa, edges), expected);
  }
}

TEST(simd, reads_the_step_of_an_edge_vector) {
  expect_steps(isa::scalar{});
#if defined(__AVX2__) && defined(__FMA__)
  expect_steps(isa::avx2{});
#endif
#ifdef ORUJO_AVX512
  expect_steps(isa::avx512{});
#endif
}

TEST(simd, runs_the_chosen_instruction_set) {
  const auto is_scalar = [](auto isa) { return std::is_same_v<decltype(isa), isa::scalar>; };
  EXPECT_TRUE(with_isa(simd_choice::scalar, is_scalar));
  EXPECT_EQ(with_isa(simd_choice::automatic, is_scalar),
            machine::this_build == machine::build_level::portable);
#if defined(__AVX2__) && defined(__FMA__)
  EXPECT_FALSE(with_isa(simd_choice::avx2, is_scalar));
#endif
#ifdef ORUJO_AVX512
  const auto is_avx512 = [](auto isa) { return std::is_same_v<decltype(isa), isa::avx512>; };
  EXPECT_TRUE(with_isa(simd_choice::automatic, is_avx512));
  EXPECT_TRUE(with_isa(simd_choice::avx512, is_avx512));
  EXPECT_FALSE(with_isa(simd_choice::avx2, is_avx512));
#endif
}

TEST(combine, has_identities) {
  random_stream random(11);
  const auto check = [&](auto combine, auto example) {
    using T = decltype(example);
    const T identity = combine.template identity<T>();
    for (int i = 0; i < 100; ++i) {
      const T x = random_value<T>(random);
      if (x != x) continue;
      EXPECT_EQ(combine(identity, x), x);
      EXPECT_EQ(combine(x, identity), x);
    }
  };
  const auto check_all = [&](auto example) {
    check(gas::sum{}, example);
    check(gas::minimum{}, example);
    check(gas::maximum{}, example);
  };
  check_all(0.0f);
  check_all(0.0);
  check_all(std::uint32_t{0});
  check_all(std::int32_t{0});
  check(gas::bit_or{}, std::uint32_t{0});
}

}  // namespace
}  // namespace orujo::engine
