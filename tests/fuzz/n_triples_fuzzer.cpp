// Any bytes as lines of N-Triples (n_triples_properties.hpp).
#include "tests/fuzz/n_triples_properties.hpp"

#include "tests/fuzz/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bool good = false;
  return orujo::internal::fuzz::check_property(
      orujo::internal::fuzz::broken_triples_property({reinterpret_cast<const char*>(data), size}, good));
}
