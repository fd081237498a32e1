// Asynchronous delegates on objects of the global heap, which travel with an offset in place of an address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "system/delegates/delegate.hpp"
#include "system/memory/block_cyclic.hpp"
#include "system/memory/heap_segments.hpp"
#include "system/memory/linear_address.hpp"

namespace orujo::internal::delegates {

namespace detail {

inline std::byte* own_segment() { return memory::heap_segments::here().base_of(base::my_identity().core); }

// f(object) at the object's owner, which knows where its segment of the heap begins.
template <class T, class F, class Offset>
struct at_offset {
  Offset offset;  // in T's alignments
  [[no_unique_address]] F f;

  T* object(std::byte* segment) const {
    return reinterpret_cast<T*>(segment + std::uint64_t{offset} * alignof(T));
  }
  void operator()() const { f(*object(own_segment())); }
};

// The segment is looked up once for the whole run.
template <class Call>
void run_at_offsets(const messages::run& r) {
  std::byte* const segment = own_segment();
  const auto* calls = reinterpret_cast<const Call*>(r.data);
  std::uint32_t k = 0;
  for (; k + messages::prefetch_distance < r.count; ++k) {
    __builtin_prefetch(calls[k + messages::prefetch_distance].object(segment), 1);
    calls[k].f(*calls[k].object(segment));
  }
  for (; k < r.count; ++k) calls[k].f(*calls[k].object(segment));
}

// [task or handler] Does what async_call(event, object, f) does. If the segment is too large for the offsets
// it sends an address.
template <class Offset = std::uint32_t, class T, class F>
void async_call_at_offset(event_ref event, memory::linear_address<T> object, const F& f) {
  using near = at_offset<T, F, Offset>;
  using far = at_object<T, F>;
  const memory::block_cyclic::place at = object.layout().place_of(object.index());
  const std::uint64_t offset = at.offset / alignof(T);
  if (sizeof(near) < sizeof(far) && offset <= std::numeric_limits<Offset>::max()) [[likely]] {
    messenger::here().send_counted<near, &run_at_offsets<near>>(at.core, near{static_cast<Offset>(offset), f},
                                                                event.number());
  } else {
    std::byte* const base = memory::heap_segments::here().base_of(at.core);
    detail::async_call(event, at.core, far{reinterpret_cast<T*>(base + at.offset), f});
  }
}

}  // namespace detail

// [task or handler] As async_call above, for an object of the global heap. Costs 4 bytes less on the wire if
// f captures nothing, or values of at most 4 bytes; so do async_increment and async_write.
template <class T, class F>
void async_call(event_ref event, memory::linear_address<T> object, const F& f) {
  detail::async_call_at_offset(event, object, f);
}

}  // namespace orujo::internal::delegates
