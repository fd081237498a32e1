// Elements that all cores read again and again: by their indices each time, or by a plan.
#include "system/containers/ghosts.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "system/base/random.hpp"
#include "system/loops/forall.hpp"

namespace orujo::containers {
namespace {

constexpr std::size_t of_a_core = 1 << 16;
constexpr int rounds = 20;

std::vector<std::uint32_t> any_elements(std::size_t size) {
  random_stream random(1, static_cast<std::uint64_t>(my_core()));
  std::vector<std::uint32_t> indices(of_a_core);
  for (auto& i : indices) i = static_cast<std::uint32_t>(random.below(size));
  return indices;
}

// Runs f(array, indices) on all cores, which reads the elements `rounds` times.
template <class F>
void read_again_and_again(benchmark::State& state, const F& f) {
  const auto array = global_array<double>::create(of_a_core * static_cast<std::size_t>(cores()));
  for (auto _ : state) loops::on_all_cores([=] { f(array, any_elements(array.size())); });
  state.SetItemsProcessed(state.iterations() * rounds * static_cast<int>(of_a_core));
  array.destroy();
}

void reads_by_gathers(benchmark::State& state) {
  read_again_and_again(state,
                       [](const global_array<double>& array, const std::vector<std::uint32_t>& indices) {
                         std::vector<double> values(indices.size());
                         for (int k = 0; k < rounds; ++k) {
                           array.gather(indices, values);
                           loops::barrier();
                         }
                       });
}
BENCHMARK(reads_by_gathers)->UseRealTime();

void reads_by_ghosts(benchmark::State& state) {
  read_again_and_again(state,
                       [](const global_array<double>& array, const std::vector<std::uint32_t>& indices) {
                         ghosts<double> copies(array, indices);
                         for (int k = 0; k < rounds; ++k) copies.update();
                       });
}
BENCHMARK(reads_by_ghosts)->UseRealTime();

}  // namespace
}  // namespace orujo::containers
