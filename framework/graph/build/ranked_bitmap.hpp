// A set of integers below a bound that counts the members smaller than a given one.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <span>

#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// First set() by any number of threads, then count() by one, then rank() and for_each() by any number.
// Takes 2 bits per integer below the bound.
class ranked_bitmap {
 public:
  ranked_bitmap() = default;
  explicit ranked_bitmap(std::uint64_t bound) : words_((bound + 63) / 64), before_(words_.size() + 1) {}

  void set(std::uint64_t i) {
    const std::uint64_t bit = std::uint64_t{1} << (i % 64);
    std::atomic_ref<std::uint64_t> word(words_[i / 64]);
    // Most are set already: read first, so that the line stays shared.
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }

  bool contains(std::uint64_t i) const { return words_[i / 64] >> (i % 64) & 1; }

  // The words, for merging sets of several locales; bit i % 64 of word i / 64 stands for i.
  std::span<std::uint64_t> words() const { return {words_.data(), words_.size()}; }

  // Prepares rank(); returns the size of the set.
  std::uint64_t count() {
    std::uint64_t sum = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = sum;
      sum += static_cast<std::uint64_t>(std::popcount(words_[w]));
    }
    before_[words_.size()] = sum;
    return sum;
  }

  // The number of members that are smaller than i.
  std::uint64_t rank(std::uint64_t i) const {
    const std::uint64_t below = words_[i / 64] & ((std::uint64_t{1} << (i % 64)) - 1);
    return before_[i / 64] + static_cast<std::uint64_t>(std::popcount(below));
  }

  // Calls visit(member) for the members of ranks [first, last), ascending.
  template <class Visit>
  void for_each(std::uint64_t first, std::uint64_t last, Visit visit) const {
    if (first >= last) return;
    const std::uint64_t* const begin = before_.begin();
    std::size_t w =
        static_cast<std::size_t>(std::upper_bound(begin, begin + before_.size(), first) - begin) - 1;
    for (std::uint64_t rank = before_[w]; rank < last; ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0 && rank < last; rest &= rest - 1, ++rank) {
        if (rank >= first) visit(w * 64 + static_cast<std::uint64_t>(std::countr_zero(rest)));
      }
    }
  }

 private:
  machine::huge_array<std::uint64_t> words_;
  machine::huge_array<std::uint64_t> before_;  // members in earlier words
};

}  // namespace orujo::internal::graph
