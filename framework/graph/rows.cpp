#include "framework/graph/rows.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "framework/graph/radix_sort.hpp"

namespace orujo::graph {
namespace {

constexpr std::uint64_t most_small_numbers = std::uint64_t{1} << 32;

template <class T>
void grow(machine::huge_array<T>& array, std::size_t size) {
  if (array.size() < size) array = machine::huge_array<T>(size);
}

}  // namespace

edge_keys::edge_keys(std::uint64_t vertices)
    : neighbour_bits_(static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(vertices, 2) - 1))) {}

rows_writer::rows_writer(std::uint64_t vertices, std::uint64_t first, std::uint64_t last, std::uint64_t edges,
                         bool weighted, bool remove_duplicates)
    : keys_(vertices), remove_duplicates_(remove_duplicates) {
  made_.first_vertex = first;
  made_.offsets = machine::huge_array<std::uint64_t>(last - first + 1);
  made_.neighbours = machine::huge_array<std::uint32_t>(edges);
  if (vertices > most_small_numbers) made_.high_bits = machine::huge_array<std::uint32_t>(edges);
  if (weighted) made_.weights = machine::huge_array<float>(edges);
}

void rows_writer::append(std::uint64_t last, std::span<std::uint64_t> keys, std::span<float> weights) {
  const std::uint64_t first = made_.first_vertex + next_row_;
  const std::uint64_t base = keys_.key(first, 0);
  for (std::uint64_t& key : keys) key -= base;
  const auto row_bits = static_cast<unsigned>(std::bit_width(last - first - 1));
  const unsigned bits = keys_.neighbour_bits() + row_bits;
  grow(spare_keys_, keys.size());
  const std::span<std::uint64_t> spare = spare_keys_.part(0, spare_keys_.size());
  if (made_.weights.size() == 0) {
    write(radix_sort(keys, spare, bits), {});
  } else {
    grow(spare_weights_, keys.size());
    const weighted_keys sorted =
        radix_sort({keys, weights}, {spare, spare_weights_.part(0, spare_weights_.size())}, bits);
    write(sorted.keys, sorted.weights);
  }
  close_rows(last);
}

// Keys are relative to the next row.
void rows_writer::write(std::span<const std::uint64_t> sorted, std::span<const float> weights) {
  std::uint64_t* const ends = made_.offsets.data() + next_row_ + 1;
  const std::size_t count = sorted.size();
  std::uint64_t at = edges_;
  // The last of equal keys stays, or, of those with weights, the first. No branch depends on the keys.
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t key = sorted[k];
    const bool repeated =
        weights.empty() ? k + 1 < count && sorted[k + 1] == key : k > 0 && sorted[k - 1] == key;
    const std::uint64_t neighbour = keys_.neighbour(key);
    const bool keep = !(remove_duplicates_ && repeated);
    if (!weights.empty() && keep) made_.weights[at] = weights[k];
    if (weights.empty() || keep) {
      made_.neighbours[at] = static_cast<std::uint32_t>(neighbour);
      if (made_.high_bits.size() != 0) made_.high_bits[at] = static_cast<std::uint32_t>(neighbour >> 32);
    }
    at += keep;
    ends[keys_.row(key, 0)] = at;
  }
  edges_ = at;
}

// Rows without edges end where the row before them does.
void rows_writer::close_rows(std::uint64_t last) {
  const std::uint64_t end = last - made_.first_vertex;
  for (; next_row_ < end; ++next_row_) {
    std::uint64_t& row_end = made_.offsets[next_row_ + 1];
    row_end = std::max(row_end, made_.offsets[next_row_]);
  }
}

rows rows_writer::finish() {
  CHECK_EQ(next_row_, made_.vertices()) << "rows are missing";
  return std::move(made_);
}

}  // namespace orujo::graph
