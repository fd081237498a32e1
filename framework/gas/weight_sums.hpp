// Sums over the edges of a vertex, by what is at their other ends: communities or labels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace orujo::internal::gas {

// Sums of weights by key, in a hash table with open addressing. Its size is by the number of keys, so that
// the sums of a short row stay in the first-level cache.
class weight_sums {
 public:
  struct sum {
    std::uint64_t key;
    double weight;
  };

  // Begins with no sums. There is room for `most` keys.
  void clear(std::size_t most) {
    sums_.clear();
    const std::size_t size = std::bit_ceil(2 * most + 2);
    shift_ = 64 - std::countr_zero(size);
    mask_ = size - 1;
    if (table_.size() < size) table_.resize(size);
    std::fill_n(table_.begin(), size, 0);
  }
  void add(std::uint64_t key, double weight) {
    std::uint32_t& at = place(key);
    if (at == 0) {
      sums_.push_back({key, weight});
      at = static_cast<std::uint32_t>(sums_.size());
    } else {
      sums_[at - 1].weight += weight;
    }
  }
  double operator[](std::uint64_t key) {
    const std::uint32_t at = place(key);
    return at == 0 ? 0 : sums_[at - 1].weight;
  }
  std::vector<sum>& all() { return sums_; }

 private:
  std::uint32_t& place(std::uint64_t key) {
    std::size_t at = key * 0x9e3779b97f4a7c15u >> shift_;
    while (table_[at] != 0 && sums_[table_[at] - 1].key != key) at = (at + 1) & mask_;
    return table_[at];
  }

  std::vector<sum> sums_;
  std::vector<std::uint32_t> table_;  // 0, or the index of a sum plus 1
  std::size_t mask_ = 0;
  int shift_ = 0;
};

}  // namespace orujo::internal::gas
