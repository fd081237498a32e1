#include "framework/algorithms/clique_search.hpp"

#include <algorithm>
#include <bit>

namespace orujo::internal::algorithms::detail {

clique_search::clique_search(int size, bool by_candidate, machine::instruction_set isa)
    : deepest_(static_cast<std::size_t>(std::max(size - 4, 0))),
      triangles_(size == 3),
      by_candidate_(by_candidate),
      isa_(isa),
      levels_(deepest_ + 1) {}

void clique_search::begin(std::size_t candidates) {
  candidates_ = candidates;
  stride_ = (candidates + 63) / 64;
  edges_.assign(candidates * stride_, 0);
  if (sets_.size() < levels_.size() * stride_) sets_.resize(levels_.size() * stride_);
  if (by_candidate_) of_candidates_.assign(candidates, 0);
}

std::uint64_t clique_search::count(std::size_t last) {
  std::uint64_t found = 0;
  machine::compiled_for(isa_, [&] { found = by_candidate_ ? search<true>(last) : search<false>(last); });
  return found;
}

// Returns the number of bits that both sets have.
template <bool ByCandidate>
std::uint64_t clique_search::count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  std::uint64_t found = 0;
  for (std::size_t w = 0; w < words; ++w) {
    std::uint64_t both = a[w] & b[w];
    found += static_cast<std::uint64_t>(std::popcount(both));
    for (; ByCandidate && both != 0; both &= both - 1)
      ++of_candidates_[w * 64 + static_cast<std::size_t>(std::countr_zero(both))];
  }
  return found;
}

// A loop over levels instead of recursion, so that all of it is compiled for the instruction set, and takes
// no stack.
template <bool ByCandidate>
std::uint64_t clique_search::search(std::size_t last) {
  std::uint64_t* const first_set = edges_.data() + last * stride_;
  const std::size_t first_words = (last + 63) / 64;
  if (first_words == 0) return 0;
  if (triangles_) {
    const std::uint64_t found = count_both<ByCandidate>(first_set, first_set, first_words);
    if (ByCandidate) of_candidates_[last] += found;
    return found;
  }
  std::size_t depth = 0;
  levels_[0] = {first_set, first_words, 0, first_set[0], last, 0};
  for (;;) {
    level& at = levels_[depth];
    while (at.bits == 0 && at.word + 1 < at.words) at.bits = at.set[++at.word];
    if (at.bits == 0) {
      const std::uint64_t found = at.found;
      if (ByCandidate) of_candidates_[depth == 0 ? last : levels_[depth - 1].chosen] += found;
      if (depth == 0) return found;
      levels_[--depth].found += found;
      continue;
    }
    at.chosen = at.word * 64 + static_cast<std::size_t>(std::countr_zero(at.bits));
    at.bits &= at.bits - 1;
    const std::uint64_t* const edges = edges_.data() + at.chosen * stride_;
    const std::size_t words = (at.chosen + 63) / 64;  // at most at.words
    if (depth == deepest_) {
      const std::uint64_t found = count_both<ByCandidate>(at.set, edges, words);
      if (ByCandidate) of_candidates_[at.chosen] += found;
      at.found += found;
      continue;
    }
    std::uint64_t* const left = sets_.data() + (depth + 1) * stride_;
    std::size_t size = 0;
    for (std::size_t w = 0; w < words; ++w) {
      left[w] = at.set[w] & edges[w];
      size += static_cast<std::size_t>(std::popcount(left[w]));
    }
    if (size < deepest_ - depth + 1) continue;
    levels_[++depth] = {left, words, 0, left[0], 0, 0};
  }
}

}  // namespace orujo::internal::algorithms::detail
