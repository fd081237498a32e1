// The body of a fuzzer: libFuzzer makes bytes up, and is told by an abort that a property does not hold.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/fuzz/reader_properties.hpp"

namespace orujo::fuzz {

inline int check_property(const std::string& broken) {
  if (broken.empty()) return 0;
  std::fprintf(stderr, "property broken: %s\n", broken.c_str());
  std::abort();
}

inline int check_bytes(formats::file_format format, const std::uint8_t* data, std::size_t size) {
  return check_property(broken_property(format, {reinterpret_cast<const char*>(data), size}));
}

}  // namespace orujo::fuzz
