// Finds closures that would take references to the calling task's variables to another core.
//
// Such a closure works on one locale. On several it crashes, or silently changes foreign memory: a reference
// is an address, and the variable has that address in one process only. The types of captures are not known,
// but their words are. A word that points into the task's stack counts as a reference. Global addresses are
// never mistaken for pointers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "system/base/call_site.hpp"

namespace orujo::internal::tasks {

// The closures that are inspected (--check_closures): those of sources compiled without NDEBUG, none, or all.
// In sources compiled with NDEBUG, only loops and delegates that wait or spawn have their closures inspected.
enum class closure_checks : std::uint8_t { of_debug_sources, none, all };
void check_closures(closure_checks wanted);
closure_checks wanted_closure_checks();

namespace detail {
// The default of the source that includes this.
#ifdef NDEBUG
constexpr bool is_looked_at(closure_checks wanted) { return wanted == closure_checks::all; }
#else
constexpr bool is_looked_at(closure_checks wanted) { return wanted != closure_checks::none; }
#endif
// Ends the job as misuse if a word of the closure is an address in the calling task's stack.
void find_references(const void* closure, std::size_t bytes, const call_site& at);
}  // namespace detail

// For closures whose transport costs much more than the inspection.
template <class F>
void check_closure(const F& f, const call_site& at) {
  if constexpr (sizeof(F) >= sizeof(void*)) {
    if (!detail::is_looked_at(wanted_closure_checks())) [[likely]]
      return;
#if __has_builtin(__builtin_clear_padding)  // padding may hold old values
    F without_padding = f;
    __builtin_clear_padding(&without_padding);
    detail::find_references(&without_padding, sizeof(F), at);
#else
    if constexpr (std::has_unique_object_representations_v<F>) detail::find_references(&f, sizeof(F), at);
#endif
  }
}

// For calls where every instruction counts.
template <class F>
void debug_check_closure([[maybe_unused]] const F& f, [[maybe_unused]] const call_site& at) {
#ifndef NDEBUG
  check_closure(f, at);
#endif
}

}  // namespace orujo::internal::tasks
