#include "applications/kmeans/nearest.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "framework/vectors/simd.hpp"

namespace orujo::internal::kmeans {
namespace {

using vectors::lanes;
constexpr double infinity = std::numeric_limits<double>::infinity();
// Sums of several centres are independent of each other. Without vectors one centre's lanes fill the
// registers.
template <class Isa>
constexpr std::size_t centers_at_a_time = std::is_same_v<Isa, vectors::isa::scalar> ? 1 : 4;
// Points are transposed to lanes this many tiles before they are used. By then their bytes have left the
// store buffer, in which a register's load does not find eight stores. Meanwhile later points arrive from
// memory.
constexpr std::size_t tiles_at_a_time = 4;

// The nearest centres of eight points, by lane.
template <class Isa>
struct nearest_by_lane {
  using pack = vectors::pack<double, Isa>;
  pack best = infinity, second = infinity, nearest = 0.0, number = 0.0;

  // Compares the next `Centers` centres. `tile` has, by column, the points' eight values.
  template <std::size_t Centers>
  [[gnu::always_inline]] void look_at(const double* tile, std::size_t columns, const double* centers) {
    pack sum[Centers];
    for (pack& one : sum) one = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      // Lanes must become vectors; g++ would vectorise over columns, and shuffle them.
      asm volatile("");
      const pack x = pack::load(tile + j * lanes);
      for (std::size_t k = 0; k < Centers; ++k) {
        const pack difference = x - pack(centers[k * columns + j]);
        sum[k] = sum[k] + difference * difference;
      }
    }
    for (std::size_t k = 0; k < Centers; ++k) {
      second = min(second, max(sum[k], best));
      nearest = select(sum[k] < best, number, nearest);
      best = min(best, sum[k]);
      number = number + pack(1.0);
    }
  }

  [[gnu::always_inline]] void store(std::span<two_nearest> found) const {
    double of_best[lanes], of_second[lanes], of_nearest[lanes];
    best.store(of_best);
    second.store(of_second);
    nearest.store(of_nearest);
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = {static_cast<std::uint32_t>(of_nearest[i]), of_best[i], of_second[i]};
  }
};

template <class Isa>
[[gnu::always_inline]] inline void find(std::span<const double> centers, std::size_t columns,
                                        const double* points, std::span<const std::uint32_t> which,
                                        std::span<two_nearest> found) {
  std::vector<double> tiles(tiles_at_a_time * columns * lanes, 0);
  const std::size_t tile_size = columns * lanes, many = centers_at_a_time<Isa> * columns;
  for (std::size_t first = 0; first < which.size(); first += tiles_at_a_time * lanes) {
    const std::size_t n = std::min(tiles_at_a_time * lanes, which.size() - first);
    for (std::size_t i = 0; i < n; ++i) {
      const double* const point = points + which[first + i] * columns;
      const double* const later =
          points + which[std::min(first + i + tiles_at_a_time * lanes, which.size() - 1)] * columns;
      double* const to = tiles.data() + i / lanes * tile_size + i % lanes;
      for (std::size_t j = 0; j < columns; j += lanes) __builtin_prefetch(later + j);
      for (std::size_t j = 0; j < columns; ++j) to[j * lanes] = point[j];
    }
    for (std::size_t i = 0; i < n; i += lanes) {
      const double* const tile = tiles.data() + i / lanes * tile_size;
      nearest_by_lane<Isa> nearest;
      std::size_t at = 0;
      for (; at + many <= centers.size(); at += many)
        nearest.template look_at<centers_at_a_time<Isa>>(tile, columns, centers.data() + at);
      for (; at < centers.size(); at += columns)
        nearest.template look_at<1>(tile, columns, centers.data() + at);
      nearest.store(found.subspan(first + i, std::min(lanes, n - i)));
    }
  }
}

}  // namespace

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

void find_nearest(machine::instruction_set set, std::span<const double> centers, std::size_t columns,
                  std::span<const double> points, std::span<const std::uint32_t> which,
                  std::span<two_nearest> found) {
  machine::with_isa(set, [&](auto isa) {
    machine::compiled_for(isa, [&] { find<decltype(isa)>(centers, columns, points.data(), which, found); });
  });
}

}  // namespace orujo::internal::kmeans
