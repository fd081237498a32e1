// How the contributions of a vertex's in-edges meet: sum, minimum, maximum, any, bit_or.
//
// Each works on scalars and on packs alike. An operator of one's own has the same two members, must be
// associative and commutative (up to rounding), and combine(identity, x) must be x. It is idempotent if
// combine(x, x) is x, and may say so as these do, for incremental programs.
#pragma once

#include <limits>

#include "framework/engine/pack.hpp"

namespace orujo::gas {

struct sum {
  static constexpr bool idempotent = false;
  template <class V>
  V operator()(V a, V b) const {
    return a + b;
  }
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
};

struct minimum {
  static constexpr bool idempotent = true;
  template <class V>
  V operator()(V a, V b) const {
    using engine::min;
    return min(a, b);
  }
  template <class T>
  static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return std::numeric_limits<T>::infinity();
    return std::numeric_limits<T>::max();
  }
};

struct maximum {
  static constexpr bool idempotent = true;
  template <class V>
  V operator()(V a, V b) const {
    using engine::max;
    return max(a, b);
  }
  template <class T>
  static constexpr T identity() {
    if constexpr (std::numeric_limits<T>::has_infinity) return -std::numeric_limits<T>::infinity();
    return std::numeric_limits<T>::lowest();
  }
};

// Whichever comes: a vertex takes one contribution and no other (program.hpp). The identity is no
// contribution.
struct any {
  static constexpr bool idempotent = true;
  template <class V>
  V operator()(V a, V b) const {
    return minimum{}(a, b);
  }
  template <class T>
  static constexpr T identity() {
    return minimum::identity<T>();
  }
};

// Integers only.
struct bit_or {
  static constexpr bool idempotent = true;
  template <class V>
  V operator()(V a, V b) const {
    return a | b;
  }
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
};

}  // namespace orujo::gas
