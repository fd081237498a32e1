// How the contributions of a vertex's in-edges meet: sum, minimum, maximum, any, bit_or.
//
// Each works on scalars and on packs alike. An operator of one's own has the same two members, must be
// associative and commutative (up to rounding), and combine(identity, x) must be x. It is idempotent if
// combine(x, x) is x, and may say so as these do, for incremental programs.
//
// A sum of floats rounds with every addition, and says so by `rounds`. Where a vertex has many contributions,
// partial results of such an operator meet in double (partial_of). It is called with doubles and packs of
// doubles, too. docs/design/rounding.md bounds the error.
#pragma once

#include <limits>
#include <type_traits>

#include "framework/vectors/pack.hpp"
#include "system/base/host_device.hpp"

namespace orujo::internal::gas {

// The sum of contributions. The identity is 0. Sums of floats with many contributions are added in double.
struct sum {
  static constexpr bool idempotent = false, rounds = true;
  template <class V>
  ORUJO_HOST_DEVICE V operator()(V a, V b) const {
    return a + b;
  }
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
};

// The smallest contribution. The identity is infinity, or the largest value of an integer type.
struct minimum {
  static constexpr bool idempotent = true;
  template <class V>
  ORUJO_HOST_DEVICE V operator()(V a, V b) const {
    using vectors::min;
    return min(a, b);
  }
  template <class T>
  static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    return std::numeric_limits<T>::max();
  }
};

// The largest contribution. The identity is minus infinity, or the smallest value of an integer type.
struct maximum {
  static constexpr bool idempotent = true;
  template <class V>
  ORUJO_HOST_DEVICE V operator()(V a, V b) const {
    using vectors::max;
    return max(a, b);
  }
  template <class T>
  static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    return std::numeric_limits<T>::lowest();
  }
};

// Any one contribution: a vertex takes one, whichever arrives, and no other. The identity is no contribution.
// Programs with it are searches (gas/program.hpp).
struct any {
  static constexpr bool idempotent = true;
  template <class V>
  ORUJO_HOST_DEVICE V operator()(V a, V b) const {
    return minimum{}(a, b);
  }
  template <class T>
  static constexpr T identity() {
    return minimum::identity<T>();
  }
};

namespace detail {

// Vertex programs and visitors whose contributions meet so.
template <class Program>
concept takes_any = std::is_same_v<std::remove_cvref_t<decltype(Program::combine)>, any>;

}  // namespace detail

// The smaller of two values, a < b ? a : b, for scalars and packs alike. A gather uses it in place of
// `std::min`. Both values are of one type V; V{1} is a number. The empty None makes `std::min` the better
// match of calls that find both.
template <class V, class... None>
  requires(sizeof...(None) == 0)
ORUJO_HOST_DEVICE V min(V a, V b, None...) { return minimum{}(a, b); }
// The larger of two values, a > b ? a : b, for scalars and packs alike. A gather uses it in place of
// `std::max`.
template <class V, class... None>
  requires(sizeof...(None) == 0)
ORUJO_HOST_DEVICE V max(V a, V b, None...) { return maximum{}(a, b); }
// select(a < b, x, y) is a < b ? x : y, for scalars and packs alike; also with a > b and a == b. A gather
// uses it in place of `if` and `?:`.
template <class Comparison, class V>
ORUJO_HOST_DEVICE V select(Comparison holds, V if_true, V if_false) {
  using vectors::select;
  return select(holds, if_true, if_false);
}

// The bitwise or of contributions, which are integers. The identity is 0.
struct bit_or {
  static constexpr bool idempotent = true;
  template <class V>
  ORUJO_HOST_DEVICE V operator()(V a, V b) const {
    return a | b;
  }
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
};

// The type in which partial results of an operator on T meet.
template <class Combine, class T>
struct partial_type {
  using type = T;
};
template <class Combine>
  requires requires { requires Combine::rounds; }
struct partial_type<Combine, float> {
  using type = double;
};
template <class Combine, class T>
using partial_of = typename partial_type<std::remove_cvref_t<Combine>, T>::type;

}  // namespace orujo::internal::gas
