// Compares edges and a value of each with those of a serial oracle, exactly or within a tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/verify/value_comparison.hpp"

namespace orujo::internal::verify {

namespace detail {
std::string describe_edges(std::size_t seen, std::size_t expected, const std::string& what, double tolerance);
}

// An edge between vertices of a simple_graph, which are positions, and its value.
template <class T>
struct plain_edge {
  std::size_t source, target;
  T value;
  friend auto operator<=>(const plain_edge&, const plain_edge&) = default;
};

template <class T>
class edge_comparison {
 public:
  // `what` names the edges, in the plural. `ids` are those of all vertices, ascending, as are the expected
  // edges. The tolerance is the largest accepted relative error of values.
  edge_comparison(std::string what, std::vector<std::uint64_t> ids, std::vector<plain_edge<T>> expected,
                  double tolerance = 0)
      : what_(std::move(what)), ids_(std::move(ids)), expected_(std::move(expected)), tolerance_(tolerance) {}

  // Every edge, in ascending order.
  void add(const plain_edge<T>& edge) {
    if (seen_ >= expected_.size() || !same(edge, expected_[seen_])) {
      if (different_++ == 0)
        first_ = told(edge) + " is there where the serial oracle has " +
                 (seen_ < expected_.size() ? told(expected_[seen_]) : "none");
    }
    ++seen_;
  }

  // Call it after all have been added.
  bool agrees() const { return seen_ == expected_.size() && different_ == 0; }
  std::string describe() const {
    if (different_ == 0) return detail::describe_edges(seen_, expected_.size(), what_, tolerance_);
    return std::to_string(different_) + " of " + std::to_string(seen_) + " " + what_ + " differ; " + first_;
  }

 private:
  bool same(const plain_edge<T>& a, const plain_edge<T>& b) const {
    if (a.source != b.source || a.target != b.target) return false;
    if constexpr (std::is_floating_point_v<T>) {
      return a.value == b.value ||
             std::abs(a.value - b.value) <= tolerance_ * static_cast<double>(std::abs(b.value));
    } else {
      return a.value == b.value;
    }
  }
  std::string told(const plain_edge<T>& e) const {
    const auto id = [&](std::size_t v) { return v < ids_.size() ? std::to_string(ids_[v]) : "?"; };
    return id(e.source) + " - " + id(e.target) + " with " + detail::text_of_value(e.value);
  }

  std::string what_;
  std::vector<std::uint64_t> ids_;
  std::vector<plain_edge<T>> expected_;
  double tolerance_;
  std::size_t seen_ = 0, different_ = 0;
  std::string first_;  // difference
};

}  // namespace orujo::internal::verify
