// An array distributed over all cores in consecutive blocks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "system/base/divisor.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/gather.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/huge_array.hpp"
#include "system/memory/budget.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::containers {

using loops::async_forall, loops::forall, loops::forall_here;  // found by argument-dependent lookup

namespace detail {
inline void require_range(std::size_t first, std::size_t n, std::size_t size, const call_site& at) {
  if (first <= size && n <= size - first) return;
  base::misuse("elements " + std::to_string(first) + " to " + std::to_string(first) + " + " +
                   std::to_string(n) + " of a global_array of " + std::to_string(size) +
                   ": the range is to end within size(); make the span or the array fit",
               at);
}

// A pass of its own, of a fraction of a nanosecond for each index.
template <class Indices>
void require_indices(const Indices& indices, std::size_t size, const call_site& at) {
  bool past = false;
  for (const auto index : indices) past |= static_cast<std::size_t>(index) >= size;
  if (!past) return;
  for (const auto index : indices)
    base::require_index(static_cast<std::size_t>(index), size, "a global_array", at);
}
}  // namespace detail

// The address of an element of a global_array. Bulk operations refuse it, because a range that starts there
// would go on in the memory of the element's owner, not with the array.
template <class T>
struct element_address : memory::global_address<T> {
  static constexpr bool is_one_element = true;
  constexpr element_address(memory::global_address<T> at) : memory::global_address<T>(at) {}
  constexpr element_address(const element_address&) = default;
  constexpr element_address& operator=(const element_address&) & = default;
};

// An array of n elements in one consecutive block per core: element i lives on core i / block_size(). The
// object is a handle, which can travel; any task creates and destroys the array:
//   auto table = global_array<int>::create(n);  ...  table.destroy();
template <class T>
class global_array {
 public:
  // [task; suspends] Makes n value-initialised elements. The job ends with no_resource where memory does not
  // suffice.
  static global_array create(std::size_t n) {
    const auto parts = static_cast<std::size_t>(cores());
    global_array made(n, n / parts + (n % parts != 0));
    const auto here = static_cast<std::size_t>(my_locales_cores());
    memory::require_room(memory::bytes_of(made.block_size(), here * sizeof(T)), "a global_array");
    made.parts_ = symmetric<part>::reserve();
    // No collectives: several tasks may be making arrays.
    loops::on_all_cores([made] { made.parts_.emplace_here().values.resize(made.range_here().size()); });
    by_core<T*> bases(cores());
    delegates::call_on_all([parts = made.parts_] { return parts.here().values.data(); },
                           [&bases](core_id c, T* base) { bases[c] = base; });
    const memory::global_address<T* const> gathered(my_core(), bases.data());
    loops::on_all_cores([gathered, parts = made.parts_] {
      by_core<T*>& mine = parts.here().bases;
      mine.resize(cores());
      delegates::get(gathered, std::span(mine));
    });
    return made;
  }
  // [task; suspends; collective over the job] Makes an array of the elements that the cores pass, those of
  // core 0 first. Returns the same handle at all cores. The job ends as in create().
  static global_array of(std::span<const T> mine) {
    const std::size_t first = collectives::exclusive_sum(mine.size()),
                      size = collectives::all_reduce(mine.size());
    std::optional<global_array> made;
    if (my_core() == 0) made = create(size);
    const global_array all = collectives::broadcast(made, 0).value();
    all.put(first, mine);
    collectives::barrier();
    return all;
  }
  // [task; suspends] Makes n elements that all have this value, which has to be able to travel.
  static global_array create(std::size_t n, const T& value) {
    const global_array made = create(n);
    made.fill(value);
    return made;
  }
  // [task; suspends] Makes n elements, element i by f(i) at its owner. f has to be able to travel, and must
  // not suspend.
  template <class F>
  static global_array create_by(std::size_t n, const F& f) {
    messages::check_travels<F>();
    const global_array made = create(n);
    forall(made, [f](std::size_t i, T& element) { element = f(i); }, {.may_suspend = false});
    return made;
  }
  // [task; suspends] Frees the elements. No operation on them may be under way, and no copy of the handle may
  // be used afterwards.
  void destroy() const { parts_.destroy(); }

  // The numbers of elements of the array and of a full block, and the core that owns element i.
  std::size_t size() const { return size_; }
  std::size_t block_size() const { return block_.value(); }
  core_id owner(std::size_t i) const { return static_cast<core_id>(block_.divide(i).quotient); }

  // The address of element i, for delegates. The elements after it may be another core's: get(), put() and
  // fill() below take ranges. Only programs compiled without NDEBUG check that i < size().
  [[nodiscard]] element_address<T> operator[](base::placed_index i) const {
    base::debug_require_index(i, size_, "a global_array");
    return address_of(i);
  }

  // Bulk operations on the elements from `first` on, whichever cores own them (system/delegates/bulk.hpp).
  // The blocks are transferred concurrently, except by async_put. A range past the end is a misuse.

  // [task; suspends] Copies into.size() elements to `into`.
  void get(std::size_t first, std::span<T> into, const call_site& at = call_site::current()) const {
    move_blocks("a get from a global_array", first, into, at,
                [](auto from, std::span<T> piece) { delegates::get(from, piece); });
  }
  // [task; suspends] All elements, at the calling core.
  std::vector<T> values() const {
    std::vector<T> all(size_);
    get(0, all);
    return all;
  }
  // [task; suspends] Stores a value, which has to be able to travel, in all elements.
  void fill(const T& value) const {
    loops::on_all_cores([all = *this, value] { delegates::detail::fill_here(all.local(), value); });
  }
  // [task; suspends] Stores values.size() elements.
  void put(std::size_t first, std::span<const T> values, const call_site& at = call_site::current()) const {
    move_blocks("a put to a global_array", first, values, at,
                [](auto to, std::span<const T> piece) { delegates::put(to, piece); });
  }
  // [task or handler] As get, without waiting. `into` has to stay until the event is complete.
  void async_get(delegates::event_ref event, std::size_t first, std::span<T> into,
                 const call_site& at = call_site::current()) const {
    for_each_block(first, into, at,
                   [event](auto from, std::span<T> piece) { delegates::async_get(event, from, piece); });
  }
  // [task or handler] As put, complete when the event is. `values` may be reused when it returns; a task may
  // suspend, block by block.
  void async_put(delegates::event_ref event, std::size_t first, std::span<const T> values,
                 const call_site& at = call_site::current()) const {
    for_each_block(first, values, at,
                   [event](auto to, std::span<const T> piece) { delegates::async_put(event, to, piece); });
  }

  // [task; suspends] Reads element indices[k] into into[k], for as many indices as `into` has elements
  // (system/delegates/gather.hpp). An index past the end is a misuse.
  template <delegates::detail::indices Indices>
  void gather(const Indices& indices, std::span<T> into, const call_site& at = call_site::current()) const {
    delegates::detail::require_as_many(indices, into.size(), at);
    detail::require_indices(indices, size_, at);
    delegates::detail::gather_from(element_places{block_, parts_.here().bases}, indices, into);
  }

  // The elements of a core of this locale. Another core may read them where both have met since they changed.
  const T* values_of(core_id c) const { return parts_.here().bases[c]; }
  // The indices of the elements that a core owns.
  index_range range_of(core_id c) const {
    const std::size_t first = std::min(size_, block_size() * static_cast<std::size_t>(c));
    return {first, std::min(size_, first + block_size())};
  }
  // The calling core's elements, and their indices.
  std::span<T> local() const { return parts_.here().values; }
  index_range range_here() const { return range_of(my_core()); }

  // [task; suspends] Runs the body for the calling core's elements; forall() calls it at every core. The body
  // is body(std::size_t, T&), body(T&), body(std::size_t first, std::span<T>) or body(std::span<T>).
  template <class Body>
  void forall_here(const Body& body, loops::loop_options options = {}) const {
    loops::forall_here(range_here().first, local(), body, options);
  }

 private:
  struct part {
    std::vector<T, machine::huge_allocator<T>> values;
    by_core<T*> bases;  // of all cores' values
  };
  // For a gather.
  struct element_places {
    base::divisor block;
    const by_core<T*>& bases;

    delegates::detail::element_place place_of(std::size_t i) const {
      const base::divisor::division place = block.divide(i);
      return {static_cast<core_id>(place.quotient), place.remainder};
    }
    const T* base_of(core_id core) const { return bases[core]; }
  };
  global_array(std::size_t size, std::size_t block) : size_(size), block_(std::max<std::size_t>(block, 1)) {}

  memory::global_address<T> address_of(std::size_t i) const {
    const base::divisor::division place = block_.divide(i);
    const auto core = static_cast<core_id>(place.quotient);
    return {core, parts_.here().bases[core] + place.remainder};
  }
  // Calls f(address, piece) for each block of the elements from `first` on.
  template <class U, class F>
  void for_each_block(std::size_t first, std::span<U> elements, const call_site& at, const F& f) const {
    detail::require_range(first, elements.size(), size_, at);
    while (!elements.empty()) {
      const std::size_t n = std::min(elements.size(), block_size() - block_.divide(first).remainder);
      f(address_of(first), elements.first(n));
      elements = elements.subspan(n);
      first += n;
    }
  }
  // [task; suspends] Calls f for each block as above, in a task per block if there are several. f is [task;
  // suspends].
  template <class U, class F>
  void move_blocks(const char* reason, std::size_t first, std::span<U> elements, const call_site& at,
                   const F& f) const {
    tasks::join_counter missing(0, reason);
    for_each_block(first, elements, at, [&](memory::global_address<T> address, std::span<U> piece) {
      if (piece.size() == elements.size()) return f(address, piece);
      missing.add();
      tasks::spawn([=, &missing] {
        f(address, piece);
        missing.complete();
      });
    });
    missing.wait();
  }

  std::size_t size_;
  base::divisor block_;
  symmetric<part> parts_{0};
};

}  // namespace orujo::internal::containers
