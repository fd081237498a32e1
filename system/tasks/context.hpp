// Saved stacks and the switch between them: Boost.Context's fcontext with the sanitizers' fiber annotations.
// The only file that includes Boost.Context.
#pragma once

#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdlib>

#include "system/base/sanitizers.hpp"

#if defined(ORUJO_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(ORUJO_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace orujo::internal::tasks {

// The exceptions that a thread handles and those in flight, as the C++ runtime keeps them (Itanium C++ ABI,
// "Exception Handling", 2.2.2). They belong to the stack that throws and catches.
struct exceptions_in_use {
  void* caught = nullptr;
  unsigned uncaught = 0;
  bool any() const { return caught != nullptr || uncaught != 0; }
  // The address stays the same as long as the thread lives.
  static exceptions_in_use& of_this_thread() {
    return *reinterpret_cast<exceptions_in_use*>(abi::__cxa_get_globals());
  }
};

// A stack and the point where it resumes. One context is running per thread; the others are suspended in
// switch_to.
class context {
 public:
  context() = default;  // for the thread's own stack, after adopt_thread_stack()
  context(const context&) = delete;
  context& operator=(const context&) = delete;
  ~context() {
#if defined(ORUJO_THREAD_SANITIZER)
    if (own_fiber_) __tsan_destroy_fiber(fiber_);
#endif
  }

  // Prepares a stack [bottom, top) that calls Entry() when first switched to; Entry never returns.
  template <void (*Entry)()>
  void make(std::byte* bottom, std::byte* top) {
    make(bottom, top, &start<Entry>);
  }

  // The point on its stack where a suspended context resumes: the saved registers, below the innermost frame.
  const char* goes_on() const { return static_cast<const char*>(resume_); }
  // Approximately that point for the running context.
  [[gnu::always_inline]] static const char* here() {
#if defined(__x86_64__)
    const char* stack_pointer;
    asm("mov %%rsp, %0" : "=r"(stack_pointer));
    return stack_pointer - 72;
#else
    return static_cast<const char*>(__builtin_frame_address(0)) - 192;
#endif
  }
  // Prefetches the bytes that the switch to a suspended context reads first.
  static void prefetch(const char* goes_on) {
    __builtin_prefetch(goes_on);
    __builtin_prefetch(goes_on + 64);
  }

  // Describes the calling thread's own stack to the sanitizers.
  void adopt_thread_stack();

  // The code address and frame of a suspended context, for diagnostics. Both are null if the layout of the
  // saved registers is not known.
  struct place {
    const void* code = nullptr;
    const void* frame = nullptr;  // the frame pointer
  };
  place suspended_at() const {
#if defined(__x86_64__)
    // jump_x86_64_sysv_elf_gas.S: floating-point control, r12, r13, r14, r15, rbx, rbp, rip.
    const auto* saved = static_cast<const void* const*>(resume_);
    if (saved) return {saved[7], saved[6]};
#endif
    return {};
  }
  const void* stack_bottom() const { return bottom_; }
  const void* stack_top() const { return static_cast<const std::byte*>(bottom_) + size_; }
  // The offset of the saved registers' address in this object, for a debugger.
  static std::size_t offset_of_saved() { return offsetof(context, resume_); }

  // Suspends `from`, the running context, and resumes `to`. Returns when somebody switches back.
  static void switch_to(context& from, context& to) {
#if defined(ORUJO_ADDRESS_SANITIZER)
    void* fake_stack = nullptr;
    __sanitizer_start_switch_fiber(&fake_stack, to.bottom_, to.size_);
#endif
#if defined(ORUJO_THREAD_SANITIZER)
    __tsan_switch_to_fiber(to.fiber_, 0);
#endif
    arrived(boost::context::detail::jump_fcontext(to.resume_, &from));
#if defined(ORUJO_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
  }

 private:
  // The switch passes the resume point of the previous context in the register of its return value.
  static void arrived(boost::context::detail::transfer_t from) {
    static_cast<context*>(from.data)->resume_ = from.fctx;
  }
  template <void (*Entry)()>
  static void start(boost::context::detail::transfer_t from) {
#if defined(ORUJO_ADDRESS_SANITIZER)
    __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
#endif
    arrived(from);
    Entry();
    std::abort();  // there is nowhere to return to
  }
  void make(std::byte* bottom, std::byte* top, void (*first)(boost::context::detail::transfer_t));

  boost::context::detail::fcontext_t resume_ = nullptr;
  const void* bottom_ = nullptr;
  std::size_t size_ = 0;
#if defined(ORUJO_THREAD_SANITIZER)
  void* fiber_ = nullptr;
  bool own_fiber_ = false;
#endif
};

}  // namespace orujo::internal::tasks
