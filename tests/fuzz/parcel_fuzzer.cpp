// Any bytes given for a parcel of another locale (parcel_properties.hpp).
#include "tests/fuzz/parcel_properties.hpp"

#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_parcel_property({reinterpret_cast<const char*>(data), size}));
}
