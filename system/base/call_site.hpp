// Where in the program a call comes from: std::source_location, or what clang 14 has of it with libstdc++ 12.
#pragma once

#include <source_location>

namespace orujo {

#if defined(__cpp_lib_source_location)
using call_site = std::source_location;
#else
class call_site {
 public:
  static constexpr call_site current(const char* function = __builtin_FUNCTION()) {
    return call_site(function);
  }
  constexpr const char* function_name() const { return function_; }

 private:
  explicit constexpr call_site(const char* function) : function_(function) {}
  const char* function_;
};
#endif

}  // namespace orujo
