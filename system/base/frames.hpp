// Stack frames for people: unwinding by frame pointers, and the names of functions.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace orujo::internal::base {

// The code addresses of the frames of a stack [bottom, top) whose innermost frame runs at `code` with the
// frame pointer `frame`; how many. Stops where the frame pointers make no sense: code compiled without them
// hides frames. Callable in a signal handler.
std::size_t unwind(const void* code, const void* frame, const void* bottom, const void* top,
                   std::span<const void*> into);

// The frames of a stack whose thread a signal has interrupted.
std::size_t unwind(const ucontext_t& interrupted, const void* bottom, const void* top,
                   std::span<const void*> into);

// Where code lies in the program, or in the shared object of this library, as addr2line -Cfpie expects it; 0
// for code of others. The first call may take a lock, later ones may be made in a signal handler.
std::uintptr_t offset_in_program(const void* code);

// "function()+0x12", or "program+0x1234" for addr2line -Cfpie where the program has no symbol for it.
std::string describe_code(const void* code);

}  // namespace orujo::internal::base
