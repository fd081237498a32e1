// The CPU in place of a GPU: kernels run there warp by warp, in the memory of the process. For tests, under
// sanitizers, too, and wherever there is no GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "framework/device/failure.hpp"
#include "framework/device/warp.hpp"

namespace orujo::internal::device {

// A GPU that is emulated on the CPU, for tests. A program names it in runs_on only. The runtime uses its
// members, which cuda (device/cuda.cuh) has, too:
//   serial(int number)         opens the GPU of this number; throws failure where it cannot
//   allocate(bytes), free(p)   memory of the GPU; throws failure where there is none
//   allocate_here(bytes), free_here(p)   memory of the process that copies are fast from and to
//   launch(warps, kernel)      the kernel, with this number of warps, after all earlier launches and copies
//   copy_in(to, from, bytes)   to the GPU; copy_out() from it; both need not be done before wait(), and
//                              memory that was not pinned may be read or written until then
//   fill(to, byte, bytes)
//   wait()                     [task; may suspend] until all is done; throws failure if the GPU is lost
//   block()                    [any thread] the same, and keeps the thread
//   pin(p, bytes), unpin(p)    memory of the process that is copied often
//   resident_warps()           how many run at the same time
//   name()
// One thread at a time.
class serial {
 public:
  using warp = serial_warp;
  static constexpr bool on_gpu = false;

  explicit serial(int number = 0) {
    if (number != 0) throw failure("there is one emulated GPU, number 0");
  }

  void* allocate(std::size_t bytes) {
    if (bytes > memory) throw failure("out of memory of the emulated GPU");
    return ::operator new (bytes, std::align_val_t{alignment});
  }
  void free(void* at) { ::operator delete (at, std::align_val_t{alignment}); }
  void* allocate_here(std::size_t bytes) { return allocate(bytes); }
  void free_here(void* at) { free(at); }
  template <class Kernel>
  void launch(std::uint32_t warps, const Kernel& kernel) {
    for (std::uint32_t w = 0; w < warps; ++w) kernel(serial_warp{w, warps});
  }
  void copy_in(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
  void copy_out(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes); }
  void fill(void* to, int byte, std::size_t bytes) {
    if (bytes > 0) std::memset(to, byte, bytes);
  }
  void wait() {}
  void block() {}
  void pin(const void*, std::size_t) {}
  void unpin(const void*) {}
  std::uint32_t resident_warps() const { return 5; }  // few, and no power of two: each goes round often
  std::string name() const { return "emulated on the CPU"; }

  // The largest allocation; tests make it small.
  static inline std::size_t memory = SIZE_MAX;

 private:
  static constexpr std::size_t alignment = 256;
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
};

}  // namespace orujo::internal::device
