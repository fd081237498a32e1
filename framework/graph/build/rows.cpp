#include "framework/graph/build/rows.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <utility>

#include "framework/graph/build/radix_sort.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::uint64_t most_small_numbers = std::uint64_t{1} << 32;

// Writes rows over the keys that they are made of. A neighbour takes at most half the space of its key, so
// writing never reaches keys that are still to be read.
class rows_writer {
 public:
  rows_writer(grouped_edges& from, std::uint64_t vertices, bool remove_duplicates, kept_weight keep)
      : from_(from), keys_(vertices), remove_duplicates_(remove_duplicates), keep_(keep) {
    std::uint64_t last_vertex = from.first_vertex, last_edge = 0, largest_group = 0;
    for (const grouped_edges::group& g : from.groups) {
      largest_group = std::max(largest_group, g.last_edge - last_edge);
      last_vertex = g.last_vertex;
      last_edge = g.last_edge;
    }
    made_.first_vertex = from.first_vertex;
    made_.offsets = machine::huge_array<std::uint64_t>(last_vertex - from.first_vertex + 1);
    if (vertices > most_small_numbers) made_.high_bits = machine::huge_array<std::uint32_t>(last_edge);
    spare_keys_ = machine::huge_array<std::uint64_t>(largest_group);
    if (weighted()) spare_weights_ = machine::huge_array<float>(largest_group);
  }

  // Sorts and writes edges first .. last - 1, which are those of the next rows up to `last_vertex`'s.
  void write_group(std::uint64_t last_vertex, std::uint64_t first, std::uint64_t last) {
    const std::span<std::uint64_t> keys = from_.keys.part(first, last);
    const std::uint64_t first_vertex = made_.first_vertex + next_row_;
    const std::uint64_t base = keys_.key(first_vertex, 0);
    for (std::uint64_t& key : keys) key -= base;
    const auto row_bits = static_cast<unsigned>(std::bit_width(last_vertex - first_vertex));
    const unsigned bits = std::min(64u, keys_.neighbour_bits() + row_bits);
    const std::span<std::uint64_t> spare = spare_keys_.part(0, spare_keys_.size());
    if (weighted()) {
      write<true>(radix_sort({keys, from_.weights.part(first, last)},
                             {spare, spare_weights_.part(0, spare_weights_.size())}, bits));
    } else {
      write<false>({radix_sort(keys, spare, bits), {}});
    }
    close_rows(last_vertex);
  }

  rows finish() {
    const std::uint64_t room = from_.keys.size();
    made_.neighbours = std::move(from_.keys).reuse_as<std::uint32_t>();
    made_.weights = std::move(from_.weights);
    machine::discard_pages(made_.neighbours.data() + edges_, (2 * room - edges_) * sizeof(std::uint32_t));
    if (made_.weights.size() != 0) {
      machine::discard_pages(made_.weights.data() + edges_, (room - edges_) * sizeof(float));
    }
    return std::move(made_);
  }

 private:
  bool weighted() const { return from_.weights.size() != 0; }

  // Keys are relative to the next row. The first of equal keys that stand for one edge is the lightest.
  // Without weights the last one stays, because that takes no branch.
  template <bool Weighted>
  void write(const weighted_keys& sorted) {
    auto* const neighbours = reinterpret_cast<std::byte*>(from_.keys.data());
    float* const weights = from_.weights.data();
    std::uint32_t* const high_bits = made_.high_bits.data();
    std::uint64_t* const ends = made_.offsets.data() + next_row_ + 1;
    const std::uint64_t* const keys = sorted.keys.data();
    const std::size_t count = sorted.keys.size();
    std::uint64_t at = edges_, previous = count == 0 ? 0 : keys[0];  // by now written over
    std::uint64_t summed = 0;                                        // end of the edge of which `sum` is
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint64_t key = keys[k];
      if (Weighted && remove_duplicates_ && k > 0 && key == std::exchange(previous, key)) {
        if (keep_ == kept_weight::heaviest) weights[at - 1] = sorted.weights[k];
        if (keep_ == kept_weight::sum) {
          if (std::exchange(summed, at) != at) sum = static_cast<double>(weights[at - 1]);
          weights[at - 1] = static_cast<float>(sum += static_cast<double>(sorted.weights[k]));
        }
        continue;
      }
      const std::uint64_t neighbour = keys_.neighbour(key);
      const auto low = static_cast<std::uint32_t>(neighbour);
      std::memcpy(neighbours + at * sizeof(low), &low, sizeof(low));
      if (high_bits) high_bits[at] = static_cast<std::uint32_t>(neighbour >> 32);
      if (Weighted) weights[at] = sorted.weights[k];
      at += !(!Weighted && remove_duplicates_ && k + 1 < count && keys[k + 1] == key);
      ends[keys_.row(key, 0)] = at;
    }
    edges_ = at;
  }

  // Rows without edges end where the row before them does.
  void close_rows(std::uint64_t last_vertex) {
    const std::uint64_t end = last_vertex - made_.first_vertex;
    for (; next_row_ < end; ++next_row_) {
      std::uint64_t& row_end = made_.offsets[next_row_ + 1];
      row_end = std::max(row_end, made_.offsets[next_row_]);
    }
  }

  grouped_edges& from_;
  edge_keys keys_;
  bool remove_duplicates_;
  kept_weight keep_;
  rows made_;
  std::uint64_t next_row_ = 0;
  std::uint64_t edges_ = 0;
  machine::huge_array<std::uint64_t> spare_keys_;
  machine::huge_array<float> spare_weights_;
};

}  // namespace

edge_keys::edge_keys(std::uint64_t vertices)
    : neighbour_bits_(static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(vertices, 2) - 1))) {}

rows sort_rows(grouped_edges edges, std::uint64_t vertices, bool remove_duplicates, kept_weight keep) {
  rows_writer writer(edges, vertices, remove_duplicates, keep);
  std::uint64_t first = 0;
  for (const grouped_edges::group& g : edges.groups) {
    writer.write_group(g.last_vertex, first, g.last_edge);
    first = g.last_edge;
  }
  return writer.finish();
}

}  // namespace orujo::internal::graph
