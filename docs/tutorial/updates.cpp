// Random updates of a table that is spread over all cores, as in the RandomAccess benchmark of the HPC
// Challenge (GUPS: giga updates per second).
#include <gflags/gflags.h>
#include <orujo/orujo.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>

using namespace orujo;

DEFINE_int32(log_words, 18, "the table has two to the power of this many words");
static const flag_rule words_rule(
    "log_words", [] { return FLAGS_log_words >= 1 && FLAGS_log_words <= 40; }, "from 1 to 40");

using table_type = global_array<std::uint64_t>;

// Four updates for each word: a random word becomes itself xor a random number.
void update(table_type table) {
  finish([&](event_ref event) {
    forall({0, 4 * table.size()}, [table, event](std::size_t i) {
      const std::uint64_t random = mix64(i);
      const auto word = table[random % table.size()];
      async_call(event, word.core(), [word, random] { *word.local() ^= random; });
    });
  });
}

// Words that are not what they were at the start.
std::uint64_t count_errors(table_type table) {
  std::uint64_t errors = 0;
  const global_address<std::uint64_t> sum(my_core(), &errors);
  finish([&](event_ref event) {
    forall(table, [sum, event](std::size_t i, std::uint64_t word) {
      if (word != i) async_increment(event, sum);
    });
  });
  return errors;
}

status measure_updates() {
  const auto table = table_type::create(std::size_t{1} << FLAGS_log_words);
  forall(table, [](std::size_t i, std::uint64_t& word) { word = i; }, {.may_suspend = false});

  const auto begun = std::chrono::steady_clock::now();
  update(table);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  const auto updates = static_cast<double>(4 * table.size());
  std::fprintf(stderr, "%.1f million updates per second\n", updates / took.count() / 1e6);

  std::printf("words changed: %s\n", count_errors(table) > 0 ? "many" : "none");
  update(table);  // xor undoes itself, in any order
  std::printf("wrong words after undoing: %lu\n", count_errors(table));
  table.destroy();
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Random updates of a table.", &measure_updates); }
