// Packs of four lanes, for the wide encoding. AVX2 registers hold float, double and 32-bit integers, under
// AVX2 and AVX-512 alike.
//
// Sources are gathered with four loads. PageRank on Kronecker 18, symmetrised, takes 8.6 ms per edge phase
// with loads and 13.2 with the gather instruction of AVX-512 (2 cores of an Intel Xeon, Skylake family).
#pragma once

#include "applications/engine_lab/wide_vector_sparse.hpp"
#include "framework/vectors/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace orujo::internal::vectors {

using graph::wide_edge_vector;
using graph::wide_weight_vector;
inline constexpr std::size_t wide_lanes = graph::wide_edge_lanes;

// The function graph::same_top_level() by means of an instruction set.
inline bool same_top_level(isa::scalar, const wide_edge_vector& a, const wide_edge_vector& b) {
  return graph::same_top_level(a, b);
}

#if defined(__x86_64__)
namespace detail {

template <class Isa>
concept vector_isa = !std::is_same_v<Isa, isa::scalar>;

ORUJO_AVX2 inline __m256i load_edges(const wide_edge_vector& edges) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(edges.lane));
}
// The upper halves of the four lanes. Their sign bits are the valid bits.
ORUJO_AVX2 inline __m128 upper_words(const wide_edge_vector& edges) {
  const __m256 words = _mm256_castsi256_ps(load_edges(edges));
  return _mm_shuffle_ps(_mm256_castps256_ps128(words), _mm256_extractf128_ps(words, 1), 0b11'01'11'01);
}

}  // namespace detail

template <detail::vector_isa Isa>
struct pack<float, Isa, wide_lanes> : machine::passed_by_reference {
  struct mask : machine::passed_by_reference {
    __m128 bits;  // the sign bit of a lane decides
    ORUJO_AVX2 mask(__m128 b) : bits(b) {}
  };
  __m128 bits;

  pack() = default;
  ORUJO_AVX2 pack(float x) : bits(_mm_set1_ps(x)) {}
  ORUJO_AVX2 explicit pack(__m128 b) : bits(b) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) { return pack(_mm_add_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) { return pack(_mm_sub_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) { return pack(_mm_mul_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator/(pack a, pack b) { return pack(_mm_div_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack min(pack a, pack b) { return pack(_mm_min_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack max(pack a, pack b) { return pack(_mm_max_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) { return {_mm_cmp_ps(a.bits, b.bits, _CMP_EQ_OQ)}; }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) { return {_mm_cmp_ps(a.bits, b.bits, _CMP_LT_OQ)}; }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return {_mm_cmp_ps(a.bits, b.bits, _CMP_GT_OQ)}; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm_blendv_ps(if_false.bits, if_true.bits, condition.bits));
  }

  ORUJO_AVX2 static mask valid(const wide_edge_vector& edges) { return {detail::upper_words(edges)}; }
  ORUJO_AVX2 static pack gather_valid(const float* base, const wide_edge_vector& edges) {
    const auto at = [&](std::size_t i) { return base[graph::neighbour(edges, i)]; };
    return pack(_mm_setr_ps(at(0), at(1), at(2), at(3)));
  }
  ORUJO_AVX2 static void scatter_valid(float* base, const wide_edge_vector& edges, pack values) {
    alignas(16) float lane[wide_lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const wide_weight_vector& weights) {
    return pack(_mm_load_ps(weights.lane));
  }
  ORUJO_AVX2 void store(float* out) const { _mm_storeu_ps(out, bits); }
  ORUJO_AVX2 static pack load(const float* in) { return pack(_mm_loadu_ps(in)); }
};

template <detail::vector_isa Isa>
struct pack<double, Isa, wide_lanes> : machine::passed_by_reference {
  struct mask : machine::passed_by_reference {
    __m256d bits;  // the sign bit of a lane decides
    ORUJO_AVX2 mask(__m256d b) : bits(b) {}
  };
  __m256d bits;

  pack() = default;
  ORUJO_AVX2 pack(double x) : bits(_mm256_set1_pd(x)) {}
  ORUJO_AVX2 explicit pack(__m256d b) : bits(b) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) { return pack(_mm256_add_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) { return pack(_mm256_sub_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) { return pack(_mm256_mul_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator/(pack a, pack b) { return pack(_mm256_div_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack min(pack a, pack b) { return pack(_mm256_min_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack max(pack a, pack b) { return pack(_mm256_max_pd(a.bits, b.bits)); }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) { return {_mm256_cmp_pd(a.bits, b.bits, _CMP_EQ_OQ)}; }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) { return {_mm256_cmp_pd(a.bits, b.bits, _CMP_LT_OQ)}; }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return {_mm256_cmp_pd(a.bits, b.bits, _CMP_GT_OQ)}; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm256_blendv_pd(if_false.bits, if_true.bits, condition.bits));
  }

  ORUJO_AVX2 static mask valid(const wide_edge_vector& edges) {
    return {_mm256_castsi256_pd(detail::load_edges(edges))};
  }
  ORUJO_AVX2 static pack gather_valid(const double* base, const wide_edge_vector& edges) {
    const auto at = [&](std::size_t i) { return base[graph::neighbour(edges, i)]; };
    return pack(_mm256_setr_pd(at(0), at(1), at(2), at(3)));
  }
  ORUJO_AVX2 static void scatter_valid(double* base, const wide_edge_vector& edges, pack values) {
    alignas(32) double lane[wide_lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const wide_weight_vector& weights) {
    return pack(_mm256_cvtps_pd(_mm_load_ps(weights.lane)));
  }
  ORUJO_AVX2 void store(double* out) const { _mm256_storeu_pd(out, bits); }
  ORUJO_AVX2 static pack load(const double* in) { return pack(_mm256_loadu_pd(in)); }
};

// The types `std::uint32_t` and `std::int32_t` differ in order only.
template <class T, detail::vector_isa Isa>
  requires(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
struct pack<T, Isa, wide_lanes> : machine::passed_by_reference {
  struct mask : machine::passed_by_reference {
    __m128i bits;  // the sign bit of a lane decides
    ORUJO_AVX2 mask(__m128i b) : bits(b) {}
  };
  __m128i bits;

  pack() = default;
  ORUJO_AVX2 pack(T x) : bits(_mm_set1_epi32(static_cast<int>(x))) {}
  ORUJO_AVX2 explicit pack(__m128i b) : bits(b) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) { return pack(_mm_add_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) { return pack(_mm_sub_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) { return pack(_mm_mullo_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator&(pack a, pack b) { return pack(_mm_and_si128(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator|(pack a, pack b) { return pack(_mm_or_si128(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack min(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm_min_epi32(a.bits, b.bits));
    return pack(_mm_min_epu32(a.bits, b.bits));
  }
  ORUJO_AVX2 friend pack max(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm_max_epi32(a.bits, b.bits));
    return pack(_mm_max_epu32(a.bits, b.bits));
  }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) { return {_mm_cmpeq_epi32(a.bits, b.bits)}; }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) { return b > a; }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return {_mm_cmpgt_epi32(a.ordered(), b.ordered())}; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm_castps_si128(_mm_blendv_ps(
        _mm_castsi128_ps(if_false.bits), _mm_castsi128_ps(if_true.bits), _mm_castsi128_ps(condition.bits))));
  }

  ORUJO_AVX2 static mask valid(const wide_edge_vector& edges) {
    return {_mm_castps_si128(detail::upper_words(edges))};
  }
  ORUJO_AVX2 static pack gather_valid(const T* base, const wide_edge_vector& edges) {
    const auto at = [&](std::size_t i) { return static_cast<int>(base[graph::neighbour(edges, i)]); };
    return pack(_mm_setr_epi32(at(0), at(1), at(2), at(3)));
  }
  ORUJO_AVX2 static void scatter_valid(T* base, const wide_edge_vector& edges, pack values) {
    alignas(16) T lane[wide_lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const wide_weight_vector& weights) {
    return pack(_mm_cvttps_epi32(_mm_load_ps(weights.lane)));
  }
  ORUJO_AVX2 void store(T* out) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bits); }
  ORUJO_AVX2 static pack load(const T* in) {
    return pack(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
  }

 private:
  // As signed integers of the same order, because AVX2 has no unsigned comparison.
  ORUJO_AVX2 __m128i ordered() const {
    if constexpr (std::is_signed_v<T>) return bits;
    return _mm_xor_si128(bits, _mm_set1_epi32(INT32_MIN));
  }
};

// (l0 . l2) . (l1 . l3), as reduce() in pack.hpp does it. Lanes that do not count are combined, too, and
// dropped.
template <class Combine, detail::vector_isa Isa>
ORUJO_AVX2 float reduce(Combine combine, pack<float, Isa, wide_lanes> p) {
  using V = pack<float, Isa, wide_lanes>;
  p = combine(p, V(_mm_permute_ps(p.bits, 0b1110)));
  p = combine(p, V(_mm_permute_ps(p.bits, 0b01)));
  return _mm_cvtss_f32(p.bits);
}

template <class Combine, detail::vector_isa Isa>
ORUJO_AVX2 double reduce(Combine combine, pack<double, Isa, wide_lanes> p) {
  using V = pack<double, Isa, wide_lanes>;
  p = combine(p, V(_mm256_castpd128_pd256(_mm256_extractf128_pd(p.bits, 1))));
  p = combine(p, V(_mm256_permute_pd(p.bits, 0b01)));
  return _mm256_cvtsd_f64(p.bits);
}

template <class Combine, class T, detail::vector_isa Isa>
  requires(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
ORUJO_AVX2 T reduce(Combine combine, pack<T, Isa, wide_lanes> p) {
  using V = pack<T, Isa, wide_lanes>;
  p = combine(p, V(_mm_shuffle_epi32(p.bits, 0b1110)));
  p = combine(p, V(_mm_shuffle_epi32(p.bits, 0b01)));
  return static_cast<T>(_mm_cvtsi128_si32(p.bits));
}

template <detail::vector_isa Isa>
ORUJO_AVX2 bool same_top_level(Isa, const wide_edge_vector& a, const wide_edge_vector& b) {
  const __m256i difference = _mm256_xor_si256(detail::load_edges(a), detail::load_edges(b));
  return _mm256_testz_si256(difference, _mm256_set1_epi64x(static_cast<long long>(graph::wide_piece_mask))) !=
         0;
}
#endif

}  // namespace orujo::internal::vectors
