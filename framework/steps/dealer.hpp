// Work of a locale that its cores take in pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "system/base/identity.hpp"

namespace orujo::steps {

// Hands out the places 0 to size - 1, each once. Where the size is known before anybody takes, any core may;
// what lies at the places has been written before. Stands in a struct that has its cache line for itself.
class dealer {
 public:
  // From the first place on again: by one core, while nobody takes.
  void reset() { next_.store(0, std::memory_order_relaxed); }

  // Calls work(first, last) for pieces of at most `most` places, until all are taken.
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

// Calls work(share) for what each core of the locale has to deal out. A core begins with its own, whose lines
// it has in its cache, and helps the others when that is done.
template <class Shares, class Work>
void deal_shares(Shares& shares, Work work) {
  const auto me = static_cast<std::size_t>(my_core_of_locale());
  for (std::size_t k = 0; k < shares.size(); ++k) work(shares[(me + k) % shares.size()]);
}

}  // namespace orujo::steps
