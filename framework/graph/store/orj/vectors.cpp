#include "framework/graph/store/orj/vectors.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

template <class T>
status read_section(formats::byte_source& source, const orj_header& header, orj_section section,
                    std::uint64_t first, std::span<T> into) {
  if (into.empty()) return {};
  auto reader = orj_section_reader::open(source, header, section);
  if (!reader.ok()) return reader.status();
  return reader.value().read_values(first, into);
}

// One core's share of the vectors.
class vectors_reader {
 public:
  vectors_reader(formats::byte_source& source, const orj_header& header, const locale_graph& g,
                 weight_rule rule)
      : source_(source), header_(header), graph_(g), rule_(rule) {}

  status run() {
    auto edges = orj_section_reader::open(source_, header_, orj_section::vectors);
    if (!edges.ok()) return edges.status();
    for (const edge_segment& segment : graph_.segments) {
      const index_range mine = my_part_of_locale({segment.first_slice, segment.last_slice});
      if (mine.size() == 0) continue;
      if (status failed = read_slices(edges.value(), segment, mine); !failed.ok()) return failed;
    }
    return header_.weighted ? read_weights() : status();
  }

 private:
  status read_slices(orj_section_reader& edges, const edge_segment& segment, index_range slices) {
    const std::size_t first = graph_.slices[slices.first].first, last = graph_.slices[slices.last - 1].last;
    std::size_t next = slices.first;  // the first slice that is not checked yet
    const auto check_complete = [&](std::uint64_t, std::uint64_t last_byte) -> status {
      const std::uint64_t there = last_byte / sizeof(edge_vector);
      for (; next < slices.last && graph_.slices[next].last <= there; ++next) {
        if (status bad = validate_slice(graph_.in_edges(), segment, graph_.slices[next], graph_.own);
            !bad.ok())
          return edges.error(graph_.slices[next].first * sizeof(edge_vector), bad.message());
      }
      return {};
    };
    return edges.read_values(first, graph_.edge_vectors.part(first, last), check_complete);
  }

  status read_weights() {
    const index_range mine = my_part_of_locale({0, header_.vectors});
    if (mine.size() == 0) return {};
    auto weights = orj_section_reader::open(source_, header_, orj_section::vector_weights);
    if (!weights.ok()) return weights.status();
    const std::span<weight_vector> into = graph_.weight_vectors.part(mine.first, mine.last);
    return weights.value().read_values(
        mine.first, into, [&](std::uint64_t first_byte, std::uint64_t last_byte) {
          const std::size_t first = first_byte / sizeof(weight_vector) - mine.first,
                            last = last_byte / sizeof(weight_vector) - mine.first;
          return are_weights(into.subspan(first, last - first), rule_)
                     ? status()
                     : weights.value().error(first_byte, why_no_weights(rule_));
        });
  }

  formats::byte_source& source_;
  const orj_header& header_;
  const locale_graph& graph_;
  const weight_rule rule_;
};

}  // namespace

bool are_weights(std::span<const weight_vector> some, weight_rule rule) {
  constexpr float most = std::numeric_limits<float>::max();
  const float least = rule == weight_rule::non_negative ? 0 : -most;
  unsigned wrong = 0;
  for (const weight_vector& vector : some) {
    for (const float weight : vector.lane) wrong |= weight >= least && weight <= most ? 0u : 1u;
  }
  return wrong == 0;
}

std::string_view why_no_weights(weight_rule rule) {
  return rule == weight_rule::non_negative ? "a weight is not finite and at least 0"
                                           : "a weight is not finite";
}

result<orj_slices> read_orj_slices(formats::byte_source& source, const orj_header& header) {
  orj_slices read;
  if (header.segments == 0) return read;
  std::vector<std::uint64_t> numbers(3 * header.slices);
  std::vector<std::uint32_t> bounds(header.segments + 1);
  if (status failed = read_section(source, header, orj_section::slices, 0, std::span(numbers)); !failed.ok())
    return failed;
  if (status failed = read_section(source, header, orj_section::source_bounds, 0, std::span(bounds));
      !failed.ok())
    return failed;
  for (std::size_t k = 0; k < numbers.size(); k += 3)
    read.slices.push_back({numbers[k], numbers[k + 1], numbers[k + 2]});
  const std::size_t in_segment = header.slices / header.segments;
  for (std::size_t s = 0; s < header.segments; ++s) {
    const std::size_t first = s * in_segment, last = first + in_segment;
    read.segments.push_back(
        {bounds[s], bounds[s + 1], first, last, read.slices[first].first, read.slices[last - 1].last});
  }
  // Only the sizes of the arrays matter here.
  const vector_sparse_view shape{
      {static_cast<const edge_vector*>(nullptr), header.vectors},
      {},
      {static_cast<const std::uint32_t*>(nullptr), count_index_entries(header.vectors)},
      read.slices,
      read.segments};
  status bad = validate_slices(shape, static_cast<std::uint32_t>(header.vertices));
  if (header.vertices > local_index_mask)
    bad = {exit_status::bad_data, "Vector-Sparse is of fewer than 2^30 vertices"};
  if (bad.ok() && (bounds.front() != 0 || bounds.back() != header.vertices))
    bad = {exit_status::bad_data, "the segments do not have all sources"};
  if (bad.ok()) return read;
  return formats::orj_error(source.path(), header[orj_section::slices].first, name_of(orj_section::slices),
                            bad.message());
}

status load_orj_vectors(const std::shared_ptr<formats::byte_source>& source, const orj_header& header,
                        locale_graph& g, weight_rule rule) {
  auto slices = read_orj_slices(*source, header);
  if (status failed = collectives::first_failure(slices.status()); !failed.ok()) return failed;
  if (leads_locale()) {
    g.slices = std::move(slices.value().slices);
    g.segments = std::move(slices.value().segments);
    g.edge_vectors = orj_array<edge_vector>(source, header, orj_section::vectors, header.vectors);
    if (header.weighted)
      g.weight_vectors =
          orj_array<weight_vector>(source, header, orj_section::vector_weights, header.vectors);
    g.top_level_at =
        orj_array<std::uint32_t>(source, header, orj_section::top_level, count_index_entries(header.vectors));
  }
  collectives::barrier(collectives::group::locale);
  const index_range index = my_part_of_locale({0, g.top_level_at.size()});
  status failed = read_section(*source, header, orj_section::top_level, index.first,
                               g.top_level_at.part(index.first, index.last));
  failed = collectives::first_failure(failed);
  if (!failed.ok()) return failed;
  return collectives::first_failure(vectors_reader(*source, header, g, rule).run());
}

}  // namespace orujo::internal::graph
