// Comparison of a codec's kernels, one for each instruction set. All of them write the same bytes.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/exchange/codecs/bp128.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::exchange {

// The kernels that this processor can run.
inline std::vector<bp128::kernel> kernels_here() {
  using bp128::kernel;
  std::vector<kernel> all = {kernel::scalar, kernel::sse2};
  if (machine::runs(machine::instruction_set::avx2)) all.push_back(kernel::avx2);
  return all;
}

// Expects that every kernel writes the bytes of the scalar one, and reads them. Returns these bytes.
// encoded(kernel, list) writes them, decode(kernel, bytes, into) reads them.
template <class Encoded, class Decode>
std::vector<std::byte> expect_twins(const std::vector<std::uint32_t>& list, const std::string& name,
                                    const Encoded& encoded, const Decode& decode) {
  const std::vector<std::byte> expected = encoded(bp128::kernel::scalar, list);
  for (const bp128::kernel k : kernels_here()) {
    EXPECT_EQ(encoded(k, list), expected) << name << ", kernel " << static_cast<int>(k);
    std::vector<std::uint32_t> back(list.size());
    EXPECT_TRUE(decode(k, expected, back).ok()) << name << ", kernel " << static_cast<int>(k);
    EXPECT_EQ(back, list) << name << ", kernel " << static_cast<int>(k);
  }
  return expected;
}

}  // namespace orujo::internal::exchange
