#include "system/base/printable.hpp"

namespace orujo {

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    if (!is_control(c)) {
      shown += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    shown += "\\x";
    shown += digits[byte >> 4];
    shown += digits[byte & 15];
  }
  return shown;
}

}  // namespace orujo
