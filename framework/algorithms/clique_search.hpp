// Counts cliques among the neighbours of one vertex: the inner loop of cliques.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "system/machine/isa.hpp"

namespace orujo::internal::algorithms::detail {

// One core's. The candidates are the neighbours of a vertex, 0, 1, .. in an order in which edges lead to
// earlier ones. A bit set for each candidate has its earlier neighbours among them: n^2 / 8 bytes for n
// candidates. A clique is found at its last candidate. The search chooses candidates in descending order, and
// intersects what is left with the set of each. It only counts the bits that are left for the last one.
class clique_search {
 public:
  // Cliques of `size` vertices in all, 3 or more: the vertex and size - 1 candidates. With `by_candidate`,
  // which costs a step for each clique, they are also counted for each of these.
  clique_search(int size, bool by_candidate, machine::instruction_set isa);

  // Begins with this number of candidates, without edges.
  void begin(std::size_t candidates);
  // Adds an edge: earlier < later.
  void join(std::size_t later, std::size_t earlier) {
    edges_[later * stride_ + earlier / 64] |= std::uint64_t{1} << (earlier % 64);
  }
  // Returns the number of cliques whose last candidate is this one. A sum of 2^64 would take years.
  std::uint64_t count(std::size_t last);
  // By candidate: the cliques that it is in, of all that have been counted.
  std::span<const std::uint64_t> of_candidates() const { return {of_candidates_.data(), candidates_}; }

 private:
  // A level tries the candidates of its set, in ascending order.
  struct level {
    std::uint64_t* set;
    std::size_t words, word;
    std::uint64_t bits;  // of the word, not tried yet
    std::size_t chosen;  // the candidate that is being tried
    std::uint64_t found;
  };
  template <bool ByCandidate>
  std::uint64_t search(std::size_t last);
  template <bool ByCandidate>
  std::uint64_t count_both(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);

  const std::size_t deepest_;  // the level where two more candidates are missing
  const bool triangles_, by_candidate_;
  const machine::instruction_set isa_;
  std::size_t candidates_ = 0, stride_ = 0;
  std::vector<std::uint64_t> edges_, sets_;  // by candidate; by level
  std::vector<level> levels_;
  std::vector<std::uint64_t> of_candidates_;
};

}  // namespace orujo::internal::algorithms::detail
