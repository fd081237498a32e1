// Runs the *_bench.cpp files inside a job: the benchmarks run in the main task on core 0, so they may use
// tasks, delegates and loops. bin/orujo bench starts it.
#include <benchmark/benchmark.h>

#include "system/runtime/runtime.hpp"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);  // takes its own flags and leaves the runtime's
  return orujo::run(argc, argv, "Benchmarks of the runtime and the framework.", [] {
    if (benchmark::RunSpecifiedBenchmarks() == 0) {
      return orujo::status(orujo::exit_status::usage, "no benchmark has such a name");
    }
    return orujo::status();
  });
}
