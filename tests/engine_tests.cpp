// Runs the engine's tests where the processor has what they are compiled for; otherwise says so (status 4:
// skipped).
#include <gtest/gtest.h>

#include <cstdio>

#include "system/machine/cpus.hpp"

int main(int argc, char** argv) {
  if (!orujo::machine::runs(orujo::machine::this_build)) {
    std::puts("skipped: this processor lacks what this is compiled for");
    return 4;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
