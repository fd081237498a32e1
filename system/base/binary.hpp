// Facts that are the same in every process that runs this binary, wherever it is loaded.
#pragma once

#include <cstddef>
#include <cstdint>

namespace orujo::internal::base {

extern const char binary_anchor[];

// The distance of constant data, such as a string literal, from a fixed place of the binary; can travel.
inline std::ptrdiff_t offset_in_binary(const char* constant) { return constant - binary_anchor; }
inline const char* at_offset_in_binary(std::ptrdiff_t offset) { return binary_anchor + offset; }

// A hash of the linker's build id, equal for the same binary only. It is 0 if the binary has no build id.
std::uint64_t build_fingerprint();

}  // namespace orujo::internal::base
