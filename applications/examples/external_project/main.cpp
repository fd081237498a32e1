// Finds the number below --numbers with the most steps to 1, where n becomes n/2 if it is even and 3n + 1
// otherwise.
#include <gflags/gflags.h>
#include <orujo/orujo.hpp>

#include <cstdint>
#include <cstdio>

using namespace orujo;

DEFINE_uint64(numbers, 1'000'000, "upper bound, exclusive, of the numbers to examine");
static const flag_rule numbers_rule(
    "numbers", [] { return FLAGS_numbers >= 2 && FLAGS_numbers <= 1'000'000'000; }, "from 2 to 10^9");

struct longest {
  std::uint64_t number = 1, steps = 0;
};

longest longer(longest a, longest b) { return b.steps > a.steps ? b : a; }

std::uint64_t steps_of(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

// Every core searches its part; the collective combines the parts in the order of cores.
void search() {
  const auto mine = my_part_of_job({1, FLAGS_numbers});
  longest best;
  forall_here(mine, [&](std::size_t n) { best = longer(best, {n, steps_of(n)}); });
  best = all_reduce(best, longer);
  if (my_core() == 0) std::printf("%lu takes %lu steps\n", best.number, best.steps);
}

int main(int argc, char** argv) {
  return run(argc, argv, "The number with the longest Collatz sequence.", [] {
    on_all_cores([] { search(); });
    return status();
  });
}
