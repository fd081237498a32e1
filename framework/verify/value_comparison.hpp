// Compares one value per vertex with those of a serial oracle, exactly.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace orujo::verify {

template <class T>
class value_comparison {
 public:
  // what: of the values, in the plural. ids ascending, expected[k] the value of ids[k].
  value_comparison(std::string what, std::vector<std::uint64_t> ids, std::vector<T> expected)
      : what_(std::move(what)), ids_(std::move(ids)), expected_(std::move(expected)) {}

  // Every vertex once, in ascending order of the ids.
  void add(std::uint64_t id, T value) {
    const std::size_t k = seen_++;
    if (k >= ids_.size() || ids_[k] != id) {
      strange_ = true;
    } else if (!(value == expected_[k]) && different_++ == 0) {
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
    if (different_ == 0) return fmt::format("all {} {} are the serial oracle's", seen_, what_);
    return fmt::format("{} of {} {} differ; {}", different_, seen_, what_, first_);
  }

 private:
  bool same_vertices() const { return !strange_ && seen_ == ids_.size(); }

  std::string what_;
  std::vector<std::uint64_t> ids_;
  std::vector<T> expected_;
  std::size_t seen_ = 0, different_ = 0;
  bool strange_ = false;  // an id came that was not the next one
  std::string first_;     // difference
};

}  // namespace orujo::verify
