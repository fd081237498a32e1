// The instruction sets that tests go through.
#pragma once

#include <vector>

#include "system/machine/isa.hpp"

namespace orujo::internal::test_isa {

// The instruction sets that this processor runs, ascending.
inline std::vector<machine::instruction_set> all() {
  using enum machine::instruction_set;
  std::vector<machine::instruction_set> sets;
  for (const auto set : {scalar, avx2, avx512}) {
    if (machine::runs(set)) sets.push_back(set);
  }
  return sets;
}

}  // namespace orujo::internal::test_isa
