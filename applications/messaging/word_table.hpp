// A table of 64-bit words over the whole job, and the random numbers that choose the words for each core.
// gups, histogram, index_gather and their benchmarks share it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/delegates/global_heap.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/memory/linear_address.hpp"

namespace orujo::internal::messaging {

using word = std::uint64_t;

// In the global heap, so on huge pages where it is large. Can travel.
class word_table {
 public:
  // [task; suspends] Contents are not initialised. Ends the job with no_resource if the heap is too small.
  static word_table create(std::size_t words) {
    return {delegates::global_alloc<word>(words, block_bytes), words};
  }
  // [task; suspends]
  void destroy() const { delegates::global_free(first_); }

  std::size_t size() const { return words_; }
  memory::linear_address<word> first() const { return first_; }
  memory::linear_address<word> at(std::size_t i) const { return first_ + static_cast<std::ptrdiff_t>(i); }
  memory::global_address<word> operator[](std::size_t i) const { return at(i).resolve(); }

  // [task; suspends] word i = value(i), each at its owner; `value` must be able to travel.
  template <class Value>
  void fill(const Value& value) const {
    loops::forall(first_, words_, [value](std::size_t i, word& w) { w = value(i); }, {.may_suspend = false});
  }
  // The calling core's words: visit(i, word&) in ascending order.
  template <class Visit>
  void visit_here(const Visit& visit) const {
    memory::for_each_local_span(first_, words_, [&](std::size_t i, std::span<word> block) {
      for (std::size_t k = 0; k < block.size(); ++k) visit(i + k, block[k]);
    });
  }

 private:
  static constexpr std::size_t block_bytes = 4096;  // dealt to the cores in turn
  word_table(memory::linear_address<word> first, std::size_t words) : first_(first), words_(words) {}

  memory::linear_address<word> first_;
  std::size_t words_;
};

// Random numbers that are dealt to the cores, each its own stream. Any core can draw another's again.
struct draws {
  std::uint64_t seed;
  std::size_t count;  // over the whole job

  std::size_t count_of(core_id core) const { return part_of({0, count}, core, cores()).size(); }
  random_stream stream_of(core_id core) const {
    return random_stream(seed, static_cast<std::uint64_t>(core));
  }
};

// The word of `size` words that a random number stands for.
constexpr std::size_t place_of(word drawn, std::size_t size) {
  return static_cast<std::size_t>((static_cast<unsigned __int128>(drawn) * size) >> 64);
}

// The numbers that are the calling core's, as places in a table.
inline machine::huge_array<word> drawn_places(const draws& d, std::size_t size) {
  machine::huge_array<word> places(d.count_of(my_core()));
  random_stream random = d.stream_of(my_core());
  for (word& place : places) place = place_of(random(), size);
  return places;
}

}  // namespace orujo::internal::messaging
