// Text that fits the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orujo::internal::base {

inline constexpr std::size_t any_width = ~std::size_t{0};

// The number of columns: of $COLUMNS, or else of the terminal at this descriptor, or else 80.
std::size_t terminal_width(int descriptor);

// The text in lines of at most `width` characters where blanks allow it. A line that is cut goes on with the
// blanks it begins with. Lines that begin with two blanks and no more are kept: they are commands and names
// of flags.
std::string wrapped(std::string_view text, std::size_t width);

// At most `width` characters of one line, the last three of which are "..." where some are left out. Bytes of
// one UTF-8 character count once.
std::string cut_to(std::string_view line, std::size_t width);

}  // namespace orujo::internal::base
