#include "system/tasks/context.hpp"

#include <pthread.h>

namespace orujo::tasks {

void context::make(std::byte* bottom, std::byte* top, void (*first)(boost::context::detail::transfer_t)) {
  bottom_ = bottom;
  size_ = static_cast<std::size_t>(top - bottom);
  resume_ = boost::context::detail::make_fcontext(top, size_, first);
#if defined(ORUJO_THREAD_SANITIZER)
  if (!own_fiber_) fiber_ = __tsan_create_fiber(0);
  own_fiber_ = true;
#endif
}

void context::adopt_thread_stack() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &bottom, &size_);
  pthread_attr_destroy(&attributes);
  bottom_ = bottom;
#if defined(ORUJO_THREAD_SANITIZER)
  fiber_ = __tsan_get_current_fiber();
#endif
}

}  // namespace orujo::tasks
