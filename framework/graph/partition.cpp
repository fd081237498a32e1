#include "framework/graph/partition.hpp"

#include <bit>

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t most_buckets = 1 << 14;
constexpr std::uint64_t values_per_line = 16;  // 4-byte values in a cache line

}  // namespace

std::uint64_t bucket_size(std::uint64_t vertices, int cores) {
  const std::uint64_t least = std::bit_ceil((vertices + most_buckets - 1) / most_buckets);
  const bool many = vertices >= 64 * values_per_line * static_cast<std::uint64_t>(cores);
  return std::max<std::uint64_t>(least, many ? values_per_line : 1);
}

partition balance(std::uint64_t vertices, std::span<const std::uint64_t> in_edges, std::uint64_t bucket,
                  int cores, std::uint64_t alpha) {
  const auto load_of = [&](std::size_t b) {
    const std::uint64_t in_bucket = std::min(bucket, vertices - b * bucket);
    return in_edges[b] + alpha * in_bucket;
  };
  std::uint64_t total = 0;
  for (std::size_t b = 0; b < in_edges.size(); ++b) total += load_of(b);

  const auto parts = static_cast<std::uint64_t>(cores);
  std::vector<std::uint64_t> bounds{0};
  std::uint64_t before = 0;
  std::size_t b = 0;
  for (std::uint64_t c = 1; c < parts; ++c) {
    // The cut nearest to c / parts of the load.
    const std::uint64_t target = total / parts * c + total % parts * c / parts;
    while (b < in_edges.size() && before + load_of(b) / 2 < target) before += load_of(b++);
    bounds.push_back(std::min(vertices, b * bucket));
  }
  bounds.push_back(vertices);
  return partition(std::move(bounds));
}

}  // namespace orujo::internal::graph
