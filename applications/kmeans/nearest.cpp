#include "applications/kmeans/nearest.hpp"

#include <algorithm>
#include <limits>

#include "framework/engine/simd.hpp"

namespace orujo::kmeans {
namespace {

using engine::lanes;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t blocks_at_a_time = 4;  // their sums do not wait for each other

// By lane: the nearest centre's distance and block, and the next distance.
template <class Isa>
struct nearest_by_lane {
  using pack = engine::pack<double, Isa>;
  pack best = infinity, second = infinity, block = 0.0;

  // Blocks first .. first + Blocks - 1.
  template <std::size_t Blocks>
  [[gnu::always_inline]] void look_at(const double* point, std::size_t columns, const double* values,
                                      std::size_t first) {
    pack sum[Blocks];
    for (pack& one : sum) one = 0.0;
    for (std::size_t j = 0; j < columns; ++j) {
      const pack x = point[j];
      for (std::size_t b = 0; b < Blocks; ++b) {
        const pack difference = x - pack::load(values + ((first + b) * columns + j) * lanes);
        sum[b] = sum[b] + difference * difference;
      }
    }
    for (std::size_t b = 0; b < Blocks; ++b) {
      second = min(second, max(sum[b], best));
      block = select(sum[b] < best, pack(static_cast<double>(first + b)), block);
      best = min(best, sum[b]);
    }
  }

  [[gnu::always_inline]] two_nearest result() const {
    double of_best[lanes], of_second[lanes], of_block[lanes];
    best.store(of_best);
    second.store(of_second);
    block.store(of_block);
    two_nearest found{0, infinity, infinity};
    for (std::size_t k = 0; k < lanes; ++k) {
      const auto center = static_cast<std::uint32_t>(of_block[k]) * static_cast<std::uint32_t>(lanes) +
                          static_cast<std::uint32_t>(k);
      if (of_best[k] < found.distance || (of_best[k] == found.distance && center < found.nearest)) {
        found.second_distance = std::min(found.distance, of_second[k]);
        found.distance = of_best[k];
        found.nearest = center;
      } else {
        found.second_distance = std::min(found.second_distance, of_best[k]);
      }
    }
    return found;
  }
};

}  // namespace

double squared_distance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += (a[j] - b[j]) * (a[j] - b[j]);
  return sum;
}

packed_centers::packed_centers(std::span<const double> centers, std::size_t columns)
    : columns_(columns), blocks_((centers.size() / columns + lanes - 1) / lanes) {
  values_.assign(blocks_ * columns * lanes, infinity);
  for (std::size_t at = 0; at < centers.size(); ++at) {
    const std::size_t center = at / columns, column = at % columns;
    values_[(center / lanes * columns + column) * lanes + center % lanes] = centers[at];
  }
}

template <class Isa>
[[gnu::always_inline]] inline void packed_centers::find(std::span<const double> points,
                                                        std::span<const std::uint32_t> which,
                                                        std::span<two_nearest> found) const {
  for (std::size_t i = 0; i < which.size(); ++i) {
    const double* const point = points.data() + which[i] * columns_;
    nearest_by_lane<Isa> nearest;
    std::size_t block = 0;
    for (; block + blocks_at_a_time <= blocks_; block += blocks_at_a_time)
      nearest.template look_at<blocks_at_a_time>(point, columns_, values_.data(), block);
    for (; block + 2 <= blocks_; block += 2)
      nearest.template look_at<2>(point, columns_, values_.data(), block);
    if (block < blocks_) nearest.template look_at<1>(point, columns_, values_.data(), block);
    found[i] = nearest.result();
  }
}

void packed_centers::find_nearest(machine::instruction_set set, std::span<const double> points,
                                  std::span<const std::uint32_t> which, std::span<two_nearest> found) const {
  machine::with_isa(
      set, [&](auto isa) { machine::compiled_for(isa, [&] { find<decltype(isa)>(points, which, found); }); });
}

}  // namespace orujo::kmeans
