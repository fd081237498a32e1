// Bins of found vertices by distance, for delta-stepping (Meyer, Sanders 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orujo::algorithms {

// A vertex whose out-edges are to be relaxed, and its distance when it was found. `Distance` is float or
// double.
template <class Distance>
struct found_vertex {
  std::uint32_t vertex;
  Distance distance;
};

// The found vertices of one core by distance. Bin b has those from b * delta to (b + 1) * delta. Bins are
// vectors, whose memory is reused. Bins far ahead share one vector until the others are empty.
template <class Distance>
class distance_bins {
 public:
  using found = found_vertex<Distance>;
  static constexpr std::size_t window = 2048;  // bins kept apart
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  explicit distance_bins(Distance delta) : inverse_(1 / delta), bins_(window) {}

  void clear();
  void push(found one) {
    const std::uint64_t b = bin_of(one.distance) - first_;
    std::vector<found>& to = b < window ? bins_[b] : far_;
    if (to.size() == to.capacity()) [[unlikely]]
      grow(to);
    to.push_back(one);
  }
  // Returns the first bin that is not empty, from b on. No bin before b may be filled afterwards.
  std::uint64_t first_from(std::uint64_t b);
  // True if bin b has a vector of its own; otherwise call move_window() first.
  bool within_window(std::uint64_t b) const { return b - first_ < window; }
  void move_window(std::uint64_t first);

  // Only has to be monotone in the distance, as bins are processed until nothing is left.
  std::uint64_t bin_of(Distance distance) const {
    constexpr Distance most = 1e18f;
    const Distance b = distance * inverse_;
    return static_cast<std::uint64_t>(b < most ? b : most);
  }
  std::vector<found>& bin(std::uint64_t b) { return bins_[b - first_]; }
  // Returns the memory of a vector that bin() had.
  void recycle(std::vector<found>&& emptied);

 private:
  void grow(std::vector<found>& full);

  const Distance inverse_;
  std::uint64_t first_ = 0;
  std::vector<std::vector<found>> bins_;  // from first_ on
  std::vector<found> far_;
  std::vector<std::vector<found>> spare_;
};

}  // namespace orujo::algorithms
