// The place in the program that a call comes from. clang 14 lacks `std::source_location` with libstdc++ 12.
#pragma once

#include <source_location>

namespace orujo {

// The place of a call: function, file and line. Operations that may refuse their arguments take one as their
// last parameter, with call_site::current() as its default, and name it in the message. Costs nothing until
// then.
#if defined(__cpp_lib_source_location)
using call_site = std::source_location;
#else
class call_site {
 public:
  static constexpr call_site current(const char* function = __builtin_FUNCTION(),
                                     const char* file = __builtin_FILE(), unsigned line = __builtin_LINE()) {
    return call_site(function, file, line);
  }
  constexpr const char* function_name() const { return function_; }
  constexpr const char* file_name() const { return file_; }
  constexpr unsigned line() const { return line_; }

 private:
  constexpr call_site(const char* function, const char* file, unsigned line)
      : function_(function), file_(file), line_(line) {}
  const char* function_;
  const char* file_;
  unsigned line_;
};
#endif

}  // namespace orujo
