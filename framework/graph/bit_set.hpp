// A set of local indices as a bit mask: the frontier of a superstep, or the vertices that a search has seen.
//
// Members are found by counting trailing zeros (Grossman, Litz, Kozyrakis, PPoPP 2018, section 4), so that
// 64 indices without any cost one test. Cores that work on ranges of words at a time need no atomics.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// 1 bit per index; the bits after the last index are 0. Empty at first. Any thread; members whose names say
// `shared` may run beside each other, the others beside those that touch other words only.
class bit_set {
 public:
  using word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

  bit_set() = default;
  explicit bit_set(std::size_t indices) : words_(words_for(indices)) {}

  static constexpr std::size_t words_for(std::size_t indices) {
    return (indices + word_bits - 1) / word_bits;
  }
  static constexpr std::size_t word_of(std::size_t index) { return index / word_bits; }
  static constexpr word bit_of(std::size_t index) { return word{1} << index % word_bits; }

  // The first member of word w, which has these.
  static std::uint32_t first_of(std::size_t w, word members) {
    return static_cast<std::uint32_t>(w * word_bits) + static_cast<std::uint32_t>(std::countr_zero(members));
  }

  std::size_t size_in_words() const { return words_.size(); }
  // Bit i % 64 of word i / 64 stands for index i.
  std::span<word> words() const { return {words_.data(), words_.size()}; }

  bool test(std::size_t index) const { return (words_[word_of(index)] >> index % word_bits & 1) != 0; }
  void set(std::size_t index) { words_[word_of(index)] |= bit_of(index); }
  void reset(std::size_t index) { words_[word_of(index)] &= ~bit_of(index); }

  // Relaxed; a member that another core has just added may be missed.
  bool shared_test(std::size_t index) const { return (shared_word(word_of(index)) & bit_of(index)) != 0; }
  // Atomic; true if the index was not a member. Reads first, so that the words of members stay shared.
  bool shared_set(std::size_t index) { return shared_merge(word_of(index), bit_of(index)) != 0; }
  // Atomic; adds the members of a word and returns those that were none.
  word shared_merge(std::size_t w, word members) {
    const std::atomic_ref<word> at(words_[w]);
    if ((members & ~at.load(std::memory_order_relaxed)) == 0) return 0;
    return members & ~at.fetch_or(members, std::memory_order_relaxed);
  }
  // Atomic.
  void shared_reset(std::size_t index) { shared_remove(word_of(index), bit_of(index)); }
  // Atomic; takes the members of a word out.
  void shared_remove(std::size_t w, word members) {
    std::atomic_ref<word>(words_[w]).fetch_and(~members, std::memory_order_relaxed);
  }
  word shared_word(std::size_t w) const {
    return std::atomic_ref<word>(words_[w]).load(std::memory_order_relaxed);
  }

  // Calls visit(index) for the members in words [first_word, last_word), ascending.
  template <class Visit>
  void for_each(std::size_t first_word, std::size_t last_word, Visit visit) const {
    for (std::size_t w = first_word; w < last_word; ++w) {
      for (word rest = words_[w]; rest != 0; rest &= rest - 1)
        visit(w * word_bits + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }
  // Visits the members in [first, last).
  template <class Visit>
  void for_each_between(std::size_t first, std::size_t last, Visit visit) const {
    for (std::size_t w = word_of(first); w * word_bits < last; ++w) {
      word rest = words_[w];
      if (w == word_of(first)) rest &= ~word{0} << first % word_bits;
      for (; rest != 0; rest &= rest - 1) {
        const std::size_t index = w * word_bits + static_cast<std::size_t>(std::countr_zero(rest));
        if (index >= last) return;
        visit(index);
      }
    }
  }
  void clear(std::size_t first_word, std::size_t last_word) {
    std::fill(words_.begin() + first_word, words_.begin() + last_word, word{0});
  }

 private:
  machine::huge_array<word> words_;
};

}  // namespace orujo::internal::graph
