// Values as decimals.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

namespace orujo::internal::results {

namespace detail {
void append_decimals(std::string& to, float value);
void append_decimals(std::string& to, double value);
void append_decimals(std::string& to, std::int64_t value);
void append_decimals(std::string& to, std::uint64_t value);
}  // namespace detail

// Appends the shortest decimals that read back as the same number; of no number "inf", "-inf" or "nan".
struct as_decimals {
  template <class T>
  void operator()(std::string& to, T value) const {
    static_assert(std::is_arithmetic_v<T>,
                  "of other values than numbers the caller says how they are written");
    if constexpr (std::is_floating_point_v<T>) {
      detail::append_decimals(to, value);
    } else if constexpr (std::is_signed_v<T>) {
      detail::append_decimals(to, std::int64_t{value});
    } else {
      detail::append_decimals(to, std::uint64_t{value});
    }
  }
};

}  // namespace orujo::internal::results
