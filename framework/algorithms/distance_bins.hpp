// Found vertices by their distance, for delta-stepping (Meyer, Sanders 2003).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace orujo::algorithms {

// A vertex to relax the out-edges of, and its distance when it was found.
struct found_vertex {
  std::uint32_t vertex;
  float distance;
};

// The found vertices of one core by distance: bin b has those from b * delta to (b + 1) * delta. Bins are
// vectors, whose memory is used again; those far ahead lie together until the others are empty.
class distance_bins {
 public:
  static constexpr std::size_t window = 2048;  // bins kept apart
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  explicit distance_bins(float delta) : inverse_(1 / delta), bins_(window) {}

  void clear();
  void push(found_vertex found) {
    const std::uint64_t b = bin_of(found.distance) - first_;
    std::vector<found_vertex>& to = b < window ? bins_[b] : far_;
    if (to.size() == to.capacity()) [[unlikely]]
      grow(to);
    to.push_back(found);
  }
  // The first that is not empty, from bin b on; none before b is filled any more.
  std::uint64_t first_from(std::uint64_t b);
  // Whether bin b is one of those kept apart, else move_window().
  bool within_window(std::uint64_t b) const { return b - first_ < window; }
  void move_window(std::uint64_t first);

  // Monotone in the distance, and that is all it has to be: bins are worked off until nothing is left.
  std::uint64_t bin_of(float distance) const {
    constexpr float most = 1e18f;
    const float b = distance * inverse_;
    return static_cast<std::uint64_t>(b < most ? b : most);
  }
  std::vector<found_vertex>& bin(std::uint64_t b) { return bins_[b - first_]; }
  // Gives back the memory of a vector that bin() had.
  void recycle(std::vector<found_vertex>&& emptied);

 private:
  void grow(std::vector<found_vertex>& full);

  const float inverse_;
  std::uint64_t first_ = 0;
  std::vector<std::vector<found_vertex>> bins_;  // from first_ on
  std::vector<found_vertex> far_;
  std::vector<std::vector<found_vertex>> spare_;
};

}  // namespace orujo::algorithms
