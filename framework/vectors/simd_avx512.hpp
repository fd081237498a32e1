// Packs in AVX-512 registers, for float, double and 32-bit integers: eight lanes as everywhere, in 256 bits
// or 512, with masks in registers of their own.
//
// Sources come by gather instructions, and the totals of bundles by gathers and scatters.
#pragma once

#include "framework/vectors/simd_avx2.hpp"

#include <immintrin.h>

namespace orujo::internal::vectors {

namespace detail {

// For the forms with a mask where there are others too: g++ 12 takes what those leave undefined for used.
inline constexpr __mmask8 all_lanes = 0xff;

struct mask8 {
  __mmask8 bits;  // bit i: lane i
  template <class T = void>
  explicit operator bool() const {
    return one_answer<T>();
  }
};
ORUJO_AVX512 inline mask8 valid_lanes(const edge_vector& edges) {
  return {_mm256_movepi32_mask(load_edges(edges))};
}
ORUJO_AVX512 inline __m256i local_indices(const edge_vector& edges) {
  return _mm256_and_si256(load_edges(edges), _mm256_set1_epi32(static_cast<int>(graph::local_index_mask)));
}

}  // namespace detail

template <>
struct pack<float, isa::avx512> : machine::passed_by_reference {
  using mask = detail::mask8;
  __m256 bits;

  pack() = default;
  ORUJO_AVX512 pack(float x) : bits(_mm256_set1_ps(x)) {}
  ORUJO_AVX512 explicit pack(__m256 b) : bits(b) {}

  ORUJO_AVX512 friend pack operator+(pack a, pack b) { return pack(_mm256_add_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator-(pack a, pack b) { return pack(_mm256_sub_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator*(pack a, pack b) { return pack(_mm256_mul_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator/(pack a, pack b) { return pack(_mm256_div_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack min(pack a, pack b) { return pack(_mm256_min_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack max(pack a, pack b) { return pack(_mm256_max_ps(a.bits, b.bits)); }
  ORUJO_AVX512 friend mask operator==(pack a, pack b) {
    return {_mm256_cmp_ps_mask(a.bits, b.bits, _CMP_EQ_OQ)};
  }
  ORUJO_AVX512 friend mask operator<(pack a, pack b) {
    return {_mm256_cmp_ps_mask(a.bits, b.bits, _CMP_LT_OQ)};
  }
  ORUJO_AVX512 friend mask operator>(pack a, pack b) {
    return {_mm256_cmp_ps_mask(a.bits, b.bits, _CMP_GT_OQ)};
  }
  ORUJO_AVX512 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm256_mask_blend_ps(condition.bits, if_false.bits, if_true.bits));
  }

  ORUJO_AVX512 static mask valid(const edge_vector& edges) { return detail::valid_lanes(edges); }
  ORUJO_AVX512 static pack gather_valid(const float* base, const edge_vector& edges) {
    return pack(_mm256_mmask_i32gather_ps(_mm256_setzero_ps(), valid(edges).bits,
                                          detail::local_indices(edges), base, 4));
  }
  ORUJO_AVX512 static void scatter_valid(float* base, const edge_vector& edges, pack values) {
    _mm256_mask_i32scatter_ps(base, valid(edges).bits, detail::local_indices(edges), values.bits, 4);
  }
  ORUJO_AVX512 static pack convert(const weight_vector& weights) {
    return pack(_mm256_load_ps(weights.lane));
  }
  ORUJO_AVX512 void store(float* out) const { _mm256_storeu_ps(out, bits); }
  ORUJO_AVX512 static pack load(const float* in) { return pack(_mm256_loadu_ps(in)); }
};

template <>
struct pack<double, isa::avx512> : machine::passed_by_reference {
  using mask = detail::mask8;
  __m512d bits;

  pack() = default;
  ORUJO_AVX512 pack(double x) : bits(_mm512_set1_pd(x)) {}
  ORUJO_AVX512 explicit pack(__m512d b) : bits(b) {}

  ORUJO_AVX512 friend pack operator+(pack a, pack b) { return pack(_mm512_add_pd(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator-(pack a, pack b) { return pack(_mm512_sub_pd(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator*(pack a, pack b) { return pack(_mm512_mul_pd(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator/(pack a, pack b) { return pack(_mm512_div_pd(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack min(pack a, pack b) {
    return pack(_mm512_maskz_min_pd(detail::all_lanes, a.bits, b.bits));
  }
  ORUJO_AVX512 friend pack max(pack a, pack b) {
    return pack(_mm512_maskz_max_pd(detail::all_lanes, a.bits, b.bits));
  }
  ORUJO_AVX512 friend mask operator==(pack a, pack b) {
    return {_mm512_cmp_pd_mask(a.bits, b.bits, _CMP_EQ_OQ)};
  }
  ORUJO_AVX512 friend mask operator<(pack a, pack b) {
    return {_mm512_cmp_pd_mask(a.bits, b.bits, _CMP_LT_OQ)};
  }
  ORUJO_AVX512 friend mask operator>(pack a, pack b) {
    return {_mm512_cmp_pd_mask(a.bits, b.bits, _CMP_GT_OQ)};
  }
  ORUJO_AVX512 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm512_mask_blend_pd(condition.bits, if_false.bits, if_true.bits));
  }

  ORUJO_AVX512 static mask valid(const edge_vector& edges) { return detail::valid_lanes(edges); }
  ORUJO_AVX512 static pack gather_valid(const double* base, const edge_vector& edges) {
    return pack(_mm512_mask_i32gather_pd(_mm512_setzero_pd(), valid(edges).bits, detail::local_indices(edges),
                                         base, 8));
  }
  ORUJO_AVX512 static void scatter_valid(double* base, const edge_vector& edges, pack values) {
    _mm512_mask_i32scatter_pd(base, valid(edges).bits, detail::local_indices(edges), values.bits, 8);
  }
  ORUJO_AVX512 static pack convert(const weight_vector& weights) {
    return pack(_mm512_maskz_cvtps_pd(detail::all_lanes, _mm256_load_ps(weights.lane)));
  }
  ORUJO_AVX512 static pack convert(const pack<float, isa::avx512>& numbers) {
    return pack(_mm512_maskz_cvtps_pd(detail::all_lanes, numbers.bits));
  }
  ORUJO_AVX512 void store(double* out) const { _mm512_storeu_pd(out, bits); }
  ORUJO_AVX512 static pack load(const double* in) { return pack(_mm512_loadu_pd(in)); }
};

// `std::uint32_t` and std::int32_t: they differ in order only.
template <class T>
  requires(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
struct pack<T, isa::avx512> : machine::passed_by_reference {
  using mask = detail::mask8;
  __m256i bits;

  pack() = default;
  ORUJO_AVX512 pack(T x) : bits(_mm256_set1_epi32(static_cast<int>(x))) {}
  ORUJO_AVX512 explicit pack(__m256i b) : bits(b) {}

  ORUJO_AVX512 friend pack operator+(pack a, pack b) { return pack(_mm256_add_epi32(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator-(pack a, pack b) { return pack(_mm256_sub_epi32(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator*(pack a, pack b) { return pack(_mm256_mullo_epi32(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator&(pack a, pack b) { return pack(_mm256_and_si256(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack operator|(pack a, pack b) { return pack(_mm256_or_si256(a.bits, b.bits)); }
  ORUJO_AVX512 friend pack min(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm256_min_epi32(a.bits, b.bits));
    return pack(_mm256_min_epu32(a.bits, b.bits));
  }
  ORUJO_AVX512 friend pack max(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm256_max_epi32(a.bits, b.bits));
    return pack(_mm256_max_epu32(a.bits, b.bits));
  }
  ORUJO_AVX512 friend mask operator==(pack a, pack b) { return {_mm256_cmpeq_epi32_mask(a.bits, b.bits)}; }
  ORUJO_AVX512 friend mask operator<(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return {_mm256_cmplt_epi32_mask(a.bits, b.bits)};
    return {_mm256_cmplt_epu32_mask(a.bits, b.bits)};
  }
  ORUJO_AVX512 friend mask operator>(pack a, pack b) { return b < a; }
  ORUJO_AVX512 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm256_mask_blend_epi32(condition.bits, if_false.bits, if_true.bits));
  }

  ORUJO_AVX512 static mask valid(const edge_vector& edges) { return detail::valid_lanes(edges); }
  ORUJO_AVX512 static pack gather_valid(const T* base, const edge_vector& edges) {
    return pack(_mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), valid(edges).bits,
                                             detail::local_indices(edges), base, 4));
  }
  ORUJO_AVX512 static void scatter_valid(T* base, const edge_vector& edges, pack values) {
    _mm256_mask_i32scatter_epi32(base, valid(edges).bits, detail::local_indices(edges), values.bits, 4);
  }
  ORUJO_AVX512 static pack convert(const weight_vector& weights) {
    return pack(_mm256_cvttps_epi32(_mm256_load_ps(weights.lane)));
  }
  ORUJO_AVX512 void store(T* out) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bits); }
  ORUJO_AVX512 static pack load(const T* in) {
    return pack(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)));
  }
};

// Reduces in the order of reduce() in pack.hpp. Packs of 256 bits use the code of simd_avx2.hpp.
template <class Combine>
ORUJO_AVX512 double reduce(Combine combine, pack<double, isa::avx512> p) {
  using V = pack<double, isa::avx512>;
  using detail::all_lanes;
  p = combine(p, V(_mm512_maskz_shuffle_f64x2(all_lanes, p.bits, p.bits, 0b1110)));
  p = combine(p, V(_mm512_maskz_shuffle_f64x2(all_lanes, p.bits, p.bits, 0b01)));
  p = combine(p, V(_mm512_maskz_permute_pd(all_lanes, p.bits, 0b01)));
  return _mm512_cvtsd_f64(p.bits);
}

ORUJO_AVX512 inline bool names_run(isa::avx512, const edge_vector& edges) {
  return names_run(isa::avx2{}, edges);
}

ORUJO_AVX512 inline std::uint32_t step(isa::avx512, const edge_vector& edges) {
  return _mm256_test_epi32_mask(detail::load_edges(edges),
                                _mm256_set1_epi32(static_cast<int>(graph::edge_step_bit)));
}

}  // namespace orujo::internal::vectors
