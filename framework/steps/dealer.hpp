// Divides work of a locale among its cores, in pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <span>

#include "system/base/identity.hpp"

namespace orujo::internal::steps {

// Hands out the positions 0 to size - 1, each once. Any core may take if the size is known before the first
// one does. The data at the positions has been written before. Stands in a struct that has its own cache
// line.
class dealer {
 public:
  // Starts again at the first position. Called by one core, while no core takes.
  void reset() { next_.store(0, std::memory_order_relaxed); }

  // Calls work(first, last) for pieces of at most `most` positions, until all are taken.
  template <class Work>
  void deal(std::size_t size, std::size_t most, Work work) {
    for (;;) {
      const std::size_t first = next_.fetch_add(most, std::memory_order_relaxed);
      if (first >= size) return;
      work(first, std::min(first + most, size));
    }
  }

 private:
  std::atomic<std::size_t> next_{0};
};

// Calls work(share) for the shares of all cores of the locale. A core begins with its own, whose lines it has
// in its cache, and then helps the others.
template <class Shares, class Work>
void deal_shares(Shares& shares, Work work) {
  const std::span all(shares);
  const auto me = static_cast<std::size_t>(my_core_of_locale());
  for (std::size_t k = 0; k < all.size(); ++k) work(all[(me + k) % all.size()]);
}

}  // namespace orujo::internal::steps
