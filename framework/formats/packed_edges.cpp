#include "framework/formats/packed_edges.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cmath>
#include <string_view>

#include "framework/formats/record_stream.hpp"
#include "framework/formats/source_bytes.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

status bad_packed(const byte_source& source, std::string_view what) {
  return {exit_status::bad_data, fmt::format("{}: {}", source.path(), what)};
}

status check_packed_size(const byte_source& source, std::uint64_t record, std::string_view what) {
  if (!source.seekable())
    return bad_packed(source, fmt::format("compressed {} cannot be read: decompress them first", what));
  if (source.size() % record == 0) return {};
  return bad_packed(source,
                    fmt::format("byte {}: the file ends in the middle of a record; {} take {} bytes each",
                                source.size(), what, record));
}

edge unpack(const char* record) {
  const std::uint64_t high = number_at<std::uint32_t>(record + 8);
  return {number_at<std::uint32_t>(record) | (high & 0xffff) << 32,
          number_at<std::uint32_t>(record + 4) | (high >> 16) << 32};
}

}  // namespace

std::string packed_weights_path(const std::string& path) { return path + ".weights"; }

result<std::unique_ptr<byte_source>> open_packed_weights(const std::string& path) {
  struct stat about {};
  if (::stat(packed_weights_path(path).c_str(), &about) != 0) return std::unique_ptr<byte_source>();
  return open_source(packed_weights_path(path));
}

result<packed_layout> find_packed_layout(const byte_source& source, const byte_source* weights,
                                         std::optional<unsigned> scale) {
  if (status wrong = check_packed_size(source, packed_edge_bytes, "packed edges"); !wrong.ok()) return wrong;
  const packed_layout layout{source.size() / packed_edge_bytes, weights != nullptr, scale};
  if (layout.edges == 0) return bad_packed(source, "no edges; packed edges take 12 bytes each");
  if (!layout.weighted) return layout;
  if (status wrong = check_packed_size(*weights, packed_weight_bytes, "weights"); !wrong.ok()) return wrong;
  const std::uint64_t count = weights->size() / packed_weight_bytes;
  if (count == layout.edges) return layout;
  return bad_packed(*weights, fmt::format("{} for the {} of {}", base::counted(count, "weight"),
                                          base::counted(layout.edges, "edge"), source.path()));
}

result<edge_list> read_packed_edges(byte_source& source, byte_source* weights, const packed_layout& layout,
                                    std::uint64_t first, std::uint64_t last) {
  edge_list list;
  if (first >= last) return list;
  const auto bad_record = [](const byte_source& of, std::uint64_t byte, const std::string& what) {
    return bad_packed(of, fmt::format("byte {}: {}", byte, what));
  };
  const std::uint64_t most = layout.scale ? (std::uint64_t{1} << *layout.scale) - 1 : most_packed_id;
  record_stream records(source, first * packed_edge_bytes, packed_edge_bytes, last - first);
  list.edges.reserve(last - first);
  if (layout.weighted) list.weights.reserve(last - first);
  std::optional<record_stream> weight_records;
  if (layout.weighted)
    weight_records.emplace(*weights, first * packed_weight_bytes, packed_weight_bytes, last - first);
  for (std::uint64_t k = first; k < last; ++k) {
    const auto record = records.next();
    if (!record.ok()) return record.status();
    const edge e = unpack(record.value());
    if (const std::uint64_t larger = std::max(e.source, e.target); larger > most) {
      return bad_record(source, records.byte(),
                        fmt::format("{} is not a vertex; expected one from 0 to {}{}", larger, most,
                                    layout.scale ? ", as --graph500_scale says" : ""));
    }
    list.edges.push_back(e);
    if (!layout.weighted) continue;
    const auto weight = weight_records->next();
    if (!weight.ok()) return weight.status();
    list.weights.push_back(number_at<float>(weight.value()));
    if (!std::isfinite(list.weights.back()))
      return bad_record(*weights, weight_records->byte(), "the weight is not finite");
  }
  return list;
}

void append_packed_edge(std::string& to, const edge& e) {
  append_number(to, static_cast<std::uint32_t>(e.source));
  append_number(to, static_cast<std::uint32_t>(e.target));
  append_number(to, static_cast<std::uint32_t>((e.source >> 32) | (e.target >> 32) << 16));
}

}  // namespace orujo::internal::formats
