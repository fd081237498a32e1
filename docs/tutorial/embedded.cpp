// A job inside a program that has a main() of its own, as a server or an MPI application has: two of its
// threads have one job count for them.
#include <orujo/orujo.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

using namespace orujo;

void serve(session& job) {
  const auto counts = job.run([] { return global_array<std::uint64_t>::create(10); });

  // Any thread may have the job work: what it brings runs as a task of core 0, and may use all cores.
  const auto count_multiples_of = [&](std::size_t step) {
    job.run([&] {
      finish([&](event_ref event) {
        forall({0, 100'000},
               [counts, event, step](std::size_t i) { async_increment(event, counts[i * step % 10]); });
      });
    });
  };
  std::thread other([&] { count_multiples_of(2); });
  count_multiples_of(5);
  other.join();

  const std::vector<std::uint64_t> found = job.run([&] {
    const std::vector<std::uint64_t> all = counts.values();
    counts.destroy();
    return all;
  });
  for (std::size_t digit = 0; digit < found.size(); ++digit) {
    if (found[digit] > 0) std::printf("%zu at the end: %6lu\n", digit, found[digit]);
  }
}

int main(int argc, char** argv) {
  try {
    session job({argv + 1, argv + argc});  // every process makes one; its cores are there
    if (job.locale() == 0) serve(job);     // from one process or from each, as the program likes
    return 0;                              // the job ends when every process has come here
  } catch (const std::exception& e) {
    std::fprintf(stderr, "no job: %s\n", e.what());
    return 1;
  }
}
