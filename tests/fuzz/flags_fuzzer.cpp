// Any lines given for a command line (flag_properties.hpp).
#include "tests/fuzz/flag_properties.hpp"

#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_flag_property({reinterpret_cast<const char*>(data), size}));
}
