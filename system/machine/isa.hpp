// Instruction sets: every program has its kernels for each, and takes the best that the processor runs.
//
// A program is compiled for any x86-64 processor. compiled_for(isa, f) is f once more, with all that f calls,
// for a larger instruction set: [[gnu::flatten]] has everything inlined into the copy, a user's vertex
// program too, whose own functions are portable. So it needs no flags of the user's, and only kernels are
// compiled several times. docs/design/decisions.md has the alternatives.
#pragma once

#include <string_view>
#include <utility>

#include "system/base/sanitizers.hpp"

// Kernels for vector registers are compiled. ThreadSanitizer sees neither gathers nor accesses of more than 16 bytes:
// under it kernels are scalar, so that their races are found.
#if defined(__x86_64__) && !defined(ORUJO_THREAD_SANITIZER)
#define ORUJO_VECTOR_KERNELS 1
#endif

namespace orujo::machine {

#if defined(__x86_64__)
// Functions that use these instructions. AVX2 is without fused multiply-add, so that rounding is the same
// everywhere; AVX-512 has one of its own, which -ffp-contract=off keeps out (orujo::system passes it on).
#define ORUJO_AVX2 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]]
#define ORUJO_AVX512 [[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512vl,avx512dq,avx512bw,avx512cd")]]
#endif

// What kernels have as a template parameter. scalar: no more than the program is compiled for.
namespace isa {
struct scalar {};
#if defined(__x86_64__)
struct avx2 {};
struct avx512 {};
#endif
}  // namespace isa

// Returns function(), compiled for the instruction set. Everything it calls is copied, so it had better be a
// loop and not a layer. What is not called by itself but deeper, and has packs, is always_inline: clang's
// flatten goes no deeper. Precondition: the processor runs it.
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

// Base of classes of vector registers. Passed by value such a register goes one way between functions
// compiled for AVX2 and another way between portable ones; these are passed by reference between all (as
// their copy constructor is not trivial), which inlining undoes.
struct passed_by_reference {
  passed_by_reference() = default;
  passed_by_reference(const passed_by_reference&) noexcept {}
  passed_by_reference& operator=(const passed_by_reference&) noexcept { return *this; }
};

// Ascending.
enum class instruction_set { scalar, avx2, avx512 };

// True where kernels are compiled for it, and the processor and the operating system run them.
bool runs(instruction_set set);

// What --simd asks for; `auto` is the fastest here (isa.cpp says how that is found). Any thread.
instruction_set simd_from_flags();
// As --simd spells it.
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

}  // namespace orujo::machine
