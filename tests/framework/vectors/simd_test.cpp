// Packs of every type and instruction set, against arithmetic on single numbers.
#include "framework/vectors/simd.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "framework/vectors/combine.hpp"
#include "tests/framework/vectors/packs.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::vectors {

namespace test_packs {

template <>
struct vectors_of<lanes> {
  using edges_type = edge_vector;
  using weights_type = weight_vector;
  static constexpr std::uint32_t rest = graph::edge_step_bit;
  static void put(edge_vector& edges, std::size_t lane, std::uint32_t neighbour) {
    edges.lane[lane] |= graph::edge_valid_bit | neighbour;
  }
};

template <class Isa>
using packs_of_eight = packs_of<Isa, lanes>;

INSTANTIATE_TYPED_TEST_SUITE_P(scalar, packs, packs_of_eight<isa::scalar>);
#if defined(__x86_64__)
INSTANTIATE_TYPED_TEST_SUITE_P(avx2, packs, packs_of_eight<isa::avx2>);
INSTANTIATE_TYPED_TEST_SUITE_P(avx512, packs, packs_of_eight<isa::avx512>);
#endif

}  // namespace test_packs

namespace {

using test_packs::random_value;

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
  for (const auto set : test_isa::all()) machine::with_isa(set, [](auto isa) { expect_steps(isa); });
}

template <class Isa>
void expect_runs(Isa isa) {
  const auto vector_from = [](std::uint32_t first, std::uint32_t step) {
    edge_vector edges;
    for (std::uint32_t i = 0; i < lanes; ++i) {
      edges.lane[i] = graph::edge_valid_bit | ((first + i) & graph::local_index_mask);
      if (step >> i & 1) edges.lane[i] |= graph::edge_step_bit;
    }
    return edges;
  };
  for (const std::uint32_t step : {0u, 4u, 255u}) {
    for (const std::uint32_t first : {0u, 1u, 12'345u, graph::local_index_mask - 7})
      EXPECT_TRUE(names_run(isa, vector_from(first, step))) << first << ", step " << step;
    EXPECT_FALSE(names_run(isa, vector_from(graph::local_index_mask - 6, step)));
    for (std::size_t i = 0; i < lanes; ++i) {
      edge_vector other = vector_from(77, step);
      other.lane[i] ^= 1;
      EXPECT_FALSE(names_run(isa, other)) << "lane " << i;
      other = vector_from(77, step);
      other.lane[i] &= ~graph::edge_valid_bit;
      EXPECT_FALSE(names_run(isa, other)) << "lane " << i << " is not valid";
    }
    edge_vector none = vector_from(0, step);
    for (std::uint32_t& lane : none.lane) lane &= ~graph::edge_valid_bit;
    EXPECT_FALSE(names_run(isa, none));
  }
}

TEST(simd, sees_whether_a_vector_names_a_run) {
  for (const auto set : test_isa::all()) machine::with_isa(set, [](auto isa) { expect_runs(isa); });
}

template <class Isa>
void expect_wide_lanes(Isa) {
  random_stream random(12);
  for (int round = 0; round < 200; ++round) {
    const auto numbers = test_packs::random_numbers<std::array<float, lanes>>(random);
    double wide[lanes];
    machine::compiled_for(
        Isa{}, [&] { pack<double, Isa>::convert(pack<float, Isa>::load(numbers.data())).store(wide); });
    for (std::size_t i = 0; i < lanes; ++i)
      EXPECT_TRUE(test_packs::same(wide[i], static_cast<double>(numbers[i]))) << numbers[i] << ", lane " << i;
  }
}

TEST(simd, converts_floats_to_doubles) {
  for (const auto set : test_isa::all()) machine::with_isa(set, [](auto isa) { expect_wide_lanes(isa); });
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

static_assert(std::is_same_v<gas::partial_of<gas::sum, float>, double>);
static_assert(std::is_same_v<gas::partial_of<const gas::sum, float>, double>);
static_assert(std::is_same_v<gas::partial_of<gas::sum, std::uint32_t>, std::uint32_t>);
static_assert(std::is_same_v<gas::partial_of<gas::minimum, float>, float>);

}  // namespace
}  // namespace orujo::internal::vectors
