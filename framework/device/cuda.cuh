// A CUDA GPU. Only sources that CUDA's compiler compiles (*.cu) include this.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>

#include "framework/device/failure.hpp"
#include "framework/device/warp.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::device {

namespace detail {

inline constexpr std::uint32_t threads_of_block = 256;
inline constexpr std::uint32_t warps_of_block = threads_of_block / lanes_of_warp;

template <class Kernel>
__global__ void __launch_bounds__(threads_of_block) run_warps(const Kernel kernel, std::uint32_t warps) {
  const std::uint32_t number = blockIdx.x * warps_of_block + threadIdx.x / lanes_of_warp;
  if (number < warps) kernel(cuda_warp{number, warps});
}

}  // namespace detail

// A GPU of NVIDIA, for sources that CUDA's compiler compiles. A program names it in runs_on only. The runtime
// uses its members, which are as those of serial (device/serial.hpp).
class cuda {
 public:
  using warp = cuda_warp;
  static constexpr bool on_gpu = true;

  // The number of GPUs of the driver, or 0 without a driver.
  static int gpus() {
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess) {
      cudaGetLastError();
      return 0;
    }
    return count;
  }

  // In a thread of its own: the driver may compile here what it has no code of this GPU for, and that takes
  // more stack than a task has. Everything is loaded at once, so that later calls take little.
  explicit cuda(int number = 0) : number_(number) {
    std::exception_ptr wrong;
    std::thread([&] {
      try {
        open();
      } catch (const failure&) {
        wrong = std::current_exception();
      }
    }).join();
    if (wrong) std::rethrow_exception(wrong);
  }
  ~cuda() { cudaStreamDestroy(stream_); }
  cuda(const cuda&) = delete;

  void* allocate(std::size_t bytes) {
    void* at = nullptr;
    use();
    const cudaError_t got = cudaMalloc(&at, bytes == 0 ? 1 : bytes);
    if (got == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      std::size_t left = 0, all = 0;
      cudaMemGetInfo(&left, &all);
      throw failure("out of memory: " + std::to_string(bytes >> 20) + " MiB wanted, " +
                    std::to_string(left >> 20) + " MiB left of " + std::to_string(all >> 20));
    }
    check(got, "allocating memory");
    return at;
  }
  void free(void* at) { cudaFree(at); }

  void* allocate_here(std::size_t bytes) {
    void* at = nullptr;
    use();
    check(cudaMallocHost(&at, bytes == 0 ? 1 : bytes), "allocating memory of the process");
    return at;
  }
  void free_here(void* at) { cudaFreeHost(at); }

  template <class Kernel>
  void launch(std::uint32_t warps, const Kernel& kernel) {
    if (warps == 0) return;
    use();
    const std::uint32_t blocks = (warps + detail::warps_of_block - 1) / detail::warps_of_block;
    detail::run_warps<<<blocks, detail::threads_of_block, 0, stream_>>>(kernel, warps);
    check(cudaGetLastError(), "starting a kernel");
  }
  void copy_in(void* to, const void* from, std::size_t bytes) {
    copy(to, from, bytes, cudaMemcpyHostToDevice);
  }
  void copy_out(void* to, const void* from, std::size_t bytes) {
    copy(to, from, bytes, cudaMemcpyDeviceToHost);
  }
  void fill(void* to, int byte, std::size_t bytes) {
    if (bytes == 0) return;
    use();
    check(cudaMemsetAsync(to, byte, bytes, stream_), "filling memory");
  }
  // A task that waits lets others of its core run.
  void wait() {
    for (;;) {
      use();
      const cudaError_t now = cudaStreamQuery(stream_);
      if (now == cudaSuccess) return;
      if (now != cudaErrorNotReady) check(now, "computing");
      if (base::is_core()) tasks::yield();
    }
  }
  void block() {
    use();
    check(cudaStreamSynchronize(stream_), "computing");
  }
  void pin(const void* at, std::size_t bytes) {
    if (bytes == 0) return;
    use();
    // Memory that cannot be pinned is copied, too, only slower.
    if (cudaHostRegister(const_cast<void*>(at), bytes, cudaHostRegisterDefault) != cudaSuccess)
      cudaGetLastError();
  }
  void unpin(const void* at) {
    if (cudaHostUnregister(const_cast<void*>(at)) != cudaSuccess) cudaGetLastError();
  }
  std::uint32_t resident_warps() const {
    return static_cast<std::uint32_t>(facts_.multiProcessorCount * facts_.maxThreadsPerMultiProcessor) /
           lanes_of_warp;
  }
  std::string name() const { return "cuda:" + std::to_string(number_) + ", " + facts_.name; }

 private:
  void open() {
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    int count = 0;
    check(cudaGetDeviceCount(&count), "looking for GPUs");
    if (number_ >= count)
      throw failure("there is no GPU " + std::to_string(number_) + ": the driver has " +
                    std::to_string(count));
    check(cudaSetDevice(number_), "opening the GPU");
    check(cudaGetDeviceProperties(&facts_, number_), "asking the GPU what it is");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "opening the GPU");
  }
  // Threads choose their GPU each.
  void use() const { check(cudaSetDevice(number_), "using the GPU"); }
  static void check(cudaError_t got, const char* doing) {
    if (got != cudaSuccess) throw failure(std::string(doing) + ": " + cudaGetErrorString(got));
  }
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind way) {
    if (bytes == 0) return;
    use();
    check(cudaMemcpyAsync(to, from, bytes, way, stream_), "copying");
  }

  const int number_;
  cudaDeviceProp facts_{};
  cudaStream_t stream_ = nullptr;
};

}  // namespace orujo::internal::device
