// The body of a fuzzer: libFuzzer makes bytes up, and is told by an abort that a property does not hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "framework/formats/file_format.hpp"

namespace orujo::internal::fuzz {

// "" holds; anything else is what does not. Returns what libFuzzer expects of its function.
int check_property(const std::string& broken);
// Checks the properties of the readers and writers of a format, reader_properties.hpp.
int check_bytes(formats::file_format format, const std::uint8_t* data, std::size_t size);

}  // namespace orujo::internal::fuzz
