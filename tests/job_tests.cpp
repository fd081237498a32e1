// Runs the *_job_test.cpp files inside a job: the tests run in the main task on core 0, the other cores
// serve. Assertions belong on core 0: other locales are other processes, so bring their results there first.
#include <gtest/gtest.h>

#include "system/runtime/runtime.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return orujo::run(argc, argv, "The tests that need a running job.", [] {
    return RUN_ALL_TESTS() == 0 ? orujo::status() : orujo::status(orujo::exit_status::failed, "tests failed");
  });
}
