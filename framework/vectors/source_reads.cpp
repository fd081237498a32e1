#include "framework/vectors/source_reads.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/vectors/pack.hpp"

namespace orujo::internal::vectors {
namespace {

// A sample of a segment's vectors.
struct run_sample {
  std::size_t sampled = 0, in_runs = 0;
  // Runs are read as such only if they prevail: a mix mispredicts the branch too often.
  static constexpr std::size_t parts_of_runs = 4;
  bool mostly_in_runs() const { return (sampled - in_runs) * parts_of_runs < sampled; }
};

run_sample sample_runs(const graph::vector_sparse_view& graph, const graph::edge_segment& segment) {
  constexpr std::size_t most_sampled = 256;
  const std::size_t vectors = segment.last - segment.first;
  run_sample of{.sampled = std::min(vectors, most_sampled)};
  for (std::size_t k = 0; k < of.sampled; ++k) {
    of.in_runs += names_run(isa::scalar{}, graph.edges[segment.first + vectors * k / of.sampled]) ? 1 : 0;
  }
  return of;
}

}  // namespace

source_reads choose_reads(const graph::vector_sparse_view& graph, const graph::edge_segment& segment,
                          std::size_t value_bytes, std::uint64_t prefetch_from) {
  return sample_runs(graph, segment).mostly_in_runs() ? source_reads::in_runs
                                                      : choose_reads(segment, value_bytes, prefetch_from);
}

std::string reads_text(const graph::vector_sparse_view& graph, std::span<const graph::edge_segment> segments,
                       std::size_t value_bytes, std::span<const source_reads> chosen) {
  const auto of = [&](source_reads kind) { return std::count(chosen.begin(), chosen.end(), kind); };
  run_sample all;
  std::uint64_t most_bytes = 0;
  for (const graph::edge_segment& segment : segments) {
    const run_sample sample = sample_runs(graph, segment);
    all.sampled += sample.sampled;
    all.in_runs += sample.in_runs;
    most_bytes = std::max(most_bytes, bytes_of_sources(segment, value_bytes));
  }
  return fmt::format(
      "in runs in {} segments, prefetched in {}, one by one in {}: of {} vectors looked at {} name eight in "
      "a "
      "row, which pays from {} of {} on; a segment's values take up to {} bytes, prefetched from {} on",
      of(source_reads::in_runs), of(source_reads::far), of(source_reads::near), all.sampled, all.in_runs,
      run_sample::parts_of_runs - 1, run_sample::parts_of_runs, most_bytes,
      machine::this_machine().prefetch_from);
}

}  // namespace orujo::internal::vectors
