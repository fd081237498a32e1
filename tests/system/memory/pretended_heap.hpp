// A global heap whose segments all lie in this process, for tests without a job: the calling thread is any of
// its cores.
#pragma once

#include <cstddef>
#include <vector>

#include "system/memory/heap_segments.hpp"

namespace orujo::internal::memory {

class pretended_heap {
 public:
  pretended_heap(int cores, std::size_t bytes_per_core)
      : memory_(static_cast<std::size_t>(cores), std::vector<std::byte>(bytes_per_core)),
        segments_(bases(), bytes_per_core) {
    become(0);
  }
  ~pretended_heap() { become(-1); }
  void become(core_id core) const {
    base::set_part_here(core < 0 ? nullptr : &segments_);
    base::set_identity(-1, core);
  }

 private:
  std::vector<std::byte*> bases() {
    std::vector<std::byte*> all;
    for (std::vector<std::byte>& segment : memory_) all.push_back(segment.data());
    return all;
  }
  std::vector<std::vector<std::byte>> memory_;
  heap_segments segments_;
};

}  // namespace orujo::internal::memory
