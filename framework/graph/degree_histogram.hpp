// The number of vertices by degree, in powers of two.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace orujo::internal::graph {

// Entry 0 has the vertices without edges, entry k those with 2^(k-1) .. 2^k - 1. Can travel.
struct degree_histogram {
  std::array<std::uint64_t, 65> vertices{};
  std::uint64_t most = 0;

  static constexpr std::uint64_t first_of(std::size_t k) { return k == 0 ? 0 : std::uint64_t{1} << (k - 1); }
  static constexpr std::uint64_t last_of(std::size_t k) { return k == 0 ? 0 : first_of(k) * 2 - 1; }

  void add(std::uint64_t degree) {
    ++vertices[static_cast<std::size_t>(std::bit_width(degree))];
    most = std::max(most, degree);
  }
  void operator+=(const degree_histogram& other) {
    for (std::size_t k = 0; k < vertices.size(); ++k) vertices[k] += other.vertices[k];
    most = std::max(most, other.most);
  }
};

}  // namespace orujo::internal::graph
