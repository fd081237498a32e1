// Checks of our own invariants and of what callers of the library must obey. Headers use these. Sources use
// glog's CHECK, whose header has 39,000 lines.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "system/base/call_site.hpp"

namespace orujo::internal::base {

namespace detail {
[[noreturn]] void check_failed(const char* claim, const call_site& at);
}

// Ends the job (fatal.hpp) with status 78: the program calls the library as it must not. `what` is a sentence
// that says what is wrong, and what to do instead. The line names the caller's place if the operation passes
// it on (`call_site::current()` as a default argument). Otherwise it names the task, as far as it is known.
[[noreturn]] void misuse(std::string_view what, const call_site& at);
[[noreturn]] void misuse(std::string_view what);

}  // namespace orujo::internal::base

namespace orujo {

// [any thread] Ends the job with status 78 (misuse) unless `holds`: the caller breaks the contract of a
// function of yours. `what` is a sentence that says what is wrong and what to do instead. The message names
// `at`, or the running task.
inline void require(bool holds, const char* what, const call_site& at) {
  if (!holds) [[unlikely]]
    internal::base::misuse(what, at);
}
inline void require(bool holds, const char* what) {
  if (!holds) [[unlikely]]
    internal::base::misuse(what);
}

// [any thread] Ends the job with status 70 (broken_invariant) unless `holds`, in Release builds, too. `claim`
// is a sentence that says what should hold. The message names the caller's line.
inline void check(bool holds, const char* claim, const call_site& at = call_site::current()) {
  if (!holds) [[unlikely]]
    internal::base::detail::check_failed(claim, at);
}

}  // namespace orujo

namespace orujo::internal::base {

namespace detail {
[[noreturn]] void refuse_index(std::size_t index, std::size_t size, const char* of, const call_site& at);
}
// `of`: what has these many elements, with its article.
inline void require_index(std::size_t index, std::size_t size, const char* of, const call_site& at) {
  if (index >= size) [[unlikely]]
    detail::refuse_index(index, size, of, at);
}

// The index parameter of an operator[], which has no room for a call_site, and one that is the number of a
// core or locale. In programs compiled without NDEBUG it carries its caller's place, and
// debug_require_index() refuses an index past the end.
#ifdef NDEBUG
using placed_index = std::size_t;
using placed_id = int;
template <class Index>
void debug_require_index(const Index&, std::size_t, const char*) {}
#else
class placed_index {
 public:
  template <std::convertible_to<std::size_t> Number>
  constexpr placed_index(const Number& value, const call_site& at = call_site::current())
      : value_(static_cast<std::size_t>(value)), at_(at) {}
  constexpr operator std::size_t() const { return value_; }
  const call_site& at() const { return at_; }

 private:
  std::size_t value_;
  call_site at_;
};
using placed_id = placed_index;
inline void debug_require_index(const placed_index& index, std::size_t size, const char* of) {
  require_index(index, size, of, index.at());
}
#endif

// Only in programs that are compiled without NDEBUG.
inline void debug_check([[maybe_unused]] bool holds, [[maybe_unused]] const char* claim,
                        [[maybe_unused]] const call_site& at = call_site::current()) {
#ifndef NDEBUG
  check(holds, claim, at);
#endif
}

}  // namespace orujo::internal::base
