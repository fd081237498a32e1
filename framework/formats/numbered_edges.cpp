#include "framework/formats/numbered_edges.hpp"

#include <fmt/format.h>

#include <utility>

namespace orujo::internal::formats {

result<std::optional<numbered_edges>> numbered_edges::find_gap(byte_source& source, bool wanted) {
  const auto found = find_gap_layout(source);
  if (!found.ok()) return found.status();
  if (found.value()) return std::optional(numbered_edges(source, *found.value()));
  if (!wanted) return std::optional<numbered_edges>();
  return status(
      exit_status::bad_data,
      source.path() +
          (source.seekable()
               ? ": not a serialized graph of the GAP suite: its size contradicts its header; remove --format"
               : ": a compressed .sg cannot be read: decompress it first"));
}

result<std::optional<numbered_edges>> numbered_edges::find_adjacency(byte_source& source, bool wanted) {
  const auto found = find_adjacency_layout(source);
  if (!found.ok()) return found.status();
  if (found.value()) return std::optional(numbered_edges(source, *found.value()));
  if (!wanted) return std::optional<numbered_edges>();
  return status(
      exit_status::bad_data,
      source.path() + ":1:1: not an adjacency graph; expected 'AdjacencyGraph' or 'WeightedAdjacencyGraph'");
}

result<std::optional<numbered_edges>> numbered_edges::find_packed(byte_source& source,
                                                                  std::optional<unsigned> scale) {
  auto weights = open_packed_weights(source.path());
  if (!weights.ok()) return weights.status();
  const auto found = find_packed_layout(source, weights.value().get(), scale);
  if (!found.ok()) return found.status();
  numbered_edges made(source, found.value());
  made.weights_ = std::move(weights).value();
  return std::optional(std::move(made));
}

result<std::optional<numbered_edges>> numbered_edges::find(byte_source& source,
                                                           const numbered_options& options) {
  auto found = find_any(source, options);
  if (found.ok() && found.value()) found.value()->ignores_weights_ = options.ignores_weights;
  return found;
}

result<std::optional<numbered_edges>> numbered_edges::find_any(byte_source& source,
                                                               const numbered_options& options) {
  const auto format = options.format ? *options.format : format_of_path(source.path());
  if (format == file_format::graph500) return find_packed(source, options.scale);
  if (options.format == file_format::gap) return find_gap(source, true);
  if (options.format == file_format::adjacency) return find_adjacency(source, true);
  if (options.format) return std::optional<numbered_edges>();
  auto gap = find_gap(source, false);
  if (!gap.ok() || gap.value()) return gap;
  return find_adjacency(source, false);
}

file_format numbered_edges::format() const {
  constexpr file_format by_layout[] = {file_format::gap, file_format::adjacency, file_format::graph500};
  return by_layout[layout_.index()];
}

bool numbered_edges::weighted() const {
  return !ignores_weights_ && std::visit([](const auto& layout) { return layout.weighted; }, layout_);
}

bool numbered_edges::ignores_its_weights() const {
  return ignores_weights_ && std::visit([](const auto& layout) { return layout.weighted; }, layout_);
}

std::uint64_t numbered_edges::edges() const {
  return std::visit([](const auto& layout) { return layout.edges; }, layout_);
}

std::optional<std::uint64_t> numbered_edges::vertices() const {
  if (const auto* gap = std::get_if<gap_layout>(&layout_)) return gap->vertices;
  if (const auto* adjacency = std::get_if<adjacency_layout>(&layout_)) return adjacency->vertices;
  const auto scale = std::get<packed_layout>(layout_).scale;
  if (!scale) return {};
  return std::uint64_t{1} << *scale;
}

std::uint64_t numbered_edges::blocks() const {
  const auto* adjacency = std::get_if<adjacency_layout>(&layout_);
  return adjacency ? adjacency_blocks(*source_, *adjacency) : 0;
}

result<std::vector<std::uint32_t>> numbered_edges::count_blocks(std::uint64_t first,
                                                                std::uint64_t last) const {
  const auto* adjacency = std::get_if<adjacency_layout>(&layout_);
  if (!adjacency) return std::vector<std::uint32_t>();
  return count_adjacency_numbers(*source_, *adjacency, first, last);
}

status numbered_edges::set_counts(const std::vector<std::uint32_t>& counts) {
  const auto* adjacency = std::get_if<adjacency_layout>(&layout_);
  if (!adjacency) return {};
  reader_ = std::make_shared<const adjacency_reader>(*source_, *adjacency, counts, ignores_weights_);
  return reader_->check_size();
}

status numbered_edges::check_vertices(std::uint64_t first, std::uint64_t last) const {
  if (const auto* gap = std::get_if<gap_layout>(&layout_))
    return check_gap_offsets(*source_, *gap, first, last);
  return reader_ ? reader_->check_vertices(first, last) : status();
}

result<edge_list> numbered_edges::read(std::uint64_t first, std::uint64_t last) const {
  if (const auto* gap = std::get_if<gap_layout>(&layout_)) {
    auto list = read_gap_edges(*source_, *gap, first, last);
    if (list.ok() && ignores_weights_) list.value().weights = {};
    return list;
  }
  if (reader_) return reader_->read(first, last);
  packed_layout packed = std::get<packed_layout>(layout_);
  packed.weighted = weighted();
  return read_packed_edges(*source_, weights_.get(), packed, first, last);
}

result<edge_list> numbered_edges::read_all_edges() {
  const auto counts = count_blocks(0, blocks());
  if (!counts.ok()) return counts.status();
  if (status wrong = set_counts(counts.value()); !wrong.ok()) return wrong;
  if (status wrong = check_vertices(0, vertices().value_or(0)); !wrong.ok()) return wrong;
  return read(0, edges());
}

}  // namespace orujo::internal::formats
