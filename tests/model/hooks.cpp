// Functions that code compiled for ThreadSanitizer calls, in place of its runtime. Beside them are functions
// of other libraries that the explorer must observe: the allocator, copies of memory, and yields.
#include <linux/futex.h>
#include <malloc.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <new>

#include "tests/model/explorer.hpp"

namespace {

using orujo::internal::model::explorer;
using orujo::internal::model::operation;

// The explorer, while its threads are at work, and not it.
template <class F>
void with_explorer(const F& f) {
  if (explorer* const all = explorer::active()) {
    const explorer::pause paused;
    f(*all);
  }
}

template <class T>
T atomic_load(const volatile T* place, int order) {
  const T* const at = const_cast<const T*>(place);
  T value = *place;
  with_explorer([&](explorer& all) {
    order = all.begin(operation::load, at, order);
    value = static_cast<T>(all.load(at, sizeof(T), *place, order, false));
  });
  return value;
}
template <class T>
void atomic_store(volatile T* place, T value, int order) {
  const T* const at = const_cast<const T*>(place);
  if (!explorer::active()) *place = value;
  with_explorer([&](explorer& all) {
    const int given = all.begin(operation::store, at, order);
    const auto store = [&all, at, place, value](int by_order) {
      all.store(at, sizeof(T), *place, value, by_order);
      *place = value;
    };
    if (given == orujo::internal::model::after_next_store) return all.put_off([=] { store(order); });
    store(given);
    all.catch_up();
  });
}
// new_value(before)
template <class T, class F>
T atomic_update(volatile T* place, operation what, int order, const F& new_value) {
  const T* const at = const_cast<const T*>(place);
  T before{}, after{};
  const auto compute = [&] {
    before = *place;
    after = new_value(before);
  };
  if (!explorer::active()) {
    compute();
    *place = after;
  }
  with_explorer([&](explorer& all) {
    order = all.begin(what, at, order);
    compute();
    all.update(what, at, sizeof(T), before, after, order);
    *place = after;
    all.catch_up();
  });
  return before;
}
template <class T>
int atomic_compare(volatile T* place, T* expected, T wanted, int order, int order_of_failure) {
  const T* const at = const_cast<const T*>(place);
  T before = *place;
  with_explorer([&](explorer& all) {
    order = all.begin(operation::compare_exchange, at, order);
    before = *place;
    if (before == *expected) {
      all.update(operation::compare_exchange, at, sizeof(T), before, wanted, order);
    } else {
      all.load(at, sizeof(T), before, order_of_failure, true);
    }
  });
  const bool equal = before == *expected;
  if (equal) *place = wanted;
  *expected = before;
  return equal;
}

void plain(const void* at, std::size_t bytes, bool writes) {
  with_explorer([&](explorer& all) { all.plain(at, bytes, writes); });
}

void copy_bytes(void* to, const void* from, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

}  // namespace

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** at, void*) { plain(at, sizeof(void*), true); }
void __tsan_vptr_read(void** at) { plain(at, sizeof(void*), false); }
void __tsan_read_range(void* at, std::size_t bytes) { plain(at, bytes, false); }
void __tsan_write_range(void* at, std::size_t bytes) { plain(at, bytes, true); }
void __tsan_atomic_thread_fence(int order) {
  with_explorer([&](explorer& all) { all.fence(order); });
}
void __tsan_atomic_signal_fence(int) {}

#define ORUJO_PLAIN(BYTES)                                                 \
  void __tsan_read##BYTES(void* at) { plain(at, BYTES, false); }           \
  void __tsan_write##BYTES(void* at) { plain(at, BYTES, true); }           \
  void __tsan_unaligned_read##BYTES(void* at) { plain(at, BYTES, false); } \
  void __tsan_unaligned_write##BYTES(void* at) { plain(at, BYTES, true); } \
  void __tsan_volatile_read##BYTES(void* at) { plain(at, BYTES, false); }  \
  void __tsan_volatile_write##BYTES(void* at) { plain(at, BYTES, true); }
ORUJO_PLAIN(1)
ORUJO_PLAIN(2)
ORUJO_PLAIN(4)
ORUJO_PLAIN(8)
ORUJO_PLAIN(16)
#undef ORUJO_PLAIN

#define ORUJO_ATOMIC(BITS, T)                                                                           \
  T __tsan_atomic##BITS##_load(const volatile T* at, int order) { return atomic_load(at, order); }      \
  void __tsan_atomic##BITS##_store(volatile T* at, T v, int order) { atomic_store(at, v, order); }      \
  T __tsan_atomic##BITS##_exchange(volatile T* at, T v, int order) {                                    \
    return atomic_update(at, operation::exchange, order, [v](T) { return v; });                         \
  }                                                                                                     \
  T __tsan_atomic##BITS##_fetch_add(volatile T* at, T v, int order) {                                   \
    return atomic_update(at, operation::add, order, [v](T b) { return static_cast<T>(b + v); });        \
  }                                                                                                     \
  T __tsan_atomic##BITS##_fetch_sub(volatile T* at, T v, int order) {                                   \
    return atomic_update(at, operation::add, order, [v](T b) { return static_cast<T>(b - v); });        \
  }                                                                                                     \
  T __tsan_atomic##BITS##_fetch_and(volatile T* at, T v, int order) {                                   \
    return atomic_update(at, operation::add, order, [v](T b) { return static_cast<T>(b & v); });        \
  }                                                                                                     \
  T __tsan_atomic##BITS##_fetch_or(volatile T* at, T v, int order) {                                    \
    return atomic_update(at, operation::add, order, [v](T b) { return static_cast<T>(b | v); });        \
  }                                                                                                     \
  T __tsan_atomic##BITS##_fetch_xor(volatile T* at, T v, int order) {                                   \
    return atomic_update(at, operation::add, order, [v](T b) { return static_cast<T>(b ^ v); });        \
  }                                                                                                     \
  int __tsan_atomic##BITS##_compare_exchange_strong(volatile T* at, T* e, T v, int order, int failed) { \
    return atomic_compare(at, e, v, order, failed);                                                     \
  }                                                                                                     \
  int __tsan_atomic##BITS##_compare_exchange_weak(volatile T* at, T* e, T v, int order, int failed) {   \
    return atomic_compare(at, e, v, order, failed);                                                     \
  }
ORUJO_ATOMIC(8, std::uint8_t)
ORUJO_ATOMIC(16, std::uint16_t)
ORUJO_ATOMIC(32, std::uint32_t)
ORUJO_ATOMIC(64, std::uint64_t)
#undef ORUJO_ATOMIC

int sched_yield() noexcept {
  bool done = false;
  with_explorer([&](explorer& all) {
    all.yield();
    done = true;
  });
  return done ? 0 : static_cast<int>(syscall(SYS_sched_yield));
}

// Far apart: whatever is to be done now and then is done whenever it is looked for.
std::uint64_t orujo_model_ticks() {
  static std::uint64_t now = 0;
  return now += 1'000'000;
}

// The syscall of alarms.cpp: only futexes, without their time.
long orujo_model_syscall(long number, ...) {
  va_list all_of_them;
  va_start(all_of_them, number);
  auto* const word = va_arg(all_of_them, std::uint32_t*);
  const int what = va_arg(all_of_them, int);
  const auto value = va_arg(all_of_them, std::uint32_t);
  va_end(all_of_them);
  with_explorer([&](explorer& all) {
    if (what == FUTEX_WAIT && *word == value) all.wait_on(word);
    if (what == FUTEX_WAKE) all.wake_one_on(word);
  });
  return 0;
}

void* memcpy(void* __restrict to, const void* __restrict from, std::size_t bytes) noexcept {
  if (explorer::active() && bytes > 0) {
    plain(from, bytes, false);
    plain(to, bytes, true);
  }
  copy_bytes(to, from, bytes);
  return to;
}

}  // extern "C"

// Before that of the C++ library.
std::chrono::steady_clock::time_point std::chrono::steady_clock::now() noexcept {
  static std::int64_t made_up = 0;
  if (explorer::active()) return time_point(std::chrono::milliseconds(++made_up));
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return time_point(std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec));
}

void* operator new(std::size_t bytes) {
  const explorer::pause paused;
  void* const made = std::malloc(bytes == 0 ? 1 : bytes);
  if (!made) throw std::bad_alloc();
  return made;
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const explorer::pause paused;
  const auto unit = static_cast<std::size_t>(alignment);
  void* const made = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit);
  if (!made) throw std::bad_alloc();
  return made;
}
void operator delete(void* made) noexcept {
  if (!made) return;
  with_explorer([&](explorer& all) { all.forget(made, malloc_usable_size(made)); });
  std::free(made);
}
void operator delete(void* made, std::size_t) noexcept { operator delete(made); }
void operator delete(void* made, std::align_val_t) noexcept { operator delete(made); }
void operator delete(void* made, std::size_t, std::align_val_t) noexcept { operator delete(made); }
