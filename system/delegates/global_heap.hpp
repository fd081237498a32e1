// The global heap: memory spread over all cores.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>

#include "system/base/check.hpp"
#include "system/base/identity.hpp"
#include "system/delegates/heap_call.hpp"  // IWYU pragma: export
#include "system/memory/heap_directory.hpp"
#include "system/memory/heap_segments.hpp"
#include "system/memory/linear_address.hpp"

namespace orujo::internal::delegates {

// One core's access to the heap. The directory is core 0's.
class global_heap {
 public:
  global_heap(core_id me, const memory::heap_segments& segments);
  global_heap(const global_heap&) = delete;

  static constexpr base::core_part part = base::core_part::global_heap;
  // The calling core's.
  static global_heap& here() { return base::part_of_this_core<global_heap>(); }

  // [task; suspends] The bodies of global_alloc and global_free, in bytes.
  std::uint64_t allocate(std::uint64_t bytes, std::uint32_t log_block);
  void free(std::uint64_t index, std::uint32_t log_block);
  // [task; suspends] Over all cores.
  std::uint64_t free_bytes();

 private:
  const core_id me_;
  const memory::heap_segments& segments_;
  std::unique_ptr<memory::heap_directory> directory_;
};

// 64 bytes, a line of the cache, or one element if that is more.
template <class T>
inline constexpr std::size_t default_block_bytes = std::max<std::size_t>(64, sizeof(T));

// [task; suspends] Allocates n elements in global memory, in blocks of block_bytes bytes that are dealt to
// all cores in turn. block_bytes is a power of two, at least 8 and at least an element. The default is a
// cache line. The bytes are not initialised. Every core contributes the same memory, at least a block. Costs
// a message to core 0 and one back. The job ends with no_resource when memory does not suffice.
template <class T>
memory::linear_address<T> global_alloc(std::size_t n, std::size_t block_bytes = default_block_bytes<T>) {
  using address = memory::linear_address<T>;
  static_assert(std::is_trivially_copyable_v<T>,
                "the global heap holds bytes: nothing constructs or destroys its objects");
  static_assert(std::has_single_bit(sizeof(T)),
                "elements of the global heap need a size that is a power of two, or they would straddle "
                "blocks: pad with alignas");
  require(std::has_single_bit(block_bytes), "the size of a block of global memory is not a power of two");
  require(block_bytes >= std::max<std::size_t>(sizeof(T), address::min_block_bytes),
          "a block is smaller than an object");
  const auto log_block = static_cast<std::uint32_t>(std::countr_zero(block_bytes));
  const std::uint64_t bytes =
      n > std::numeric_limits<std::size_t>::max() / sizeof(T) ? ~std::uint64_t{0} : n * sizeof(T);
  return {log_block, global_heap::here().allocate(bytes, log_block)};
}

// [task; suspends] Frees memory that global_alloc returned. No task may use it afterwards. Anything else, or
// a second time, is a misuse. Large parts are returned to the operating system, which costs two messages to
// every core; otherwise it costs two in all.
template <class T>
void global_free(memory::linear_address<T> first) {
  global_heap::here().free(first.index(), static_cast<std::uint32_t>(first.layout().log_block));
}

}  // namespace orujo::internal::delegates
