// Any bytes given to the readers of the format adjacency (reader_properties.hpp).
#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return orujo::internal::fuzz::check_bytes(orujo::internal::formats::file_format::adjacency, data, size);
}
