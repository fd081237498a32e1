#include "tests/fuzz/check.hpp"

#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/reader_properties.hpp"

namespace orujo::internal::fuzz {

int check_property(const std::string& broken) {
  if (broken.empty()) return 0;
  std::fprintf(stderr, "property broken: %s\n", broken.c_str());
  std::abort();
}

int check_bytes(formats::file_format format, const std::uint8_t* data, std::size_t size) {
  return check_property(broken_property(format, {reinterpret_cast<const char*>(data), size}));
}

}  // namespace orujo::internal::fuzz
