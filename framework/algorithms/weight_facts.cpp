#include "framework/algorithms/weight_facts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::algorithms {
namespace {

// The range of a bin's width, as of --delta.
constexpr float narrowest = 1e-30f, widest = 1e30f;
constexpr int digits = std::numeric_limits<float>::digits;

// From here on floats are whole numbers.
constexpr float all_whole = 1 << (digits - 1);

// The exponent of the lowest bit of a weight that is not whole.
int lowest_bit(float weight) {
  const auto bits = std::bit_cast<std::uint32_t>(weight);
  const std::uint32_t fraction = bits & ((1u << (digits - 1)) - 1), exponent = bits >> (digits - 1);
  const int last =
      std::max(static_cast<int>(exponent), 1) - (std::numeric_limits<float>::max_exponent - 1) - (digits - 1);
  return last + std::countr_zero(exponent > 0 ? fraction | 1u << (digits - 1) : fraction);
}

// Examines weights[k] for the slots of a core's vertices.
template <class Weights>
void look_at(weight_facts& all, std::uint64_t first, std::uint64_t last, Weights weights) {
  double sum = 0;
  float smallest = all.smallest, largest = all.largest, most_rounded = 0;
  for (std::uint64_t k = first; k < last; ++k) {
    const float weight = weights(k);
    sum += static_cast<double>(weight);
    smallest = weight < smallest ? weight : smallest;
    largest = weight > largest ? weight : largest;
    const float rounded = std::abs((weight + all_whole) - all_whole - weight);  // to a whole number
    most_rounded = rounded > most_rounded ? rounded : most_rounded;
  }
  all.sum = sum;
  all.smallest = smallest;
  all.largest = largest;
  if (most_rounded == 0) return;
  for (std::uint64_t k = first; k < last; ++k) {
    if (const float weight = weights(k); weight < all_whole && (weight + all_whole) - all_whole != weight)
      all.grain = std::min(all.grain, lowest_bit(weight));
  }
}

weight_facts joined(const weight_facts& a, const weight_facts& b) {
  return {a.sum + b.sum,
          a.edges + b.edges,
          a.sources + b.sources,
          std::min(a.smallest, b.smallest),
          std::max(a.largest, b.largest),
          std::min(a.grain, b.grain)};
}

}  // namespace

float weight_facts::exact_below() const {
  return std::ldexp(1.0f, std::min(digits + grain, std::numeric_limits<float>::max_exponent - 1));
}

bool weight_facts::are_rounded() const {
  return grain < 0 && static_cast<double>(largest) * std::pow(10.0, -grain) >= 1e9;
}

// Returns the mean weight over the edges that lead on from a vertex with edges. These are all but the one by
// which it was found, which counts where there are few. So a path goes on within its bin by one edge, as in
// Meyer and Sanders' analysis, where weights up to 1 are random and the width is 1 / degree. A width below
// the smallest weight would only make empty bins, as no vertex falls back into the current bin then.
float weight_facts::bin_width() const {
  if (sum == 0) return 1;
  const double onward = std::max(static_cast<double>(edges) / static_cast<double>(sources) - 1, 1.0);
  const double width = sum / static_cast<double>(edges) / onward;
  return std::clamp(std::max(static_cast<float>(width), smallest), narrowest, widest);
}

weight_facts find_weight_facts(const graph::locale_graph& g) {
  if (!g.weighted) return {.smallest = 1, .largest = 1};
  weight_facts all{.smallest = std::numeric_limits<float>::infinity()};
  const graph::adjacency& rows = *g.out_rows;
  const graph::core_part& mine = g.my_part();
  for (std::uint32_t v = mine.first; v < mine.last; ++v) all.sources += rows.degree(v) > 0 ? 1 : 0;
  const std::uint64_t first = rows.offsets[mine.first], last = rows.offsets[mine.last];
  all.edges = last - first;
  if (rows.arcs.size() > 0) {
    look_at(all, first, last, [arcs = rows.arcs.data()](std::uint64_t k) { return arcs[k].weight; });
  } else {
    look_at(all, first, last, [weights = rows.weights.data()](std::uint64_t k) { return weights[k]; });
  }
  return collectives::all_reduce(all, joined);
}

}  // namespace orujo::internal::algorithms
