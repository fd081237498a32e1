#include "framework/graph/store/orj/encode.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "framework/graph/build/segment_model.hpp"
#include "framework/graph/build/segments.hpp"
#include "framework/graph/build/slice_encoder.hpp"
#include "framework/graph/store/orj/cut.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/measures.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;

// Enough that the shares of up to 64 cores are about even, and each has many windows of bundles in a large
// graph.
constexpr std::uint64_t most_ranges = 64;

int count_ranges(std::uint64_t vertices) {
  return static_cast<int>(std::clamp<std::uint64_t>(vertices / vertices_per_bundle_window, 1, most_ranges));
}

// One core's ranges of vertices: it has their rows, and encodes them.
class range_encoder {
 public:
  range_encoder(const partition& ranges, const rows& mine, index_range my_ranges)
      : ranges_(ranges), rows_(mine), my_ranges_(my_ranges) {}

  // [task; suspends; collective over the job] Bounds of segments, as encode_in_edges() chooses them for one
  // locale.
  std::vector<std::uint32_t> choose_bounds() const {
    const auto vertices = static_cast<std::uint32_t>(ranges_.vertices());
    const edge_sample sample = collectives::all_reduce(sample_edges(rows_of(my_ranges_), vertices));
    // One machine's measures count for all: the choice must be the same everywhere.
    const auto mine = choose_segments(machine::this_machine().values, sample,
                                      {vertices, collectives::all_reduce(rows_.edges()), my_locales_cores()});
    return cut_sources(vertices, 0, collectives::broadcast(mine.segments, 0));
  }

  // [task; suspends; collective over the job] All slices, segment after segment.
  std::vector<edge_slice> lay_out(std::span<const std::uint32_t> bounds) {
    const auto ranges = static_cast<std::size_t>(count_ranges(ranges_.vertices()));
    const std::size_t segments = bounds.size() - 1;
    std::vector<std::uint64_t> sizes(2 * ranges * segments);
    encoders_.reserve(my_ranges_.size());
    for (std::size_t r = my_ranges_.first; r < my_ranges_.last; ++r) {
      slice_encoder& encoder = encoders_.emplace_back(rows_of({r, r + 1}), bounds);
      for (std::size_t s = 0; s < segments; ++s) {
        sizes[2 * (s * ranges + r)] = encoder.size(s).single;
        sizes[2 * (s * ranges + r) + 1] = encoder.size(s).bundled;
      }
    }
    collectives::all_reduce(std::span(sizes), std::bit_or<std::uint64_t>());
    std::vector<edge_slice> slices;
    std::size_t at = 0;
    for (std::size_t k = 0; k < sizes.size(); k += 2) {
      slices.push_back({at, at + sizes[k], at + sizes[k] + sizes[k + 1]});
      at = slices.back().last;
    }
    return slices;
  }

  // Writes this core's slices. Any thread.
  status write(const orj_output& to, const orj_header& header, std::span<const edge_slice> slices) {
    const std::size_t ranges = header.slices / header.segments;
    for (std::size_t r = my_ranges_.first; r < my_ranges_.last; ++r) {
      for (std::size_t s = 0; s < header.segments; ++s) {
        status failed = write_slice(to, header, slices[s * ranges + r], encoders_[r - my_ranges_.first], s);
        if (!failed.ok()) return failed;
      }
    }
    return {};
  }

 private:
  in_edge_rows rows_of(index_range ranges) const {
    if (ranges.size() == 0) return {};
    const std::uint64_t first = ranges_.first_of(static_cast<core_id>(ranges.first));
    const std::uint64_t last = ranges_.last_of(static_cast<core_id>(ranges.last - 1));
    return {static_cast<std::uint32_t>(first),
            rows_.offsets.part(first - rows_.first_vertex, last - rows_.first_vertex + 1),
            rows_.neighbours.part(0, rows_.edges()), rows_.weights.part(0, rows_.weights.size())};
  }

  // The encoder writes to the same places modulo the stride of the side index as in the file.
  static status write_slice(const orj_output& to, const orj_header& header, const edge_slice& slice,
                            slice_encoder& encoder, std::size_t segment) {
    const std::size_t base = slice.first / vectors_per_index_entry * vectors_per_index_entry;
    const std::size_t first = slice.first - base, last = slice.last - base;
    machine::huge_array<edge_vector> vectors(last);
    machine::huge_array<weight_vector> weights(header.weighted ? last : 0);
    std::vector<std::uint32_t> index(count_index_entries(last));
    encoder.encode(segment, first, {vectors.part(0, last), weights.part(0, weights.size()), index});
    if (slice.first == slice.last) return {};
    const auto at = [&](orj_section s, std::size_t value, std::size_t bytes) {
      return header[s].first + value * bytes;
    };
    status failed = to.write(at(orj_section::vectors, slice.first, sizeof(edge_vector)),
                             std::as_bytes(vectors.part(first, last)));
    if (failed.ok() && header.weighted)
      failed = to.write(at(orj_section::vector_weights, slice.first, sizeof(weight_vector)),
                        std::as_bytes(weights.part(first, last)));
    // Entries of vectors of this slice: the entry of the base is another slice's, unless this one begins
    // there.
    const std::size_t first_entry = first == 0 ? 0 : 1;
    if (failed.ok() && first_entry < index.size())
      failed =
          to.write(at(orj_section::top_level, base / vectors_per_index_entry + first_entry, sizeof(index[0])),
                   std::as_bytes(std::span(index).subspan(first_entry)));
    return failed;
  }

  const partition& ranges_;
  const rows& rows_;
  const index_range my_ranges_;
  std::vector<slice_encoder> encoders_;
};

status write_tables(const orj_output& to, const orj_header& header, std::span<const edge_slice> slices,
                    std::span<const std::uint32_t> bounds) {
  std::vector<std::uint64_t> numbers;
  for (const edge_slice& slice : slices)
    numbers.insert(numbers.end(), {slice.first, slice.bundles, slice.last});
  if (status failed = to.write(header[orj_section::slices].first, std::as_bytes(std::span(numbers)));
      !failed.ok())
    return failed;
  return to.write(header[orj_section::source_bounds].first, std::as_bytes(bounds));
}

}  // namespace

status add_vectors(const orj_output& to, orj_header& header, std::vector<std::uint64_t>& blocks) {
  const auto opened = formats::open_source(to.temporary_path());
  if (status failed = collectives::first_failure(opened.status()); !failed.ok()) return failed;
  const int count = count_ranges(header.vertices);
  const auto ranges = cut_orj(*opened.value(), header, count, partition_options{}.alpha);
  if (!ranges.ok()) return ranges.status();
  const index_range mine = my_part_of_job({0, static_cast<std::size_t>(count)});
  index_range vertices;
  if (mine.size() > 0) {
    vertices = {ranges.value().first_of(static_cast<core_id>(mine.first)),
                ranges.value().last_of(static_cast<core_id>(mine.last - 1))};
  }
  const auto read = read_orj_rows(*opened.value(), header, orj_rows_of::in_edges, vertices, weight_rule::any);
  if (status failed = collectives::first_failure(read.status()); !failed.ok()) return failed;
  range_encoder encoder(ranges.value(), read.value(), mine);
  const std::vector<std::uint32_t> bounds = encoder.choose_bounds();
  const std::vector<edge_slice> slices = encoder.lay_out(bounds);

  const std::uint64_t end_of_rows = header[orj_section::checksums].first;
  header.vectors = slices.back().last;
  header.slices = slices.size();
  header.segments = bounds.size() - 1;
  header.bundle_depth = default_bundle_depth;
  place_sections(header, {.ids = header.has(orj_section::ids),
                          .name_bytes = header[orj_section::names].bytes,
                          .names = header.has(orj_section::name_offsets)});
  blocks.resize(first_block_of(header, orj_section::vectors));
  // Drops the checksums: what lies between the sections has to be zeros again.
  if (status failed = to.cut(end_of_rows); !failed.ok()) return failed;
  status failed = encoder.write(to, header, slices);
  if (failed.ok() && my_core() == 0) failed = write_tables(to, header, slices, bounds);
  failed = collectives::first_failure(failed);
  return failed.ok() ? to.seal(header, orj_section::vectors, blocks) : failed;
}

}  // namespace orujo::internal::graph
