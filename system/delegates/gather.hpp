// Reads many scattered elements of global memory at a time: index gather.
#pragma once

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/delegates/core_limits.hpp"
#include "system/delegates/delegate.hpp"
#include "system/memory/block_cyclic.hpp"
#include "system/memory/heap_segments.hpp"
#include "system/memory/linear_address.hpp"

namespace orujo::internal::delegates {

namespace detail {

// An element by whose it is: the so-many-th behind what base_of(core) of the array's parts says.
struct element_place {
  core_id core;
  std::uint64_t offset;
};

// The elements behind an address; what each core has of them as an array.
template <class T>
class parts_behind {
 public:
  explicit parts_behind(memory::global_address<const T> first) : first_(first) {
    if (first.core() >= cores()) messages::refuse_core(first.core());
  }
  element_place place_of(std::uint64_t i) const { return {first_.core(), i}; }
  const T* base_of(core_id) const { return first_.local(); }

 private:
  memory::global_address<const T> first_;
};
template <class T>
class linear_parts_behind {
 public:
  explicit linear_parts_behind(memory::linear_address<const T> first)
      : heap_(memory::heap_segments::here()), layout_(first.layout()), first_(first.index()) {
    static_assert(std::has_single_bit(sizeof(T)), "elements at a linear address are a power of two large");
    const std::uint64_t offset = layout_.place_of(first_).offset, within = layout_.within_block(first_);
    start_ = offset - within + within % sizeof(T);
  }
  element_place place_of(std::uint64_t i) const {
    const memory::block_cyclic::place at = layout_.place_of(first_ + i * sizeof(T));
    return {at.core, (at.offset - start_) / sizeof(T)};
  }
  const T* base_of(core_id core) const { return reinterpret_cast<const T*>(heap_.base_of(core) + start_); }

 private:
  const memory::heap_segments& heap_;
  const memory::block_cyclic layout_;
  const std::uint64_t first_;
  std::uint64_t start_ = 0;  // in every core's segment, not behind any of the elements
};
template <class T>
parts_behind<std::remove_const_t<T>> parts_of(memory::global_address<T> first) {
  return parts_behind<std::remove_const_t<T>>(first);
}
template <class T>
linear_parts_behind<std::remove_const_t<T>> parts_of(memory::linear_address<T> first) {
  return linear_parts_behind<std::remove_const_t<T>>(first);
}

// [at the owner] Calls use(k, base[offsets[k]]) for each, which are fetched some ahead.
template <class T, class Offset, class Use>
void read_elements(const T* base, std::span<const Offset> offsets, const Use& use) {
  std::size_t k = 0;
  for (; k + messages::prefetch_distance < offsets.size(); ++k) {
    __builtin_prefetch(base + offsets[k + messages::prefetch_distance]);
    use(k, base[offsets[k]]);
  }
  for (; k < offsets.size(); ++k) use(k, base[offsets[k]]);
}

// One gather; lies on the stack of its task. For every core there is a batch that fills: the elements'
// offsets are what it is sent, their places in the result stay here. It answers with the values alone, in
// that order. The core's own elements fill a batch, too: a branch on random owners would be mispredicted half
// the time.
template <class T, class Offset = std::uint32_t>
class gatherer {
  struct batch;
  struct request {  // travels with offsets
    const T* base;
    batch* asked;
    core_id by;
    void operator()(std::span<const std::byte> offsets) const {
      const std::span<std::byte> values = core_limits::here().answer;
      const std::span all(reinterpret_cast<const Offset*>(offsets.data()), offsets.size() / sizeof(Offset));
      read_elements(base, all, [to = values.data()](std::size_t k, const T& value) {
        std::memcpy(to + k * sizeof(T), &value, sizeof(T));
      });
      messenger::here().send_with_payload(by, answer{asked}, values.first(all.size() * sizeof(T)));
    }
  };
  struct answer {  // travels with values
    batch* asked;
    void operator()(std::span<const std::byte> values) const { asked->of->take(*asked, values.data()); }
  };

 public:
  // Both in one message, whose bytes are some 1% of a full one's besides.
  static constexpr std::size_t capacity =
      std::min(messenger::max_payload_bytes(sizeof(request)) / sizeof(Offset),
               messenger::max_payload_bytes(sizeof(answer)) / sizeof(T));
  static_assert(std::is_trivially_copyable_v<T> && capacity > 0,
                "elements that are gathered are trivially copyable, and fit a message");

  explicit gatherer(T* into) : into_(into), cursors_(cores()) {}
  gatherer(const gatherer&) = delete;

  // [task; may suspend] into[result] is to become the element.
  template <class Parts>
  void add(const Parts& parts, const element_place& from, std::uint32_t result) {
    cursor* at = &cursors_[from.core];
    if (from.offset >= reach || at->size == capacity) [[unlikely]]
      at = with_room(from, parts.base_of(from.core));
    at->filling->offsets[at->size] = static_cast<Offset>(from.offset);
    at->filling->results[at->size++] = result;
  }
  // [task; suspends] Returns when all that were added are there.
  void finish() {
    for (core_id c = 0; c < cores(); ++c) send(cursors_[(my_core() + c) % cores()]);
    for (auto& [place, at] : further_) send(at);
    missing_.wait();
  }

 private:
  // Then messages are handled: answers come while their batches and the requests of others are in caches.
  static constexpr std::uint32_t batches_at_a_time = 16;
  // The number of elements of a core that offsets can distinguish.
  static constexpr std::uint64_t reach = std::uint64_t{std::numeric_limits<Offset>::max()} + 1;

  struct batch {
    gatherer* of;
    core_id from;
    const T* base;
    std::uint32_t size;
    Offset offsets[capacity];
    std::uint32_t results[capacity];
  };
  // Where the next one goes.
  struct cursor {
    batch* filling = nullptr;  // null before the first
    std::uint32_t size = capacity;
  };

  // [task; may suspend] Returns the element's cursor, after sending its batch if that is full.
  [[gnu::noinline]] cursor* with_room(element_place from, const T* base) {
    const std::uint64_t stretch = from.offset / reach;
    cursor& at = stretch == 0 ? cursors_[from.core] : further_[{from.core, stretch}];
    if (at.size < capacity) return &at;
    send(at);
    at = {begin(from.core, base + stretch * reach), 0};
    return &at;
  }
  batch* begin(core_id from, const T* base) {
    if (free_.empty()) {
      batches_.push_back(std::make_unique_for_overwrite<batch>());
      free_.push_back(batches_.back().get());
    }
    batch* b = free_.back();
    free_.pop_back();
    b->of = this;
    b->from = from;
    b->base = base;
    return b;
  }

  // [task; may suspend] The cursor's batch, if there is one.
  void send(const cursor& full) {
    batch* const b = full.filling;
    if (!b) return;
    b->size = full.size;
    messenger& here = messenger::here();
    if (++batches_sent_ % batches_at_a_time == 0) tasks::yield();
    if (b->from == here.core()) {
      read_in_place(*b);
      free_.push_back(b);
      return;
    }
    core_limits::here().gathers.acquire();
    missing_.add();
    if (here.shape().locale_of(b->from) == my_locale()) {
      here.send_seldom(b->from, [b, me = here.core()] {
        read_in_place(*b);
        messenger::here().send_seldom(me, [b] { b->of->has_come(*b); });
      });
    } else {
      const auto offsets = std::as_bytes(std::span(b->offsets).first(b->size));
      here.send_with_payload(b->from, request{b->base, b, here.core()}, offsets);
    }
  }
  // [at the owner, in the process of the asking core]
  static void read_in_place(const batch& b) {
    read_elements(b.base, std::span(b.offsets).first(b.size),
                  [&b, into = b.of->into_](std::size_t k, const T& value) {
                    std::memcpy(into + b.results[k], &value, sizeof(T));
                  });
  }
  // [handler]
  void take(batch& b, const std::byte* values) {
    for (std::size_t k = 0; k < b.size; ++k)
      std::memcpy(into_ + b.results[k], values + k * sizeof(T), sizeof(T));
    has_come(b);
  }
  void has_come(batch& b) {
    free_.push_back(&b);
    core_limits::here().gathers.release();
    missing_.complete();
  }

  T* const into_;
  by_core<cursor> cursors_;
  std::map<std::pair<core_id, std::uint64_t>, cursor> further_;  // of what offsets from the base do not reach
  std::vector<std::unique_ptr<batch>> batches_;
  std::vector<batch*> free_;
  std::uint32_t batches_sent_ = 0;
  tasks::join_counter missing_{0, "elements that are gathered"};
};

// [task; suspends] Elements of an array by whose they are.
template <class Offset = std::uint32_t, class Parts, class Indices, class T>
void gather_from(const Parts& parts, const Indices& indices, std::span<T> into) {
  constexpr std::size_t most = std::numeric_limits<std::uint32_t>::max();
  catch_up();
  const Parts places = parts;  // which nothing else can change
  const auto* index = std::ranges::data(indices);
  for (std::size_t first = 0; first < into.size(); first += most) {
    const std::size_t n = std::min(most, into.size() - first);
    gatherer<T, Offset> elements(into.data() + first);
    for (std::size_t k = 0; k < n; ++k) {
      const element_place from = places.place_of(static_cast<std::uint64_t>(index[first + k]));
      elements.add(places, from, static_cast<std::uint32_t>(k));
    }
    elements.finish();
  }
}

template <class R>
concept indices = std::ranges::contiguous_range<R> && std::ranges::sized_range<R> &&
    std::integral<std::ranges::range_value_t<R>>;

template <class R>
void require_as_many(const R& indices, std::size_t values, const call_site& at) {
  require(std::ranges::size(indices) == values,
          "a gather of more or fewer elements than the span has: one for each index", at);
}

}  // namespace detail

// [task; suspends] Reads the elements indices[k] after `first` into into[k], for as many indices as `into`
// has elements. Indices come in any order and may repeat. Elements are trivially copyable, of up to 3.9 KiB.
// Each element is read atomically, as by a delegate at its owner, after what the task has done there before;
// batches are read in no order. Any number of tasks may gather at once.
//
// An element of another locale costs 4 bytes for the request and its own bytes for the answer, and 80 bytes
// for each batch of 1,000 elements of 4 bytes or 500 of 8. An element of this locale costs none. A core has
// at most 256 batches under way. A gather takes 8 KiB for each of these, and for each core that it reads
// from.
template <memory::address A, detail::indices Indices>
void gather(A first, const Indices& indices, std::span<memory::value_of<A>> into,
            const call_site& at = call_site::current()) {
  detail::require_as_many(indices, into.size(), at);
  detail::gather_from(detail::parts_of(first), indices, into);
}

}  // namespace orujo::internal::delegates
