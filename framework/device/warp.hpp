// A warp: 32 lanes in step. Kernels are written once, for the warps of a GPU and for warps of which the
// lanes run one after the other on the CPU.
//
// A kernel is a plain struct that is called with each of its warps:
//
//   struct double_all {
//     float* values;
//     std::uint32_t size;
//     template <class Warp>
//     ORUJO_DEVICE void operator()(const Warp& warp) const {
//       for (std::uint32_t first = warp.first(); first < size; first += warp.stride())
//         warp.lanes([&](std::uint32_t lane) {
//           if (first + lane < size) values[first + lane] *= 2;
//         });
//     }
//   };
//
// Code outside of lanes(), ballot() and their like is uniform: all lanes take the same branches and loops.
// Values that differ from lane to lane live in an each<T>. Lanes see what other lanes of the warp have
// written before the last of these calls; between warps there are only atomic operations and the end of the
// launch.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "system/base/host_device.hpp"

namespace orujo::internal::device {

inline constexpr std::uint32_t lanes_of_warp = 32;

// Both kinds of warp have these members:
//   each<T>                 a T per lane, by lane
//   first(), stride()       32 items per warp at a time, over all warps of the launch
//   lanes(f)                f(lane) for all lanes
//   ballot(holds)           bit l: holds(l)
//   once(f)                 f() by one lane; all get what it returns
//   from(x, lane)           that lane's value, for all
//   take(to, x, of)         to[l] = x[of(l)]
//   scan(x)                 x becomes the sums of the lanes before; returns the sum of all
//   fold<Width>(x, combine) in groups of Width lanes the first one's x becomes
//                           combine(... combine(x[l], x[l + Width / 2]) ...), the same on both processors
//   fetch_or, fetch_add, fetch_and, compare_exchange    atomic, relaxed; return what was there
//   popcount, first_bit, bits_of (of the highest bit)
struct serial_warp {
  std::uint32_t number, count;  // this one, and how many the launch has

  template <class T>
  struct each {
    T lane[lanes_of_warp];
    T& operator[](std::uint32_t l) { return lane[l]; }
    const T& operator[](std::uint32_t l) const { return lane[l]; }
  };

  std::uint32_t first() const { return number * lanes_of_warp; }
  std::uint32_t stride() const { return count * lanes_of_warp; }

  template <class F>
  void lanes(F f) const {
    for (std::uint32_t l = 0; l < lanes_of_warp; ++l) f(l);
  }
  template <class F>
  std::uint32_t ballot(F holds) const {
    std::uint32_t bits = 0;
    for (std::uint32_t l = 0; l < lanes_of_warp; ++l) bits |= std::uint32_t{holds(l)} << l;
    return bits;
  }
  template <class F>
  auto once(F f) const {
    return f();
  }
  template <class T>
  T from(const each<T>& x, std::uint32_t lane) const {
    return x[lane];
  }
  template <class T, class Of>
  void take(each<T>& to, const each<T>& x, Of of) const {
    each<T> taken;
    for (std::uint32_t l = 0; l < lanes_of_warp; ++l) taken[l] = x[of(l)];
    to = taken;
  }
  template <class T>
  T scan(each<T>& x) const {
    T sum{};
    for (std::uint32_t l = 0; l < lanes_of_warp; ++l) {
      const T mine = x[l];
      x[l] = sum;
      sum += mine;
    }
    return sum;
  }
  template <std::uint32_t Width = lanes_of_warp, class T, class Combine>
  void fold(each<T>& x, Combine combine) const {
    for (std::uint32_t half = Width / 2; half > 0; half /= 2) {
      for (std::uint32_t l = 0; l < lanes_of_warp; ++l) {
        if (l % Width < half) x[l] = combine(x[l], x[l + half]);
      }
    }
  }

  template <class T>
  static T fetch_or(T* at, T bits) {
    return std::atomic_ref(*at).fetch_or(bits, std::memory_order_relaxed);
  }
  template <class T>
  static T fetch_and(T* at, T bits) {
    return std::atomic_ref(*at).fetch_and(bits, std::memory_order_relaxed);
  }
  template <class T>
  static T fetch_add(T* at, T more) {
    return std::atomic_ref(*at).fetch_add(more, std::memory_order_relaxed);
  }
  template <class T>
  static T compare_exchange(T* at, T expected, T wanted) {
    std::atomic_ref(*at).compare_exchange_strong(expected, wanted, std::memory_order_relaxed);
    return expected;
  }
  static std::uint32_t popcount(std::uint32_t bits) {
    return static_cast<std::uint32_t>(std::popcount(bits));
  }
  static std::uint32_t first_bit(std::uint32_t bits) {
    return static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  static std::uint32_t bits_of(std::uint32_t x) { return static_cast<std::uint32_t>(std::bit_width(x)); }
};

#ifdef __CUDACC__
struct cuda_warp {
  std::uint32_t number, count;

  template <class T>
  struct each {
    T mine;
    __device__ T& operator[](std::uint32_t) { return mine; }
    __device__ const T& operator[](std::uint32_t) const { return mine; }
  };

  __device__ std::uint32_t first() const { return number * lanes_of_warp; }
  __device__ std::uint32_t stride() const { return count * lanes_of_warp; }

  template <class F>
  __device__ void lanes(F f) const {
    f(lane());
    __syncwarp();
  }
  template <class F>
  __device__ std::uint32_t ballot(F holds) const {
    return __ballot_sync(all, holds(lane()));
  }
  template <class F>
  __device__ auto once(F f) const {
    decltype(f()) found{};
    if (lane() == 0) found = f();
    return __shfl_sync(all, found, 0);
  }
  template <class T>
  __device__ T from(const each<T>& x, std::uint32_t lane) const {
    return __shfl_sync(all, x.mine, static_cast<int>(lane));
  }
  template <class T, class Of>
  __device__ void take(each<T>& to, const each<T>& x, Of of) const {
    to.mine = __shfl_sync(all, x.mine, static_cast<int>(of(lane())));
  }
  template <class T>
  __device__ T scan(each<T>& x) const {
    T sum = x.mine;
    for (unsigned by = 1; by < lanes_of_warp; by *= 2) {
      const T before = __shfl_up_sync(all, sum, by);
      if (lane() >= by) sum += before;
    }
    const T mine = x.mine;
    x.mine = sum - mine;
    return __shfl_sync(all, sum, lanes_of_warp - 1);
  }
  template <std::uint32_t Width = lanes_of_warp, class T, class Combine>
  __device__ void fold(each<T>& x, Combine combine) const {
    for (unsigned half = Width / 2; half > 0; half /= 2) x.mine = combine(x.mine, down(x.mine, half, Width));
  }

  template <class T>
  static __device__ T fetch_or(T* at, T bits) {
    return static_cast<T>(atomicOr(as_word(at), as_word(bits)));
  }
  template <class T>
  static __device__ T fetch_and(T* at, T bits) {
    return static_cast<T>(atomicAnd(as_word(at), as_word(bits)));
  }
  template <class T>
  static __device__ T fetch_add(T* at, T more) {
    return static_cast<T>(atomicAdd(as_word(at), as_word(more)));
  }
  template <class T>
  static __device__ T compare_exchange(T* at, T expected, T wanted) {
    return static_cast<T>(atomicCAS(as_word(at), as_word(expected), as_word(wanted)));
  }
  static __device__ std::uint32_t popcount(std::uint32_t bits) {
    return static_cast<std::uint32_t>(__popc(bits));
  }
  static __device__ std::uint32_t first_bit(std::uint32_t bits) {
    return static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
  }
  static __device__ std::uint32_t bits_of(std::uint32_t x) {
    return static_cast<std::uint32_t>(32 - __clz(static_cast<int>(x)));
  }

 private:
  static constexpr unsigned all = ~0u;
  static __device__ std::uint32_t lane() { return threadIdx.x % lanes_of_warp; }

  // The unsigned types that atomic operations and shuffles take.
  template <class T>
  using word_of = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
  template <class T>
  static __device__ word_of<T>* as_word(T* at) {
    static_assert(std::is_unsigned_v<T> && (sizeof(T) == 4 || sizeof(T) == 8));
    return reinterpret_cast<word_of<T>*>(at);
  }
  template <class T>
  static __device__ word_of<T> as_word(T x) {
    return static_cast<word_of<T>>(x);
  }

  template <class T>
  static __device__ T down(const T& x, unsigned by, unsigned width) {
    if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) {
      return __shfl_down_sync(all, x, by, static_cast<int>(width));
    } else {
      static_assert(std::is_trivially_copyable_v<T>);
      constexpr std::size_t words = (sizeof(T) + 3) / 4;
      unsigned word[words] = {};
      memcpy(word, &x, sizeof(T));
      for (std::size_t i = 0; i < words; ++i)
        word[i] = __shfl_down_sync(all, word[i], by, static_cast<int>(width));
      T there = x;
      memcpy(&there, word, sizeof(T));
      return there;
    }
  }
};
#endif

// Every lane whose bit is set appends its value to a list; size is the list's, shared by all warps.
template <class Warp, class T>
ORUJO_DEVICE void append(const Warp& warp, std::uint32_t members,
                         const typename Warp::template each<T>& value, T* list, std::uint32_t* size) {
  if (members == 0) return;
  const std::uint32_t at = warp.once([&] { return Warp::fetch_add(size, Warp::popcount(members)); });
  warp.lanes([&](std::uint32_t lane) {
    if ((members >> lane & 1) != 0)
      list[at + Warp::popcount(members & ((std::uint32_t{1} << lane) - 1))] = value[lane];
  });
}

}  // namespace orujo::internal::device
