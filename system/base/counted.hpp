// Numbers with their nouns, for lines that people read.
#pragma once

#include <cstdint>
#include <string>

namespace orujo::internal::base {

// "1,234,567"
std::string grouped(std::uint64_t number);

// "1 core", "2,000 cores"; `plural` is the noun and an s if it is null.
std::string counted(std::uint64_t number, const char* noun, const char* plural = nullptr);

}  // namespace orujo::internal::base
