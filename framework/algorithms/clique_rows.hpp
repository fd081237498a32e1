// The rows in which cliques are counted (triangle_rows.hpp, by degree), with those of other locales' vertices
// while they are needed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "framework/algorithms/triangle_rows.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/dealer.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms::detail {

// One task on every core makes its part. A core has a range of ranks, and in each round takes as many of them
// as the rows that they need from other locales allow.
class clique_rows {
 public:
  // [task; suspends; collective over the job] Cliques of `size` vertices need no rows of fewer than size - 1
  // members. `wide` is that of degree_ranks.hpp. A core takes ranks until it fetches this number of members
  // of other locales' rows in a round, of 4 bytes each.
  clique_rows(const graph::locale_graph& g, int size, bool wide,
              std::uint64_t most_fetched = std::uint64_t{1} << 24);
  clique_rows(const clique_rows&) = delete;

  // [task; suspends; collective over the job] Begins a round: fetches the rows that its ranks need. Returns
  // false if no core has ranks left. All cores have ended their deal() of the round before.
  bool fetch();
  // [task; suspends] Calls work(rank, row) for the rows of the round, of all cores of the locale, each at one
  // of them. of() is valid meanwhile.
  template <class Work>
  void deal(const Work& work) {
    steps::deal_shares(shared_->shares, [&](share& from) {
      from.dealer.deal(from.last - from.first, ranks_at_a_time, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
          const auto rank = static_cast<std::uint32_t>(from.first + k);
          if (counts(rank)) work(rank, rows().before<row_order::degree>(rank).all);
        }
      });
    });
  }

  const triangle_rows& rows() const { return shared_->rows; }
  // The earlier neighbours of an own vertex, or of a mirror among the members of a row of this round. A
  // mirror's row has those that this locale knows.
  std::span<const std::uint32_t> of(std::uint32_t rank) const {
    const fetched_row& fetched = locales() == 1 ? none : shared_->fetched[rank];
    return fetched.size == 0 ? rows().before<row_order::degree>(rank).all
                             : std::span<const std::uint32_t>(fetched.members, fetched.size);
  }

 private:
  static constexpr std::size_t ranks_at_a_time = 8;
  struct fetched_row {
    const std::uint32_t* members;
    std::uint32_t size;
    std::uint32_t round;  // that needs it, the last one
  };
  static constexpr fetched_row none{};
  struct alignas(64) share {
    std::uint32_t first = 0, last = 0;  // ranks of this round
    steps::dealer dealer;
  };
  struct shared {
    shared(const graph::locale_graph& g, bool wide) : rows(g, false, wide), shares(my_locales_cores()) {}
    triangle_rows rows;
    machine::huge_array<std::uint32_t> sizes;   // of the rows of all, by local index
    machine::huge_array<std::uint32_t> locals;  // by rank
    machine::huge_array<fetched_row> fetched;   // by rank
    by_core<share> shares;                      // by core of the locale
  };

  bool counts(std::uint32_t rank) const {
    return rows().before<row_order::degree>(rank).all.size() >= least_members_;
  }
  void share_sizes();
  std::vector<std::uint32_t> choose_ranks();
  template <class Word>
  void fetch_rows(std::span<const std::uint32_t> ranks);
  template <class Word>
  by_core<std::vector<Word>> answer(const by_core<std::vector<Word>>& asked) const;

  const graph::locale_graph& graph_;
  const std::size_t least_members_;
  const bool wide_;
  const std::uint64_t most_fetched_;
  std::shared_ptr<shared> shared_;
  share& mine_;
  std::uint32_t last_;  // of this core's range of ranks
  std::uint32_t round_ = 0;
  std::vector<std::uint32_t> members_;  // of the rows that this core has fetched
};

}  // namespace orujo::internal::algorithms::detail
