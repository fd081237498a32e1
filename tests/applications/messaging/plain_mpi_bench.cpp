// Random increments and index gather beside the same in plain MPI (mpi_batches.hpp): the same numbers, the
// same table, in turn. MPI undoes our increments, and reads what we read, so that a mistake of either shows.
// "ratio" is MPI's median over ours.
//   bin/orujo bench -n 2 -c 1 --filter=beside_mpi
#include <algorithm>
#include <utility>

#include "applications/messaging/index_gather.hpp"
#include "applications/messaging/random_updates.hpp"
#include "system/containers/symmetric.hpp"
#include "tests/applications/messaging/mpi_batches.hpp"
#include "tests/applications/messaging/updates_bench.hpp"

namespace orujo::internal::messaging {
namespace {

constexpr auto nothing_to_take = [](std::size_t, word) {};

// [task] Both of them, one core per locale, so a core's number is a rank.
void decrement_by_mpi(word_table table, const draws& d, std::size_t batch_size) {
  word* const words = words_here();
  const auto serve = [words](std::span<const std::uint32_t> batch, word*) {
    for_each_fetched(
        batch, [words](std::uint32_t at) { __builtin_prefetch(words + at, 1); },
        [words](std::uint32_t at) { --words[at]; });
  };
  mpi_batches<false, decltype(serve), decltype(nothing_to_take)> batches(batch_size, serve, nothing_to_take);
  random_stream random = d.stream_of(my_core());
  for (std::size_t left = d.count_of(my_core()); left > 0; --left)
    batches.add(place_in(table, place_of(random(), table.size())));
  batches.finish();
}

void gather_by_mpi(word_table table, std::span<const word> indices, std::span<word> values,
                   std::size_t batch_size) {
  const word* const words = words_here();
  const auto serve = [words](std::span<const std::uint32_t> batch, word* answer) {
    for_each_fetched(
        batch, [words](std::uint32_t at) { __builtin_prefetch(words + at); },
        [&](std::uint32_t at) { *answer++ = words[at]; });
  };
  const auto take = [values](std::size_t place, word value) { values[place] = value; };
  mpi_batches<true, decltype(serve), decltype(take)> batches(batch_size, serve, take);
  for (std::size_t k = 0; k < indices.size(); ++k) batches.add(place_in(table, indices[k]), k);
  batches.finish();
}

std::uint64_t changed_words(word_table table) {
  std::uint64_t changed = 0;
  table.visit_here([&](std::size_t i, const word& w) { changed += w != i; });
  return changed;
}

void increments_beside_mpi(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  const word_table table = table_of(std::size_t{1} << state.range(0));
  table.fill([](std::size_t i) { return i; });
  const auto batch_size = static_cast<std::size_t>(state.range(1)) / sizeof(std::uint32_t);
  measure_beside_mpi(state, [&, seed = std::uint64_t{0}]() mutable {
    const draws d{++seed, updates};
    delegates::completion_event updated;
    const double begun = now();
    loops::on_all_cores([=, event = updated.ref()] { send_increments<smallest_increment>(event, table, d); });
    updated.wait();
    const double ours = now() - begun;
    return beside_mpi([=] {
      seconds_beside both{.ours = ours};
      both.mpi = seconds_within_mpi([&] { decrement_by_mpi(table, d, batch_size); });
      both.wrong = changed_words(table);
      return both;
    });
  });
}

struct gathered {
  machine::huge_array<word> indices, ours, theirs;
};

void gathers_beside_mpi(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  constexpr std::size_t reads = updates / 2;
  const word_table table = table_of(std::size_t{1} << state.range(0));
  table.fill([](std::size_t i) { return value_at(i); });
  const auto batch_size = static_cast<std::size_t>(state.range(1)) / sizeof(std::uint32_t);
  const auto kept = containers::symmetric<gathered>::create_by([=] {
    auto indices = drawn_places(draws{1, reads}, table.size());
    const std::size_t n = indices.size();
    return gathered{std::move(indices), machine::huge_array<word>(n), machine::huge_array<word>(n)};
  });
  measure_beside_mpi(state, [&] {
    const double begun = now();
    loops::on_all_cores([=] { gather(table, kept.here().indices, kept.here().ours); });
    const double ours = now() - begun;
    return beside_mpi([=] {
      gathered& here = kept.here();
      seconds_beside both{.ours = ours};
      const std::span<word> values(here.theirs.data(), here.theirs.size());
      both.mpi = seconds_within_mpi([&] { gather_by_mpi(table, here.indices, values, batch_size); });
      both.wrong = count_wrong(here.indices, here.ours) + count_wrong(here.indices, values);
      for (auto* read : {&here.ours, &here.theirs}) std::fill(read->begin(), read->end(), 0);
      return both;
    });
  });
  kept.destroy();
  table.fill([](std::size_t i) { return i; });
}

void table_and_bytes(benchmark::internal::Benchmark* b) {
  b->ArgNames({"log2_table", "bytes"})->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(9);
  for (int bytes : {16 << 10, 64 << 10}) b->Args({22, bytes});
}
BENCHMARK(increments_beside_mpi)->Apply(table_and_bytes);
BENCHMARK(gathers_beside_mpi)->Apply(table_and_bytes);

}  // namespace
}  // namespace orujo::internal::messaging
