// Packs: lanes of one type, eight for the vectors of the compact encoding, as plain loops or in AVX2 or
// AVX-512 registers, with the same results bit for bit.
//
// A kernel is a template over the instruction set (an isa:: tag) and contains no intrinsics. It runs within
// machine::compiled_for(isa, ...), into which its packs' operations are inlined.
//
// The twins agree exactly, operation by operation, because all lanes are independent and reduce() has one
// fixed order. For whole expressions to agree too, `orujo::system` passes -ffp-contract=off to its users: g++
// otherwise fuses a * b + c where an instruction set can.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "framework/graph/vector_sparse.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::vectors {

using graph::edge_vector;
using graph::weight_vector;
inline constexpr std::size_t lanes = graph::edge_lanes;

namespace isa = machine::isa;

// The scalar cases of what packs have as friends: code for both says `using vectors::min; min(a, b)`.
template <class T>
  requires std::is_arithmetic_v<T>
constexpr T min(T a, T b) { return a < b ? a : b; }
template <class T>
  requires std::is_arithmetic_v<T>
constexpr T max(T a, T b) { return a > b ? a : b; }
template <class T>
  requires std::is_arithmetic_v<T>
constexpr T select(bool condition, T if_true, T if_false) { return condition ? if_true : if_false; }

namespace detail {
// What is wrong where code for packs asks a mask whether it is true.
template <class T>
bool one_answer() {
  static_assert(!std::is_void_v<T>,
                "a gather works on packs of values too, whose comparisons have an answer for each: write "
                "orujo::min(a, b), orujo::max(a, b) or orujo::select(a < b, a, b) for std::min, ?: or if");
  return false;
}
}  // namespace detail

// Lanes of an arithmetic type T. This primary template is the scalar twin. An instruction set without
// registers for T uses it, too. Edges and Weights are vectors of as many lanes.
//   + - *        lane by lane; integers wrap        /            floating point only
//   & |          integers only                       == < >       give a mask; false if a lane is NaN
//   min, max     a < b ? a : b, a > b ? a : b        select       if_true where the mask is set
template <class T, class Isa, std::size_t Lanes = lanes>
struct pack {
  // All bits set or none, of the width of T: selecting by arithmetic leaves no branch to mispredict.
  using mask_lane = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  static_assert(sizeof(T) == sizeof(mask_lane), "lanes are 32 or 64 bits wide");
  struct mask {
    mask_lane lane[Lanes];
    template <class U = void>
    explicit operator bool() const {
      return detail::one_answer<U>();
    }
  };
  T lane[Lanes];

  pack() = default;
  // Broadcast; implicit, so that a program may write `source_value * damping`.
  pack(T x) {
    for (T& one : lane) one = x;
  }

  friend pack operator+(pack a, pack b) {
    return each(a, b, [](T x, T y) { return static_cast<T>(wrapping(x) + wrapping(y)); });
  }
  friend pack operator-(pack a, pack b) {
    return each(a, b, [](T x, T y) { return static_cast<T>(wrapping(x) - wrapping(y)); });
  }
  friend pack operator*(pack a, pack b) {
    return each(a, b, [](T x, T y) { return static_cast<T>(wrapping(x) * wrapping(y)); });
  }
  friend pack operator/(pack a, pack b) requires std::is_floating_point_v<T> {
    return each(a, b, [](T x, T y) { return x / y; });
  }
  friend pack operator&(pack a, pack b) requires std::is_integral_v<T> {
    return each(a, b, [](T x, T y) { return static_cast<T>(x & y); });
  }
  friend pack operator|(pack a, pack b) requires std::is_integral_v<T> {
    return each(a, b, [](T x, T y) { return static_cast<T>(x | y); });
  }
  friend pack min(pack a, pack b) {
    return each(a, b, [](T x, T y) { return x < y ? x : y; });
  }
  friend pack max(pack a, pack b) {
    return each(a, b, [](T x, T y) { return x > y ? x : y; });
  }
  friend mask operator==(pack a, pack b) {
    return compare(a, b, [](T x, T y) { return x == y; });
  }
  friend mask operator<(pack a, pack b) {
    return compare(a, b, [](T x, T y) { return x < y; });
  }
  friend mask operator>(pack a, pack b) {
    return compare(a, b, [](T x, T y) { return x > y; });
  }
  friend pack select(mask condition, pack if_true, pack if_false) {
    for (std::size_t i = 0; i < Lanes; ++i) {
      const mask_lane chosen = std::bit_cast<mask_lane>(if_true.lane[i]) & condition.lane[i];
      const mask_lane rest = std::bit_cast<mask_lane>(if_false.lane[i]) & ~condition.lane[i];
      if_false.lane[i] = std::bit_cast<T>(chosen | rest);
    }
    return if_false;
  }

  // The lanes that hold an edge.
  template <class Edges>
  static mask valid(const Edges& edges) {
    mask result;
    for (std::size_t i = 0; i < Lanes; ++i) result.lane[i] = all_bits(is_valid(edges, i));
    return result;
  }

  // base[neighbour] of every valid lane; the other lanes hold something readable that means nothing.
  // Preconditions: not a jump; base[0] and base[each neighbour] exist.
  template <class Edges>
  static pack gather_valid(const T* base, const Edges& edges) {
    pack result;
    for (std::size_t i = 0; i < Lanes; ++i) result.lane[i] = base[neighbour(edges, i)];
    return result;
  }

  // base[neighbour] = the lane's value, for every valid lane.
  template <class Edges>
  static void scatter_valid(T* base, const Edges& edges, pack values) {
    for (std::size_t i = 0; i < Lanes; ++i) {
      if (is_valid(edges, i)) base[neighbour(edges, i)] = values.lane[i];
    }
  }

  // Weights, or another pack's lanes, as T. Precondition: each fits T once truncated, and int32 if T is an
  // integer.
  template <class Numbers>
  static pack convert(const Numbers& numbers) {
    pack result;
    for (std::size_t i = 0; i < Lanes; ++i) result.lane[i] = static_cast<T>(numbers.lane[i]);
    return result;
  }

  void store(T* out) const {
    for (std::size_t i = 0; i < Lanes; ++i) out[i] = lane[i];
  }
  static pack load(const T* in) {
    pack result;
    for (std::size_t i = 0; i < Lanes; ++i) result.lane[i] = in[i];
    return result;
  }

 private:
  static mask_lane all_bits(mask_lane bit) { return mask_lane{0} - bit; }
  // Signed overflow is undefined; the same bits come out of unsigned arithmetic.
  static auto wrapping(T x) {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<std::make_unsigned_t<T>>(x);
    } else {
      return x;
    }
  }
  template <class Operation>
  static pack each(pack a, pack b, Operation operation) {
    for (std::size_t i = 0; i < Lanes; ++i) a.lane[i] = operation(a.lane[i], b.lane[i]);
    return a;
  }
  template <class Operation>
  static mask compare(pack a, pack b, Operation operation) {
    mask result;
    for (std::size_t i = 0; i < Lanes; ++i) result.lane[i] = all_bits(operation(a.lane[i], b.lane[i]));
    return result;
  }
};

// All lanes combined, in this order on every instruction set:
//   ((l0 . l4) . (l2 . l6)) . ((l1 . l5) . (l3 . l7))     where a . b is combine(a, b)
template <class Combine, class T, class Isa, std::size_t Lanes>
T reduce(Combine combine, pack<T, Isa, Lanes> p) {
  for (std::size_t half = Lanes / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) p.lane[i] = combine(p.lane[i], p.lane[i + half]);
  }
  return p.lane[0];
}

// Prefetches the cache lines that gather_valid(base, edges) will read. Never faults; jumps are harmless.
template <class T, class Edges>
void prefetch(const T* base, const Edges& edges) {
  for (std::size_t i = 0; i < std::size(edges.lane); ++i) __builtin_prefetch(base + neighbour(edges, i));
}

// True if all lanes are valid and name consecutive indices, whatever the step bits are.
inline bool names_run(isa::scalar, const edge_vector& edges) {
  const std::uint32_t first = edges.lane[0] & ~graph::edge_step_bit;
  bool run = (first & graph::edge_valid_bit) != 0;
  for (std::uint32_t i = 1; i < lanes; ++i) run &= (edges.lane[i] & ~graph::edge_step_bit) == first + i;
  return run;
}

// `graph::step` for an instruction set.
inline std::uint32_t step(isa::scalar, const edge_vector& edges) { return graph::step(edges); }

}  // namespace orujo::internal::vectors
