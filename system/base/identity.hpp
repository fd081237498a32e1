// The identity of the calling core, and the size of the job.
#pragma once

namespace orujo {

// The number of a core in the whole job, 0 to cores() - 1. The cores of a locale are consecutive. A core is
// one thread, which runs the tasks and message handlers of the memory that it owns.
using core_id = int;
// The number of a locale, 0 to locales() - 1. A locale is a process of the job, or in tests a part of one.
using locale_id = int;

class job_shape;  // system/base/shape.hpp

}  // namespace orujo

namespace orujo::base {

// Locale and core of a thread. A core of -1 means that the thread is no core; a locale of -1, that it has
// none yet.
struct thread_identity {
  locale_id locale = -1;
  core_id core = -1;
  // The rest is set for cores only.
  int cores = 0, locales = 0;                  // of the job
  int locales_cores = 0, core_of_locale = -1;  // how many there are in this locale, and which of them it is
  const job_shape* shape = nullptr;
};

namespace detail {
extern constinit thread_local thread_identity identity_here;
// Ends the job as misuse (check.hpp): the calling thread is no core.
[[noreturn]] void refuse_foreign_thread();
}  // namespace detail

// On any thread.
inline const thread_identity& my_identity() { return detail::identity_here; }
inline bool is_core() { return my_identity().core >= 0; }

// Returns an object of the calling core. A call on another thread, or before orujo::run, is a misuse.
template <class T>
T& of_this_core(T* found) {
  if (!found) [[unlikely]]
    detail::refuse_foreign_thread();
  return *found;
}

namespace detail {
// A number that is at least this on the threads of cores, and less on others.
inline int of_cores_only(int number, int least) {
  if (number < least) [[unlikely]]
    refuse_foreign_thread();
  return number;
}
}  // namespace detail

}  // namespace orujo::base

namespace orujo {

// [task or handler] The number of the calling core. On a thread that is no core it is a misuse, as are all
// functions below.
inline core_id my_core() { return base::detail::of_cores_only(base::my_identity().core, 0); }
// [task or handler] The number of cores of the job.
inline int cores() { return base::detail::of_cores_only(base::my_identity().cores, 1); }
// [task or handler] Which cores belong to which locale. The object lives as long as the job.
inline const job_shape& shape() { return base::of_this_core(base::my_identity().shape); }
// [task or handler] The number of the calling core's locale.
inline locale_id my_locale() {
  shape();  // other threads may have a locale
  return base::my_identity().locale;
}
// [task or handler] The number of locales of the job.
inline int locales() { return base::detail::of_cores_only(base::my_identity().locales, 1); }

// [task or handler] The number of cores of the calling core's locale.
inline int my_locales_cores() { return base::detail::of_cores_only(base::my_identity().locales_cores, 1); }
// [task or handler] The number of the calling core within its locale, 0 to my_locales_cores() - 1.
inline int my_core_of_locale() { return base::detail::of_cores_only(base::my_identity().core_of_locale, 0); }
// [task or handler] Whether the calling core is the first of its locale, its leader.
inline bool leads_locale() { return my_core_of_locale() == 0; }

}  // namespace orujo

namespace orujo::base {

// Makes this thread a core of a job of this shape, which must outlive it.
void set_identity(core_id core, const job_shape& shape);
// Sets only the locale and core that messages of fail() show for this thread.
void set_identity(locale_id locale, core_id core);

// In a child that this process has forked: its thread is no core, and what it asks of the job is refused.
void leave_job_in_child();
[[nodiscard]] bool is_forked_child();

}  // namespace orujo::base
