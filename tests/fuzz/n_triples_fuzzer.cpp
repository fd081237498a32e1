// Any bytes as lines of N-Triples (n_triples_properties.hpp).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/n_triples_properties.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bool good = false;
  const std::string broken =
      orujo::fuzz::broken_triples_property({reinterpret_cast<const char*>(data), size}, good);
  if (broken.empty()) return 0;
  std::fprintf(stderr, "property broken: %s\n", broken.c_str());
  std::abort();
}
