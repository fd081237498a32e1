// Combines many contributions so that the rounding error of the result hardly depends on their number.
//
// Pairwise summation (Higham, "The Accuracy of Floating Point Summation", SIAM Journal on Scientific
// Computing 14, 1993), for any operator. Contributions of a block are combined one after the other, and the
// results of blocks two by two: those of two blocks, of four, and so on. A contribution goes through at most
// pairwise_block + log2(count / pairwise_block) operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace orujo::internal::vectors {

inline constexpr std::size_t pairwise_block = 64;

// The results that are still to meet, of ever fewer blocks, by powers of two.
template <class Combine, class Total>
class pairwise_results {
  static_assert(std::is_trivially_copyable_v<Total>);

 public:
  explicit pairwise_results(Combine combine) : combine_(combine) {}

  // The next block's.
  void add(Total result) {
    for (std::uint64_t full = blocks_++; (full & 1) != 0; full >>= 1) result = combine_(take(), result);
    std::memcpy(bytes_ + sizeof(Total) * depth_++, &result, sizeof(Total));
  }
  // All there is; there is one.
  Total all() {
    Total result = take();
    while (depth_ > 0) result = combine_(take(), result);
    return result;
  }

 private:
  Total take() {
    Total result;
    std::memcpy(&result, bytes_ + sizeof(Total) * --depth_, sizeof(Total));
    return result;
  }

  static constexpr std::size_t most_results = 40;  // of fewer than 2^40 blocks

  Combine combine_;
  std::uint64_t blocks_ = 0;
  std::size_t depth_ = 0;
  std::byte bytes_[most_results * sizeof(Total)];  // not initialised
};

// True if totals are combined pairwise. The results lie on the caller's stack. An idempotent operator does
// not round.
template <class Combine, class Total>
inline constexpr bool meets_pairwise = sizeof(Total) <= 256 && !requires {
  requires std::remove_cvref_t<Combine>::idempotent;
};

}  // namespace orujo::internal::vectors
