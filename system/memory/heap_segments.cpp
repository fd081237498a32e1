#include "system/memory/heap_segments.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <sys/mman.h>

#include <algorithm>

#include "system/base/fatal.hpp"
#include "system/machine/huge_array.hpp"

DEFINE_uint64(global_heap_bytes, 0,
              "part of the global heap at each locale, in bytes; 0: as large as the memory budget");

namespace orujo::internal::memory {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t huge_page_bytes = std::uint64_t{2} << 20;

std::uint64_t heap_bytes_of_locale(std::uint64_t budget) {
  if (!FLAGS_global_heap_bytes) return budget;
  if (FLAGS_global_heap_bytes > budget) {
    base::fail(
        exit_status::no_resource,
        fmt::format("--global_heap_bytes={} is more than the {} bytes of memory that this locale may use: "
                    "lower it, or raise --memory_budget_bytes",
                    FLAGS_global_heap_bytes, budget));
  }
  return FLAGS_global_heap_bytes;
}

// A core's segment ends with a page, a large one with a huge page.
std::uint64_t segment_bytes(std::uint64_t share) {
  return share / (share >= huge_page_bytes ? huge_page_bytes : page_bytes) *
         (share >= huge_page_bytes ? huge_page_bytes : page_bytes);
}

}  // namespace

heap_segments::heap_segments(transport::transport& link, const job_shape& shape, std::uint64_t budget) {
  const auto my_cores = static_cast<std::uint64_t>(shape.cores_of(link.locale()));
  const std::vector<std::uint64_t> shares = link.all_gather(heap_bytes_of_locale(budget) / my_cores);
  bytes_per_core_ = segment_bytes(*std::min_element(shares.begin(), shares.end()));
  mapped_bytes_ = bytes_per_core_ * my_cores;
  mapped_ = mapped_bytes_ ? machine::try_map_memory(mapped_bytes_) : nullptr;
  const by_locale<std::uint64_t> places = link.all_gather(reinterpret_cast<std::uint64_t>(mapped_));
  if (std::find(places.begin(), places.end(), 0) != places.end()) bytes_per_core_ = 0;
  for (locale_id l = 0; l < shape.locales(); ++l) {
    auto* const base = reinterpret_cast<std::byte*>(places[l]);
    for (int k = 0; k < shape.cores_of(l); ++k) {
      bases_.push_back(bytes_per_core_ ? base + static_cast<std::uint64_t>(k) * bytes_per_core_ : nullptr);
    }
  }
  divide_by_cores_ = bases_.size();
}

heap_segments::~heap_segments() {
  if (mapped_) machine::unmap_memory(mapped_, mapped_bytes_);
}

void heap_segments::discard(core_id core, std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t first = (offset + page_bytes - 1) / page_bytes * page_bytes;
  const std::uint64_t last = (offset + bytes) / page_bytes * page_bytes;
  if (first < last) madvise(base_of(core) + first, last - first, MADV_DONTNEED);
}

}  // namespace orujo::internal::memory
