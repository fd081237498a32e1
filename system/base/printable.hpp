// Texts of others on the terminal.
#pragma once

#include <string>
#include <string_view>

namespace orujo {

// Whether a terminal takes the byte for a command, or for the end of the line.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '\x7f'; }

// With \xNN for control characters, so that what a file or an exception says stays one line and cannot
// steer the terminal. Others are left alone, so UTF-8 is.
std::string printable(std::string_view text);

}  // namespace orujo
