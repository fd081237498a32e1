// Finds the positions of vertices in an ascending list of some of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/squeezed_bits.hpp"

namespace orujo::internal::exchange {

// Has a bit per vertex between the list's ends, and the number of vertices before each word of these. A
// search of the list would cost an unpredictable branch for each halving. Takes 12 bytes per 64 vertices.
class places_in_list {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  // True if this takes no more memory than a few bytes per vertex of the list.
  static bool is_dense(std::span<const std::uint32_t> list) {
    return !list.empty() && list.size() >= words_spanned(list);
  }

  places_in_list() = default;
  explicit places_in_list(std::span<const std::uint32_t> list) {
    if (list.empty()) return;
    first_word_ = list.front() / bits_of_word;
    words_.resize(words_spanned(list));
    before_.resize(words_.size());
    for (const std::uint32_t v : list)
      words_[v / bits_of_word - first_word_] |= bit_word{1} << v % bits_of_word;
    std::uint32_t before = 0;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      before_[w] = before;
      before += static_cast<std::uint32_t>(bits_of(words_[w]));
    }
  }

  // Returns the position of any vertex; `none` if it is not in the list.
  std::size_t find(std::uint32_t vertex) const {
    const std::size_t w = vertex / bits_of_word - first_word_;  // beyond all words if it is before the first
    if (w >= words_.size()) return none;
    const bit_word bit = bit_word{1} << vertex % bits_of_word;
    return (words_[w] & bit) == 0 ? none : before_[w] + bits_of(words_[w] & (bit - 1));
  }

 private:
  static std::size_t words_spanned(std::span<const std::uint32_t> list) {
    return list.back() / bits_of_word - list.front() / bits_of_word + 1;
  }

  std::size_t first_word_ = 0;
  std::vector<bit_word> words_;
  std::vector<std::uint32_t> before_;
};

}  // namespace orujo::internal::exchange
