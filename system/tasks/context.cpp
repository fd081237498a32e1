#include "system/tasks/context.hpp"

#include <pthread.h>

#include <cstring>
#include <string>

#include "system/base/fatal.hpp"

namespace orujo::internal::tasks {

// The switch saves and restores the floating-point control register, which also holds the sticky flags of
// exceptions (inexact, ...). Loading a value that differs from the current one takes some 50 ns. A task that
// computes would slow down every switch between it and a task that does not: 62 ns instead of 7.5 with two
// workers. With all flags raised from the start the values never differ. (Traps stay masked; fetestexcept()
// has no meaning in a task.)
static void raise_floating_point_flags() {
#if defined(__x86_64__)
  constexpr unsigned all_flags = 0x3f;
  const unsigned now = __builtin_ia32_stmxcsr();
  if ((now & all_flags) != all_flags) __builtin_ia32_ldmxcsr(now | all_flags);
#endif
}

void context::make(std::byte* bottom, std::byte* top, void (*first)(boost::context::detail::transfer_t)) {
  bottom_ = bottom;
  size_ = static_cast<std::size_t>(top - bottom);
  raise_floating_point_flags();  // make_fcontext copies the current ones
  resume_ = boost::context::detail::make_fcontext(top, size_, first);
#if defined(ORUJO_THREAD_SANITIZER)
  if (!own_fiber_) fiber_ = __tsan_create_fiber(0);
  own_fiber_ = true;
#endif
}

void context::adopt_thread_stack() {
  raise_floating_point_flags();
  pthread_attr_t attributes;
  void* bottom = nullptr;
  if (const int error = pthread_getattr_np(pthread_self(), &attributes); error != 0) {
    base::fail(exit_status::no_resource,
               std::string("out of memory, or of what the system tells of a thread's stack: ") +
                   std::strerror(error));
  }
  pthread_attr_getstack(&attributes, &bottom, &size_);
  pthread_attr_destroy(&attributes);
  bottom_ = bottom;
#if defined(ORUJO_THREAD_SANITIZER)
  fiber_ = __tsan_get_current_fiber();
#endif
}

}  // namespace orujo::internal::tasks
