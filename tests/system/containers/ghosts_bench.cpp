// Elements that all cores read again and again, as the rows of a sparse matrix do: by their indices each
// time, or by a plan.
#include "system/containers/ghosts.hpp"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::containers {
namespace {

constexpr std::size_t side = 256, points_of_a_core = side * side;
constexpr int rounds = 50;

// The neighbours in a mesh of the calling core's points, and the point opposite of each: half of the elements
// are other cores'.
std::vector<std::size_t> columns_of(const global_array<double>& x) {
  std::vector<std::size_t> columns;
  const auto rows = x.range_here();
  for (std::size_t i = rows.first; i < rows.last; ++i) {
    for (const std::size_t j : {i - side, i - 1, i + 1, i + side, x.size() - 1 - i})
      if (j < x.size()) columns.push_back(j);
  }
  return columns;
}

// Makes prepare(array, columns) on all cores, and takes the time of its calls.
template <class Prepare>
void read_again_and_again(benchmark::State& state, const Prepare& prepare) {
  const auto array = global_array<double>::create(points_of_a_core * static_cast<std::size_t>(cores()));
  for (auto _ : state) {
    double took = 0;
    loops::on_all_cores([array, prepare, to = at_home(took)] {
      const std::vector<std::size_t> columns = columns_of(array);
      auto read = prepare(array, columns);
      collectives::barrier();
      const auto start = std::chrono::steady_clock::now();
      for (int k = 0; k < rounds; ++k) read();
      collectives::barrier();
      if (my_core() == 0)
        *to = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    state.SetIterationTime(took);
  }
  state.SetItemsProcessed(state.iterations() * rounds * static_cast<int>(points_of_a_core));
  array.destroy();
}

void rows_read_by_gathers(benchmark::State& state) {
  read_again_and_again(state, [](const global_array<double>& x, const std::vector<std::size_t>& columns) {
    return [x, &columns, values = std::vector<double>(columns.size())]() mutable {
      collectives::barrier();
      x.gather(columns, std::span(values));
    };
  });
}
BENCHMARK(rows_read_by_gathers)->UseManualTime()->Iterations(5);

void rows_read_by_ghosts(benchmark::State& state) {
  read_again_and_again(state, [](const global_array<double>& x, const std::vector<std::size_t>& columns) {
    return [copies = ghosts<double>(x, columns)]() mutable { copies.update(); };
  });
}
BENCHMARK(rows_read_by_ghosts)->UseManualTime()->Iterations(5);

}  // namespace
}  // namespace orujo::internal::containers
