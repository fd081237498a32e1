// Packs of four lanes of every type and instruction set, against arithmetic on single numbers.
#include "applications/engine_lab/simd_wide.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "tests/framework/vectors/packs.hpp"
#include "tests/system/machine/all_isa.hpp"

namespace orujo::internal::vectors {

namespace test_packs {

template <>
struct vectors_of<wide_lanes> {
  using edges_type = wide_edge_vector;
  using weights_type = wide_weight_vector;
  static constexpr std::uint64_t rest = graph::wide_piece_mask;
  static void put(wide_edge_vector& edges, std::size_t lane, std::uint32_t neighbour) {
    edges.lane[lane] |= graph::wide_valid_bit | neighbour;
  }
};

template <class Isa>
using packs_of_four = packs_of<Isa, wide_lanes>;

INSTANTIATE_TYPED_TEST_SUITE_P(wide_scalar, packs, packs_of_four<isa::scalar>);
#if defined(__x86_64__)
INSTANTIATE_TYPED_TEST_SUITE_P(wide_avx2, packs, packs_of_four<isa::avx2>);
INSTANTIATE_TYPED_TEST_SUITE_P(wide_avx512, packs, packs_of_four<isa::avx512>);
#endif

}  // namespace test_packs

namespace {

template <class Isa>
void expect_top_levels_compared(Isa isa) {
  wide_edge_vector a{}, b{};
  for (std::size_t i = 0; i < wide_lanes; ++i) {
    a.lane[i] = graph::wide_piece(0x123456789abc, i) | graph::wide_valid_bit | i;
    b.lane[i] = graph::wide_piece(0x123456789abc, i) | (5 * i);
  }
  EXPECT_TRUE(same_top_level(isa, a, b));
  for (unsigned bit = 0; bit < graph::wide_id_bits; ++bit) {
    wide_edge_vector other = b;
    for (std::size_t i = 0; i < wide_lanes; ++i)
      other.lane[i] ^= graph::wide_piece(std::uint64_t{1} << bit, i);
    EXPECT_FALSE(same_top_level(isa, a, other)) << bit;
  }
}

TEST(simd, compares_the_top_level_vertices_of_wide_vectors) {
  for (const auto set : test_isa::all())
    machine::with_isa(set, [](auto isa) { expect_top_levels_compared(isa); });
}

}  // namespace
}  // namespace orujo::internal::vectors
