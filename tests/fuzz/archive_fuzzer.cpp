// Any bytes given to what reads archives and compressed data (archive_properties.hpp).
#include "tests/fuzz/archive_properties.hpp"
#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_archive_property({reinterpret_cast<const char*>(data), size}));
}
