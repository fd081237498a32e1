// The same as ranked_bitmap.hpp of integers that are few among those below the bound.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orujo::internal::graph {

// Takes 1 to 2 bytes per member beside the list. Any thread.
class ranked_list {
 public:
  // members: ascending, distinct and fewer than 2^32. They must outlive the list.
  ranked_list(std::span<const std::uint64_t> members, std::uint64_t bound)
      : members_(members), shift_(shift_for(members.size(), bound)), starts_((bound >> shift_) + 2) {
    std::size_t bucket = 0;
    for (std::size_t k = 0; k < members.size(); ++k) {
      while (bucket <= members[k] >> shift_) starts_[bucket++] = static_cast<std::uint32_t>(k);
    }
    while (bucket < starts_.size()) starts_[bucket++] = static_cast<std::uint32_t>(members.size());
  }

  // The number of members that are smaller than i, which is below the bound.
  std::uint64_t rank(std::uint64_t i) const {
    const std::uint64_t bucket = i >> shift_;
    const auto first = members_.begin() + starts_[bucket], last = members_.begin() + starts_[bucket + 1];
    return static_cast<std::uint64_t>(std::lower_bound(first, last, i) - members_.begin());
  }

 private:
  // So that a bucket has about four members.
  static unsigned shift_for(std::uint64_t members, std::uint64_t bound) {
    const int bits = std::bit_width(bound) - std::bit_width(members / 4);
    return static_cast<unsigned>(std::max(bits, 0));
  }

  const std::span<const std::uint64_t> members_;
  const unsigned shift_;
  std::vector<std::uint32_t> starts_;  // by bucket: the first member in it or after it
};

}  // namespace orujo::internal::graph
