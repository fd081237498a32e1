// Counting the degrees of vertices before a graph is built.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph {

// Degrees by position, shared by the cores of a locale and the same at every locale: 4 bytes per vertex.
using shared_degrees = std::shared_ptr<const machine::huge_array<std::uint32_t>>;

// Adds to degrees that other threads add to as well, when they have been fetched.
class degree_counter {
 public:
  explicit degree_counter(std::span<std::uint32_t> degrees) : degrees_(degrees) {}
  void add(std::uint64_t position) {
    __builtin_prefetch(&degrees_[position], 1);
    waiting_[count_++] = position;
    if (count_ == waiting_.size()) flush();
  }
  void flush() {
    for (std::size_t k = 0; k < count_; ++k)
      std::atomic_ref(degrees_[waiting_[k]]).fetch_add(1, std::memory_order_relaxed);
    count_ = 0;
  }

 private:
  const std::span<std::uint32_t> degrees_;
  std::array<std::uint64_t, 32> waiting_;
  std::size_t count_ = 0;
};

// [task; suspends; collective over the job] count(degrees) adds to the locale's degrees. Returns the sums of
// all locales.
template <class Count>
shared_degrees add_up_degrees(std::uint64_t vertices, Count count) {
  auto shared = collectives::share_on_locale<machine::huge_array<std::uint32_t>>(
      [&] { return std::make_shared<machine::huge_array<std::uint32_t>>(vertices); });
  const std::span<std::uint32_t> degrees(shared->data(), shared->size());
  count(degrees);
  collectives::barrier(collectives::group::locale);
  if (leads_locale() && locales() > 1)
    collectives::all_reduce(degrees, std::plus<std::uint32_t>(), collectives::group::leaders);
  collectives::barrier(collectives::group::locale);
  return shared;
}

}  // namespace orujo::internal::graph
