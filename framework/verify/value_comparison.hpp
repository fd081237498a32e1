// Compares one value per vertex with those of a serial oracle, exactly or within a tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace orujo::internal::verify {

namespace detail {

// Shortest decimals, as in results.
std::string text_of(double value);
std::string text_of(float value);
std::string text_of(std::uint64_t value);
std::string text_of(std::int64_t value);
template <class T>
std::string text_of_value(T value) {
  if constexpr (std::is_floating_point_v<T>) return text_of(value);
  if constexpr (std::is_unsigned_v<T>) return text_of(std::uint64_t{value});
  if constexpr (std::is_signed_v<T>) return text_of(static_cast<std::int64_t>(value));
}

struct comparison_counts {
  std::size_t seen = 0, expected = 0, different = 0;
  bool same_vertices = false;
  double tolerance = 0;
};
std::string describe(const comparison_counts& counts, const std::string& what, const std::string& first);

}  // namespace detail

template <class T>
class value_comparison {
 public:
  // what: the name of the values, in the plural. ids ascend, and expected[k] is the value of ids[k].
  // tolerance: the largest accepted relative error. Below `least` it is relative to that.
  value_comparison(std::string what, std::vector<std::uint64_t> ids, std::vector<T> expected,
                   double tolerance = 0, T least = std::numeric_limits<T>::min())
      : what_(std::move(what)),
        ids_(std::move(ids)),
        expected_(std::move(expected)),
        tolerance_(tolerance),
        least_(least) {}

  // Every vertex once, in ascending order of the ids.
  void add(std::uint64_t id, T value) {
    const std::size_t k = seen_++;
    if (k >= ids_.size() || ids_[k] != id) {
      strange_ = true;
    } else if (!same(value, expected_[k]) && different_++ == 0) {
      first_ = "vertex " + std::to_string(id) + " has " + detail::text_of_value(value) +
               " where the serial oracle has " + detail::text_of_value(expected_[k]);
    }
  }

  // Call it after all have been added.
  bool agrees() const { return same_vertices() && different_ == 0; }
  std::string describe() const {
    return detail::describe({seen_, ids_.size(), different_, same_vertices(), tolerance_}, what_, first_);
  }

 private:
  bool same(T value, T expected) const {
    if (value == expected) return true;
    if constexpr (std::is_floating_point_v<T>) {
      const T size = std::max(std::abs(expected), least_);
      return tolerance_ > 0 &&
             static_cast<double>(std::abs(value - expected)) <= tolerance_ * static_cast<double>(size);
    }
    return false;
  }
  bool same_vertices() const { return !strange_ && seen_ == ids_.size(); }

  std::string what_;
  std::vector<std::uint64_t> ids_;
  std::vector<T> expected_;
  double tolerance_;
  T least_;
  std::size_t seen_ = 0, different_ = 0;
  bool strange_ = false;  // an id came that was not the next one
  std::string first_;     // difference
};

}  // namespace orujo::internal::verify
