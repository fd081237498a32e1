// Runs the engine's tests where the processor has what they are compiled for; otherwise says so (status 4:
// skipped).
#include <gtest/gtest.h>

#include <cstdio>

#include "system/machine/cpus.hpp"

int main(int argc, char** argv) {
  if (!orujo::machine::runs_x86_64_v3()) {
    std::puts("skipped: this processor lacks AVX2");
    return 4;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
