// The data of the references in plain MPI: a rank's vertices, their neighbours by number in rows, and
// exchange buffers. The graph is ours, cut at the same vertices, on the same huge pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/machine/huge_array.hpp"
#include "tests/mpi_reference.hpp"

namespace orujo::internal::plain_mpi {

// A locale is a rank. Undirected.
struct rows {
  explicit rows(const graph::locale_graph& g)
      : own(g.own), first(static_cast<std::uint32_t>(g.first_vertex)) {
    MPI_Comm_rank(reference_world(), &rank);
    MPI_Comm_size(reference_world(), &ranks);
    vertices = static_cast<std::uint32_t>(g.vertices);
    offsets = machine::huge_array<std::uint64_t>(own + std::size_t{1});
    for (std::size_t v = 0; v <= own; ++v) offsets[v] = g.out_rows->offsets[v];
    neighbours = machine::huge_array<std::uint32_t>(offsets[own]);
    if (g.weighted) weights = machine::huge_array<float>(offsets[own]);
    const graph::adjacency& edges = *g.out_rows;
    const bool arcs = edges.arcs.size() > 0;
    for (std::size_t k = 0; k < offsets[own]; ++k) {
      const std::uint32_t to = arcs ? edges.arcs[k].neighbour : edges.neighbours[k];
      neighbours[k] = static_cast<std::uint32_t>(g.number_of(to));
      if (g.weighted) weights[k] = arcs ? edges.arcs[k].weight : edges.weights[k];
    }
    const int mine[2] = {static_cast<int>(first), static_cast<int>(own)};
    std::vector<int> all(2 * static_cast<std::size_t>(ranks));
    MPI_Allgather(mine, 2, MPI_INT, all.data(), 2, MPI_INT, reference_world());
    for (std::size_t r = 0; r < all.size(); r += 2) firsts.push_back(all[r]), owns.push_back(all[r + 1]);
  }

  std::size_t degree(std::uint32_t v) const { return offsets[v + 1] - offsets[v]; }
  std::span<const std::uint32_t> of(std::uint32_t v) const {
    return neighbours.part(offsets[v], offsets[v + 1]);
  }
  bool is_mine(std::uint32_t number) const { return number - first < own; }
  int owner_of(std::uint32_t number) const {
    int r = 0;
    while (r + 1 < ranks && static_cast<int>(number) >= firsts[static_cast<std::size_t>(r) + 1]) ++r;
    return r;
  }

  int rank = 0, ranks = 1;
  std::uint32_t own, first, vertices = 0;
  std::vector<int> firsts, owns;  // by rank
  machine::huge_array<std::uint64_t> offsets;
  machine::huge_array<std::uint32_t> neighbours;
  machine::huge_array<float> weights;
};

// A rank's data for the others, which all exchange at once.
template <class T>
class outgoing {
 public:
  explicit outgoing(int ranks)
      : to_(static_cast<std::size_t>(ranks)), counts_(2 * to_.size()), places_(counts_) {}

  void add(int rank, const T& value) { to_[static_cast<std::size_t>(rank)].push_back(value); }

  // Collective; what has come in. Stays until the next.
  std::span<const T> exchange() {
    const std::size_t ranks = to_.size();
    int *const sends = counts_.data(), *const receives = sends + ranks;
    out_.clear();
    for (std::size_t r = 0; r < ranks; ++r) {
      places_[r] = static_cast<int>(out_.size() * sizeof(T));
      sends[r] = static_cast<int>(to_[r].size() * sizeof(T));
      out_.insert(out_.end(), to_[r].begin(), to_[r].end());
      to_[r].clear();
    }
    MPI_Alltoall(sends, 1, MPI_INT, receives, 1, MPI_INT, reference_world());
    std::size_t bytes = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      places_[ranks + r] = static_cast<int>(bytes);
      bytes += static_cast<std::size_t>(receives[r]);
    }
    in_.resize(bytes / sizeof(T));
    MPI_Alltoallv(out_.data(), sends, places_.data(), MPI_BYTE, in_.data(), receives, places_.data() + ranks,
                  MPI_BYTE, reference_world());
    return in_;
  }

 private:
  std::vector<std::vector<T>> to_;
  std::vector<T> out_, in_;
  std::vector<int> counts_, places_;  // bytes; of what is sent, then of what is received
};

// Collective: every rank's part of values by vertex number, to all.
template <class T>
void gather_parts(const rows& g, std::span<T> values, MPI_Datatype type) {
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, values.data(), g.owns.data(), g.firsts.data(), type,
                 reference_world());
}

template <class T>
T sum_of_all(T mine, MPI_Datatype type, MPI_Op by = MPI_SUM) {
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, type, by, reference_world());
  return mine;
}

}  // namespace orujo::internal::plain_mpi
