// Packs in AVX2 registers, for float, double and 32-bit integers.
//
// Sources are gathered with eight loads, not with the gather instruction. Pull kernel, sum of floats, one
// core of a Zen 4, ns per edge: 0.50 with loads and 0.63 with vgatherdps (sources in L2), 0.78 and 0.86 (1
// MiB), 1.25 and 1.25 (4 MiB; 1.08 with loads and prefetch).
#pragma once

#include <immintrin.h>

#include "framework/vectors/pack.hpp"

namespace orujo::internal::vectors {

namespace detail {

ORUJO_AVX2 inline __m256i load_edges(const edge_vector& edges) {
  return _mm256_load_si256(reinterpret_cast<const __m256i*>(edges.lane));
}
// Values in memory to the places that the valid lanes name.
template <class T, class Edges>
void scatter_from(const T* values, T* base, const Edges& edges) {
  for (std::size_t i = 0; i < std::size(edges.lane); ++i) {
    if (is_valid(edges, i)) base[neighbour(edges, i)] = values[i];
  }
}
ORUJO_AVX2 inline __m256i blend(__m256i mask, __m256i if_true, __m256i if_false) {
  return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(if_false), _mm256_castsi256_ps(if_true),
                                              _mm256_castsi256_ps(mask)));
}

}  // namespace detail

template <>
struct pack<float, isa::avx2> : machine::passed_by_reference {
  struct mask : machine::passed_by_reference {
    __m256 bits;  // the sign bit of a lane decides
    ORUJO_AVX2 mask(__m256 b) : bits(b) {}
    template <class U = void>
    explicit operator bool() const {
      return detail::one_answer<U>();
    }
  };
  __m256 bits;

  pack() = default;
  ORUJO_AVX2 pack(float x) : bits(_mm256_set1_ps(x)) {}
  ORUJO_AVX2 explicit pack(__m256 b) : bits(b) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) { return pack(_mm256_add_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) { return pack(_mm256_sub_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) { return pack(_mm256_mul_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator/(pack a, pack b) { return pack(_mm256_div_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack min(pack a, pack b) { return pack(_mm256_min_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack max(pack a, pack b) { return pack(_mm256_max_ps(a.bits, b.bits)); }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) { return {_mm256_cmp_ps(a.bits, b.bits, _CMP_EQ_OQ)}; }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) { return {_mm256_cmp_ps(a.bits, b.bits, _CMP_LT_OQ)}; }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return {_mm256_cmp_ps(a.bits, b.bits, _CMP_GT_OQ)}; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(_mm256_blendv_ps(if_false.bits, if_true.bits, condition.bits));
  }

  ORUJO_AVX2 static mask valid(const edge_vector& edges) {
    return {_mm256_castsi256_ps(detail::load_edges(edges))};
  }
  ORUJO_AVX2 static pack gather_valid(const float* base, const edge_vector& edges) {
    using graph::neighbour;
    return pack(_mm256_setr_ps(base[neighbour(edges, 0)], base[neighbour(edges, 1)],
                               base[neighbour(edges, 2)], base[neighbour(edges, 3)],
                               base[neighbour(edges, 4)], base[neighbour(edges, 5)],
                               base[neighbour(edges, 6)], base[neighbour(edges, 7)]));
  }
  ORUJO_AVX2 static void scatter_valid(float* base, const edge_vector& edges, pack values) {
    alignas(64) float lane[lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const weight_vector& weights) { return pack(_mm256_load_ps(weights.lane)); }
  ORUJO_AVX2 void store(float* out) const { _mm256_storeu_ps(out, bits); }
  ORUJO_AVX2 static pack load(const float* in) { return pack(_mm256_loadu_ps(in)); }
};

// Lanes 0..3 in `low`, 4..7 in `high`.
template <>
struct pack<double, isa::avx2> : machine::passed_by_reference {
  struct mask {
    __m256d low, high;  // the sign bit of a lane decides
    template <class U = void>
    explicit operator bool() const {
      return detail::one_answer<U>();
    }
  };
  __m256d low, high;

  pack() = default;
  ORUJO_AVX2 pack(double x) : low(_mm256_set1_pd(x)), high(low) {}
  ORUJO_AVX2 pack(__m256d l, __m256d h) : low(l), high(h) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) {
    return {_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) {
    return {_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) {
    return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend pack operator/(pack a, pack b) {
    return {_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend pack min(pack a, pack b) {
    return {_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend pack max(pack a, pack b) {
    return {_mm256_max_pd(a.low, b.low), _mm256_max_pd(a.high, b.high)};
  }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_EQ_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_EQ_OQ)};
  }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) {
    return {_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), _mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ)};
  }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return b < a; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return {_mm256_blendv_pd(if_false.low, if_true.low, condition.low),
            _mm256_blendv_pd(if_false.high, if_true.high, condition.high)};
  }

  ORUJO_AVX2 static mask valid(const edge_vector& edges) {
    const __m256i all = detail::load_edges(edges);
    return {_mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(all))),
            _mm256_castsi256_pd(_mm256_cvtepi32_epi64(_mm256_extracti128_si256(all, 1)))};
  }
  ORUJO_AVX2 static pack gather_valid(const double* base, const edge_vector& edges) {
    using graph::neighbour;
    return {_mm256_setr_pd(base[neighbour(edges, 0)], base[neighbour(edges, 1)], base[neighbour(edges, 2)],
                           base[neighbour(edges, 3)]),
            _mm256_setr_pd(base[neighbour(edges, 4)], base[neighbour(edges, 5)], base[neighbour(edges, 6)],
                           base[neighbour(edges, 7)])};
  }
  ORUJO_AVX2 static void scatter_valid(double* base, const edge_vector& edges, pack values) {
    alignas(64) double lane[lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const weight_vector& weights) {
    return {_mm256_cvtps_pd(_mm_load_ps(weights.lane)), _mm256_cvtps_pd(_mm_load_ps(weights.lane + 4))};
  }
  ORUJO_AVX2 static pack convert(const pack<float, isa::avx2>& numbers) {
    return {_mm256_cvtps_pd(_mm256_castps256_ps128(numbers.bits)),
            _mm256_cvtps_pd(_mm256_extractf128_ps(numbers.bits, 1))};
  }
  ORUJO_AVX2 void store(double* out) const {
    _mm256_storeu_pd(out, low);
    _mm256_storeu_pd(out + 4, high);
  }
  ORUJO_AVX2 static pack load(const double* in) { return {_mm256_loadu_pd(in), _mm256_loadu_pd(in + 4)}; }
};

// `std::uint32_t` and std::int32_t: they differ in order only.
template <class T>
  requires(std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::int32_t>)
struct pack<T, isa::avx2> : machine::passed_by_reference {
  struct mask : machine::passed_by_reference {
    __m256i bits;  // the sign bit of a lane decides
    ORUJO_AVX2 mask(__m256i b) : bits(b) {}
    template <class U = void>
    explicit operator bool() const {
      return detail::one_answer<U>();
    }
  };
  __m256i bits;

  pack() = default;
  ORUJO_AVX2 pack(T x) : bits(_mm256_set1_epi32(static_cast<int>(x))) {}
  ORUJO_AVX2 explicit pack(__m256i b) : bits(b) {}

  ORUJO_AVX2 friend pack operator+(pack a, pack b) { return pack(_mm256_add_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator-(pack a, pack b) { return pack(_mm256_sub_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator*(pack a, pack b) { return pack(_mm256_mullo_epi32(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator&(pack a, pack b) { return pack(_mm256_and_si256(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack operator|(pack a, pack b) { return pack(_mm256_or_si256(a.bits, b.bits)); }
  ORUJO_AVX2 friend pack min(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm256_min_epi32(a.bits, b.bits));
    return pack(_mm256_min_epu32(a.bits, b.bits));
  }
  ORUJO_AVX2 friend pack max(pack a, pack b) {
    if constexpr (std::is_signed_v<T>) return pack(_mm256_max_epi32(a.bits, b.bits));
    return pack(_mm256_max_epu32(a.bits, b.bits));
  }
  ORUJO_AVX2 friend mask operator==(pack a, pack b) { return {_mm256_cmpeq_epi32(a.bits, b.bits)}; }
  ORUJO_AVX2 friend mask operator<(pack a, pack b) { return b > a; }
  ORUJO_AVX2 friend mask operator>(pack a, pack b) { return {_mm256_cmpgt_epi32(a.ordered(), b.ordered())}; }
  ORUJO_AVX2 friend pack select(mask condition, pack if_true, pack if_false) {
    return pack(detail::blend(condition.bits, if_true.bits, if_false.bits));
  }

  ORUJO_AVX2 static mask valid(const edge_vector& edges) { return {detail::load_edges(edges)}; }
  ORUJO_AVX2 static pack gather_valid(const T* base, const edge_vector& edges) {
    const auto at = [&](std::size_t i) { return static_cast<int>(base[graph::neighbour(edges, i)]); };
    return pack(_mm256_setr_epi32(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)));
  }
  ORUJO_AVX2 static void scatter_valid(T* base, const edge_vector& edges, pack values) {
    alignas(64) T lane[lanes];
    values.store(lane);
    detail::scatter_from(lane, base, edges);
  }
  ORUJO_AVX2 static pack convert(const weight_vector& weights) {
    return pack(_mm256_cvttps_epi32(_mm256_load_ps(weights.lane)));
  }
  ORUJO_AVX2 void store(T* out) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bits); }
  ORUJO_AVX2 static pack load(const T* in) {
    return pack(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)));
  }

 private:
  // Converts to signed integers of the same order, because AVX2 has no unsigned comparison.
  ORUJO_AVX2 __m256i ordered() const {
    if constexpr (std::is_signed_v<T>) return bits;
    return _mm256_xor_si256(bits, _mm256_set1_epi32(INT32_MIN));
  }
};

namespace detail {

// Lane i holds lane i + 4, i + 2 or i + 1 (for the i that reduce() needs).
ORUJO_AVX2 inline __m256 upper_half(__m256 x) { return _mm256_castps128_ps256(_mm256_extractf128_ps(x, 1)); }
ORUJO_AVX2 inline __m256 upper_quarter(__m256 x) { return _mm256_permute_ps(x, 0b1110); }
ORUJO_AVX2 inline __m256 upper_eighth(__m256 x) { return _mm256_permute_ps(x, 0b01); }
ORUJO_AVX2 inline __m256i upper_half(__m256i x) {
  return _mm256_castsi128_si256(_mm256_extracti128_si256(x, 1));
}
ORUJO_AVX2 inline __m256i upper_quarter(__m256i x) { return _mm256_shuffle_epi32(x, 0b1110); }
ORUJO_AVX2 inline __m256i upper_eighth(__m256i x) { return _mm256_shuffle_epi32(x, 0b01); }

}  // namespace detail

// Reduces in the order of reduce() in pack.hpp. Lanes that do not count any more are combined along and
// dropped. Packs of 256 bits use it under AVX-512, too.
template <class Combine, class Isa>
  requires(!std::is_same_v<Isa, isa::scalar>)
ORUJO_AVX2 float reduce(Combine combine, pack<float, Isa> p) {
  using V = pack<float, Isa>;
  p = combine(p, V(detail::upper_half(p.bits)));
  p = combine(p, V(detail::upper_quarter(p.bits)));
  p = combine(p, V(detail::upper_eighth(p.bits)));
  return _mm256_cvtss_f32(p.bits);
}

template <class Combine>
ORUJO_AVX2 double reduce(Combine combine, pack<double, isa::avx2> p) {
  using V = pack<double, isa::avx2>;
  p = combine(p, V(p.high, p.high));
  p = combine(p, V(_mm256_castpd128_pd256(_mm256_extractf128_pd(p.low, 1)), p.high));
  p = combine(p, V(_mm256_permute_pd(p.low, 0b01), p.high));
  return _mm256_cvtsd_f64(p.low);
}

template <class Combine, class T, class Isa>
  requires((std::is_same_v<T, std::uint32_t> ||
            std::is_same_v<T, std::int32_t>)&&!std::is_same_v<Isa, isa::scalar>)
ORUJO_AVX2 T reduce(Combine combine, pack<T, Isa> p) {
  using V = pack<T, Isa>;
  p = combine(p, V(detail::upper_half(p.bits)));
  p = combine(p, V(detail::upper_quarter(p.bits)));
  p = combine(p, V(detail::upper_eighth(p.bits)));
  return static_cast<T>(_mm256_cvtsi256_si32(p.bits));
}

ORUJO_AVX2 inline bool names_run(isa::avx2, const edge_vector& edges) {
  const __m256i places =
      _mm256_andnot_si256(_mm256_set1_epi32(graph::edge_step_bit), detail::load_edges(edges));
  const __m256i first = _mm256_permutevar8x32_epi32(places, _mm256_setzero_si256());
  const __m256i run = _mm256_add_epi32(first, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i valid = _mm256_and_si256(_mm256_cmpeq_epi32(places, run), places);
  return _mm256_movemask_ps(_mm256_castsi256_ps(valid)) == 0xff;
}

ORUJO_AVX2 inline std::uint32_t step(isa::avx2, const edge_vector& edges) {
  const __m256i shifted = _mm256_slli_epi32(detail::load_edges(edges), 1);
  return static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(shifted)));
}

}  // namespace orujo::internal::vectors
