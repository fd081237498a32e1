#include "system/delegates/global_heap.hpp"

#include <fmt/format.h>

#include "system/base/fatal.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::delegates {
namespace {

// An extent of fewer bytes at a core keeps its pages.
constexpr std::uint64_t bytes_worth_discarding = std::uint64_t{1} << 20;
constexpr core_id directory_core = 0;

struct answer {
  bool found = false;
  std::uint64_t index = 0;
  std::uint64_t free_bytes = 0, largest_free_bytes = 0;
};

[[noreturn]] void refuse(std::uint64_t bytes, std::uint32_t log_block, const answer& a,
                         const memory::heap_segments& segments) {
  if (segments.bytes_per_core() == 0) {
    base::fail(exit_status::no_resource,
               fmt::format(
                   "the global heap has no room: {} bytes needed, 0 available, because some locale could not "
                   "map a page for each core: check --global_heap_bytes and the limit on address space",
                   bytes));
  }
  base::fail(
      exit_status::no_resource,
      fmt::format("the global heap has no room: {} bytes needed in blocks of {}; {} available, {} of them "
                  "in one piece, of {} in all: raise --global_heap_bytes (per locale; {} per core now) or "
                  "use more nodes",
                  bytes, std::uint64_t{1} << log_block, a.free_bytes, a.largest_free_bytes,
                  segments.bytes_per_core() * static_cast<std::uint64_t>(segments.cores()),
                  segments.bytes_per_core()));
}

}  // namespace

global_heap::global_heap(core_id me, const memory::heap_segments& segments) : me_(me), segments_(segments) {
  if (me == directory_core) {
    directory_ = std::make_unique<memory::heap_directory>(segments.bytes_per_core(), segments.cores());
  }
}

std::uint64_t global_heap::allocate(std::uint64_t bytes, std::uint32_t log_block) {
  const answer a = call(directory_core, [=] {
    memory::heap_directory& directory = *here().directory_;
    const auto index = directory.allocate(bytes, log_block);
    return answer{index.has_value(), index.value_or(0), directory.free_bytes(),
                  directory.largest_free_bytes()};
  });
  if (!a.found) refuse(bytes, log_block, a, segments_);
  return a.index;
}

void global_heap::free(std::uint64_t index, std::uint32_t log_block) {
  using extent = memory::heap_directory::extent;
  const extent retired = call(directory_core, [=] {
    memory::heap_directory& directory = *here().directory_;
    const extent e = directory.retire(index, log_block).value_or(extent{});
    if (e.bytes > 0 && e.bytes < bytes_worth_discarding) directory.reuse(e);
    return e;
  });
  if (retired.bytes == 0) {
    base::misuse(fmt::format(
        "global_free of index {} in blocks of {} bytes: not what global_alloc returned, or freed already",
        index, std::uint64_t{1} << log_block));
  }
  if (retired.bytes < bytes_worth_discarding) return;
  tasks::join_counter missing(static_cast<std::size_t>(segments_.cores()), "all cores to give memory back");
  for (core_id c = 0; c < segments_.cores(); ++c) {
    messenger::here().send(c, [retired, me = me_, counter = &missing] {
      here().segments_.discard(here().me_, retired.offset, retired.bytes);
      detail::complete_at(me, counter);
    });
  }
  missing.wait();
  call(directory_core, [=] { here().directory_->reuse(retired); });
}

std::uint64_t global_heap::free_bytes() {
  return call(directory_core, [] { return here().directory_->free_bytes(); });
}

}  // namespace orujo::internal::delegates
