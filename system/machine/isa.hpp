// Instruction sets. Every program has its kernels for each set, and runs those of the best set that the
// processor supports.
//
// A program is compiled for any x86-64 processor. compiled_for(isa, f) is a copy of f and of all that f
// calls, compiled for a larger instruction set. [[gnu::flatten]] inlines everything into the copy, including
// a user's vertex program, whose own functions are portable. Users therefore need no compiler flags, and only
// kernels are compiled several times. docs/design/graph.md has the alternatives and their measurements.
#pragma once

#include <string_view>
#include <utility>

#include "system/base/sanitizers.hpp"

// Kernels for vector registers are compiled. ThreadSanitizer sees neither gathers nor accesses of more than
// 16 bytes: under it kernels are scalar, so that their races are found.
#if defined(__x86_64__) && !defined(ORUJO_THREAD_SANITIZER)
#define ORUJO_VECTOR_KERNELS 1
#endif

namespace orujo::internal::machine {

#if defined(__x86_64__)
// Functions that use these instructions. AVX2 comes without fused multiply-add, so that rounding is the same
// everywhere. AVX-512 includes one, which -ffp-contract=off keeps out (`orujo::system` passes it on).
#define ORUJO_AVX2 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#define ORUJO_AVX512 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]]
#endif

// The template parameter of kernels. `scalar` uses no more than the program is compiled for.
namespace isa {
struct scalar {};
#if defined(__x86_64__)
struct avx2 {};
struct avx512 {};
#endif
}  // namespace isa

// Returns function(), compiled for the instruction set. Everything that it calls is copied, so pass a loop
// and not a layer. Functions with packs that are called indirectly must be always_inline, because clang's
// flatten does not go deeper. Precondition: the processor runs the set.
template <class Function>
decltype(auto) compiled_for(isa::scalar, Function&& function) {
  return std::forward<Function>(function)();
}
#if defined(__x86_64__)
template <class Function>
[[gnu::flatten]] ORUJO_AVX2 decltype(auto) compiled_for(isa::avx2, Function&& function) {
  return std::forward<Function>(function)();
}
template <class Function>
[[gnu::flatten]] ORUJO_AVX512 decltype(auto) compiled_for(isa::avx512, Function&& function) {
  return std::forward<Function>(function)();
}
#endif

// Base of classes of vector registers. AVX2 functions and portable ones pass such a register by value in
// different ways. These classes are passed by reference between all functions, because their copy constructor
// is not trivial; inlining removes the cost.
struct passed_by_reference {
  passed_by_reference() = default;
  passed_by_reference(const passed_by_reference&) noexcept {}
  passed_by_reference& operator=(const passed_by_reference&) noexcept { return *this; }
};

// In ascending order.
enum class instruction_set { scalar, avx2, avx512 };

// True where kernels are compiled for it, and the processor and the operating system run them.
bool runs(instruction_set set);

// The set that --simd names; for `auto` the fastest one here (isa.cpp has the criterion). Any thread.
instruction_set simd_from_flags();
// The name in --simd.
std::string_view name_of(instruction_set set);

// Returns function(isa tag).
template <class Function>
decltype(auto) with_isa([[maybe_unused]] instruction_set set, Function&& function) {
#if defined(ORUJO_VECTOR_KERNELS)
  if (set == instruction_set::avx512) return std::forward<Function>(function)(isa::avx512{});
  if (set == instruction_set::avx2) return std::forward<Function>(function)(isa::avx2{});
#endif
  return std::forward<Function>(function)(isa::scalar{});
}

// Returns function(), compiled for the set.
template <class Function>
decltype(auto) compiled_for(instruction_set set, Function&& function) {
  return with_isa(set, [&](auto isa) -> decltype(auto) { return compiled_for(isa, function); });
}

}  // namespace orujo::internal::machine
