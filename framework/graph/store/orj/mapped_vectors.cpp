#include "framework/graph/store/orj/mapped_vectors.hpp"

#include <optional>
#include <type_traits>

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

}  // namespace

result<orj_mapped_vectors> orj_mapped_vectors::open(formats::byte_source& mapped, const orj_header& header,
                                                    weight_rule rule) {
  auto slices = read_orj_slices(mapped, header);
  if (!slices.ok()) return slices.status();
  orj_mapped_vectors made(std::move(slices).value(), static_cast<std::uint32_t>(header.vertices), rule);
  vector_sparse_view& view = made.view_;
  view.edges = formats::mapped_values<edge_vector>(mapped, header, orj_section::vectors);
  if (header.weighted)
    view.weights = formats::mapped_values<weight_vector>(mapped, header, orj_section::vector_weights);
  const auto top_level = formats::mapped_values<std::uint32_t>(mapped, header, orj_section::top_level);
  view.top_level_at = top_level;
  auto index = orj_section_reader::open(mapped, header, orj_section::top_level);
  if (!index.ok()) return index.status();
  if (status failed = index.value().read_values(0, top_level); !failed.ok()) return failed;
  for (const orj_section s : {orj_section::vectors, orj_section::vector_weights}) {
    if (s == orj_section::vector_weights && !header.weighted) continue;
    auto reader = orj_section_reader::open(mapped, header, s);
    if (!reader.ok()) return reader.status();
    made.readers_.push_back(std::move(reader).value());
  }
  return made;
}

status orj_mapped_vectors::check_slice(std::size_t k) {
  const edge_slice& slice = all_.slices[k];
  if (slice.first == slice.last) return {};
  const auto in_place = [&](const auto& values) {
    const auto some = values.subspan(slice.first, slice.last - slice.first);
    return std::span(const_cast<std::remove_const_t<typename decltype(some)::element_type>*>(some.data()),
                     some.size());
  };
  if (status failed = readers_[0].read_values(slice.first, in_place(view_.edges)); !failed.ok())
    return failed;
  vector_sparse_view whole = view_;
  whole.slices = all_.slices;
  whole.segments = all_.segments;
  const edge_segment& segment = all_.segments[k / (all_.slices.size() / all_.segments.size())];
  if (status bad = validate_slice(whole, segment, slice, vertices_); !bad.ok())
    return readers_[0].error(slice.first * sizeof(edge_vector), bad.message());
  if (view_.weights.empty()) return {};
  if (status failed = readers_[1].read_values(slice.first, in_place(view_.weights)); !failed.ok())
    return failed;
  if (are_weights(view_.weights.subspan(slice.first, slice.last - slice.first), rule_)) return {};
  return readers_[1].error(slice.first * sizeof(weight_vector), why_no_weights(rule_));
}

result<formats::edge_list> read_orj_vector_edges(const orj_header& header, const std::string& path,
                                                 const numbering& numbers, weight_rule rule,
                                                 const orj_share& share) {
  formats::edge_list list;
  const auto mapped = formats::map_source(path);
  status failed = mapped.status();
  std::optional<orj_mapped_vectors> vectors;
  if (failed.ok()) {
    auto opened = orj_mapped_vectors::open(*mapped.value(), header, rule);
    failed = opened.status();
    if (failed.ok()) vectors.emplace(std::move(opened).value());
  }
  const index_range mine = share.of(vectors ? vectors->slices() : 0);
  for (std::size_t k = mine.first; k < mine.last && failed.ok(); ++k) {
    failed = vectors->check_slice(k);
    if (!failed.ok()) break;
    vectors->for_each_edge_of(k, [&](std::uint32_t target, std::uint32_t source, float weight) {
      list.edges.push_back({numbers.position(source), numbers.position(target)});
      if (header.weighted) list.weights.push_back(weight);
    });
  }
  if (failed = share.agree(failed); !failed.ok()) return failed;
  return list;
}

}  // namespace orujo::internal::graph
