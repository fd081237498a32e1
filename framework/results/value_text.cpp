#include "framework/results/value_text.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

namespace orujo::internal::results::detail {
namespace {

template <class T>
void append(std::string& to, T value) {
  char text[32];  // the longest: -2.2250738585072014e-308
  to.append(text, fmt::format_to(text, FMT_COMPILE("{}"), value));
}

}  // namespace

void append_decimals(std::string& to, float value) { append(to, value); }
void append_decimals(std::string& to, double value) { append(to, value); }
void append_decimals(std::string& to, std::int64_t value) { append(to, value); }
void append_decimals(std::string& to, std::uint64_t value) { append(to, value); }

}  // namespace orujo::internal::results::detail
