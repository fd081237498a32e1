// A loop whose iterations differ: row i of a triangle has i + 1 elements. Equal numbers of rows are unequal
// work, so the program says itself how the loop is to be cut.
#include <orujo/orujo.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>

using namespace orujo;

constexpr std::size_t rows = 4000;

std::uint64_t row_sum(std::size_t row) {
  std::uint64_t sum = 0;
  for (std::size_t column = 0; column <= row; ++column) sum += mix64(row * rows + column) % 100;
  return sum;
}

// The rows of a locale: every so many. How many there are, and which is the i-th.
std::size_t rows_here() {
  const auto all = static_cast<std::size_t>(locales()), mine = static_cast<std::size_t>(my_locale());
  return (rows + all - 1 - mine) / all;
}
std::size_t row_of(std::size_t i) {
  return i * static_cast<std::size_t>(locales()) + static_cast<std::size_t>(my_locale());
}

// The policy of the schedule. inspect() says where the chunk that begins at `first` ends, here when it has
// enough elements, and how much work it is; the chunks are then balanced over the cores of the locale by
// that.
struct equal_work {
  double elements;
  inspected inspect(std::size_t first, std::size_t last) const {
    double work = 0;
    std::size_t end = first;
    while (end < last && work < elements) work += static_cast<double>(row_of(end++) + 1);
    return {end, work};
  }
};

// A body that knows of chunks: it sums up a chunk by itself and sends one message for all of it.
struct summing {
  event_ref event;
  global_address<std::uint64_t> total;
  std::uint64_t sum = 0;
  void start_chunk(std::size_t /*first*/, std::size_t /*chunk*/) { sum = 0; }
  void body(std::size_t i) { sum += row_sum(row_of(i)); }
  void finish_chunk(std::size_t /*last*/, std::size_t /*chunk*/) { async_increment(event, total, sum); }
};

status sum_triangle() {
  std::uint64_t total = 0;
  completion_event summed;
  const summing body{summed.ref(), {my_core(), &total}};
  on_all_cores([body] {
    const auto how = schedule::user_defined(equal_work{50'000}, {.steal = true, .profile = true});
    collective_forall(how, {0, rows_here()}, summing(body));
  });
  summed.wait();
  std::printf("sum of the triangle: %" PRIu64 "\n", total);
  return {};
}

int main(int argc, char** argv) {
  return run(argc, argv, "Sums a triangle with a schedule of its own.", &sum_triangle);
}
