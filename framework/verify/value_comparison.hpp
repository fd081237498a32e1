// Compares one value per vertex with those of a serial oracle, exactly or within a tolerance.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace orujo::verify {

template <class T>
class value_comparison {
 public:
  // what: of the values, in the plural. ids ascending, expected[k] the value of ids[k]. tolerance: the
  // relative error that is no difference.
  value_comparison(std::string what, std::vector<std::uint64_t> ids, std::vector<T> expected,
                   double tolerance = 0)
      : what_(std::move(what)), ids_(std::move(ids)), expected_(std::move(expected)), tolerance_(tolerance) {}

  // Every vertex once, in ascending order of the ids.
  void add(std::uint64_t id, T value) {
    const std::size_t k = seen_++;
    if (k >= ids_.size() || ids_[k] != id) {
      strange_ = true;
    } else if (!same(value, expected_[k]) && different_++ == 0) {
      first_ = fmt::format("vertex {} has {} where the serial oracle has {}", id, value, expected_[k]);
    }
  }

  // After all have been added.
  bool agrees() const { return same_vertices() && different_ == 0; }
  std::string describe() const {
    if (!same_vertices()) {
      return fmt::format("the graphs differ: {} vertices where the serial oracle has {}, or other ids", seen_,
                         ids_.size());
    }
    if (different_ == 0) {
      const std::string within = tolerance_ > 0 ? fmt::format(", within {} of each", tolerance_) : "";
      return fmt::format("all {} {} are the serial oracle's{}", seen_, what_, within);
    }
    return fmt::format("{} of {} {} differ; {}", different_, seen_, what_, first_);
  }

 private:
  bool same(T value, T expected) const {
    if (value == expected) return true;
    if constexpr (std::is_floating_point_v<T>) {
      return tolerance_ > 0 && static_cast<double>(std::abs(value - expected)) <=
                                   tolerance_ * static_cast<double>(std::abs(expected));
    }
    return false;
  }
  bool same_vertices() const { return !strange_ && seen_ == ids_.size(); }

  std::string what_;
  std::vector<std::uint64_t> ids_;
  std::vector<T> expected_;
  double tolerance_;
  std::size_t seen_ = 0, different_ = 0;
  bool strange_ = false;  // an id came that was not the next one
  std::string first_;     // difference
};

}  // namespace orujo::verify
