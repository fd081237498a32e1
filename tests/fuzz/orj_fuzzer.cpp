// Any numbers given to the readers of .orj files (orj_properties.hpp).
#include "tests/fuzz/orj_properties.hpp"

#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_orj_property({reinterpret_cast<const char*>(data), size}));
}
