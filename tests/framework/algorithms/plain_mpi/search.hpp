// Breadth-first search in plain MPI that pushes and pulls as Beamer's does (SC 2012). Vertices found by a
// small frontier are sent to their owners, once. A large frontier is a bitmap that all ranks have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/framework/algorithms/plain_mpi/graph.hpp"

namespace orujo::internal::plain_mpi {

class search {
 public:
  static constexpr std::uint32_t none = ~0u;

  // Parts begin at whole words.
  explicit search(const rows& g)
      : parents(g.own), g_(g), frontier_(words_for(g.vertices)), sent_(frontier_.size()), found_(g.ranks) {
    for (int r = 0; r < g.ranks; ++r) {
      const auto k = static_cast<std::size_t>(r);
      first_words_.push_back(g.firsts[k] / 64);
      words_.push_back(static_cast<int>(words_for(static_cast<std::uint32_t>(g.owns[k]))));
    }
  }
  static bool suits(const rows& g) {
    return std::ranges::all_of(g.firsts, [](int first) { return first % 64 == 0; });
  }

  // Returns how many levels there are.
  int run(std::uint32_t source) {
    std::fill(parents.begin(), parents.end(), none);
    std::fill(sent_.begin(), sent_.end(), 0);
    list_.clear();
    if (g_.is_mine(source)) visit(source - g_.first, source);
    std::uint64_t unseen_edges = sum_of_all<std::uint64_t>(g_.offsets[g_.own], MPI_UINT64_T);
    int levels = 0;
    for (bool pulls = false;; ++levels) {
      struct {
        std::uint64_t vertices, edges;
      } now{list_.size(), 0};
      for (std::uint32_t v : list_) now.edges += g_.degree(v);
      MPI_Allreduce(MPI_IN_PLACE, &now, 2, MPI_UINT64_T, MPI_SUM, reference_world());
      if (now.vertices == 0) return levels;
      pulls = pulls ? now.vertices > g_.vertices / 18 : now.edges > unseen_edges / 15;
      unseen_edges -= now.edges;
      if (pulls) {
        pull();
      } else {
        push();
      }
    }
  }

  std::vector<std::uint32_t> parents;  // numbers, by own vertex

 private:
  struct pair {
    std::uint32_t vertex, parent;  // the former as a place at its owner
  };
  static std::size_t words_for(std::uint32_t bits) { return (bits + 63) / 64; }
  static bool test_and_set(machine::huge_array<std::uint64_t>& bits, std::uint32_t at) {
    const std::uint64_t bit = std::uint64_t{1} << at % 64;
    const bool was = bits[at / 64] & bit;
    bits[at / 64] |= bit;
    return was;
  }
  void visit(std::uint32_t v, std::uint32_t parent) {
    if (parents[v] != none) return;
    parents[v] = parent;
    list_.push_back(v);
  }
  void push() {
    before_.swap(list_);
    list_.clear();
    for (std::uint32_t v : before_) {
      for (std::uint32_t u : g_.of(v)) {
        if (g_.is_mine(u)) {
          visit(u - g_.first, g_.first + v);
        } else if (!test_and_set(sent_, u)) {
          const int to = g_.owner_of(u);
          found_.add(to,
                     {u - static_cast<std::uint32_t>(g_.firsts[static_cast<std::size_t>(to)]), g_.first + v});
        }
      }
    }
    for (const pair& p : found_.exchange()) visit(p.vertex, p.parent);
  }
  void pull() {
    std::fill_n(frontier_.begin() + g_.first / 64, words_for(g_.own), 0);
    for (std::uint32_t v : list_) test_and_set(frontier_, g_.first + v);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, frontier_.data(), words_.data(), first_words_.data(),
                   MPI_UINT64_T, reference_world());
    list_.clear();
    for (std::uint32_t v = 0; v < g_.own; ++v) {
      if (parents[v] != none) continue;
      for (std::uint32_t u : g_.of(v)) {
        if (!(frontier_[u / 64] >> u % 64 & 1)) continue;
        parents[v] = u;
        list_.push_back(v);
        break;
      }
    }
  }

  const rows& g_;
  machine::huge_array<std::uint64_t> frontier_, sent_;  // bits, by number
  outgoing<pair> found_;
  std::vector<int> first_words_, words_;  // by rank
  std::vector<std::uint32_t> list_, before_;
};

}  // namespace orujo::internal::plain_mpi
