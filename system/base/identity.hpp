// The calling core: its number, its parts, and the size of the job.
#pragma once

#include "system/base/thread_state.hpp"

namespace orujo::internal::base {

namespace detail {
// Ends the job as misuse (check.hpp): the calling thread is no core.
[[noreturn]] void refuse_foreign_thread();

template <class T>
T& require_core(T* found) {
  if (!found) [[unlikely]]
    refuse_foreign_thread();
  return *found;
}
// A number that is at least this on the threads of cores, and less on others.
inline int of_cores_only(int number, int least) {
  if (number < least) [[unlikely]]
    refuse_foreign_thread();
  return number;
}
}  // namespace detail

// Returns a part of the calling core. A call on another thread, or before orujo::run, is a misuse.
template <class T>
T& part_of_this_core() {
  return detail::require_core(part_here<T>());
}

// A core of a job of this shape, which must outlive it; without parts.
thread_identity identity_of(core_id core, const job_shape& shape);

}  // namespace orujo::internal::base

namespace orujo {

// [task or handler] The number of the calling core. On a thread that is no core it is a misuse, as are all
// functions below.
inline core_id my_core() {
  return internal::base::detail::of_cores_only(internal::base::my_identity().core, 0);
}
// [task or handler] The number of cores of the job.
inline int cores() { return internal::base::detail::of_cores_only(internal::base::my_identity().cores, 1); }
// [task or handler] Which cores belong to which locale. The object lives as long as the job.
inline const job_shape& shape() {
  return internal::base::detail::require_core(internal::base::my_identity().shape);
}
// [task or handler] The number of the calling core's locale.
inline locale_id my_locale() {
  shape();  // other threads may have a locale
  return internal::base::my_identity().locale;
}
// [task or handler] The number of locales of the job.
inline int locales() {
  return internal::base::detail::of_cores_only(internal::base::my_identity().locales, 1);
}

// [task or handler] The number of cores of the calling core's locale.
inline int my_locales_cores() {
  return internal::base::detail::of_cores_only(internal::base::my_identity().locales_cores, 1);
}
// [task or handler] The number of the calling core within its locale, 0 to my_locales_cores() - 1.
inline int my_core_of_locale() {
  return internal::base::detail::of_cores_only(internal::base::my_identity().core_of_locale, 0);
}
// [task or handler] Whether the calling core is the first of its locale, its leader.
inline bool leads_locale() { return my_core_of_locale() == 0; }

}  // namespace orujo
