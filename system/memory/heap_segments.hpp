// The segments of the global heap, one per core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "system/base/by_core.hpp"
#include "system/base/divisor.hpp"
#include "system/base/identity.hpp"
#include "system/base/shape.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::memory {

// A locale's table of all cores' segments, and the mapping of its own cores' ones. All segments have the same
// size, but lie wherever the system put them. They are mapped without reservation, so that untouched pages
// cost nothing.
class heap_segments {
 public:
  // Collective over the locales, before the cores start. The size is --global_heap_bytes, by default the
  // locale's memory budget. If a locale cannot map its part, the whole job has a heap of 0 bytes.
  heap_segments(transport::transport& link, const job_shape& shape, std::uint64_t budget);
  // A table of memory that somebody else owns (for tests).
  heap_segments(std::vector<std::byte*> bases, std::uint64_t bytes_per_core)
      : bases_(std::move(bases)), divide_by_cores_(bases_.size()), bytes_per_core_(bytes_per_core) {}
  heap_segments(const heap_segments&) = delete;
  ~heap_segments();

  static constexpr base::core_part part = base::core_part::heap_segments;
  // The table of the calling core's locale.
  static const heap_segments& here() { return base::part_of_this_core<heap_segments>(); }

  int cores() const { return static_cast<int>(bases_.size()); }
  base::divisor divide_by_cores() const { return divide_by_cores_; }
  std::uint64_t bytes_per_core() const { return bytes_per_core_; }
  std::byte* base_of(core_id core) const { return bases_[core]; }

  // Gives whole pages of [offset, offset + bytes) back to the system, after which they read as zero. The
  // owner calls it.
  void discard(core_id core, std::uint64_t offset, std::uint64_t bytes) const;

 private:
  by_core<std::byte*> bases_;  // by core of the job; addresses of other processes are valid there only
  base::divisor divide_by_cores_{1};
  std::uint64_t bytes_per_core_ = 0;
  void* mapped_ = nullptr;
  std::size_t mapped_bytes_ = 0;
};

}  // namespace orujo::internal::memory
