#include "framework/graph/store/orj/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/formats/source_bytes.hpp"
#include "framework/graph/store/orj/rows.hpp"

namespace orujo::graph {
namespace {

using formats::orj_header;
using formats::orj_section;

// The last vertex whose edges begin at `edge` or before, as the offsets say, which nobody has checked yet.
result<std::uint64_t> row_of_edge(formats::byte_source& source, const orj_header& header,
                                  std::uint64_t edge) {
  std::uint64_t first = 0, last = header.vertices;
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    std::uint64_t offset = 0;
    if (status failed =
            formats::read_all(source, header[orj_section::in_offsets].first + middle * sizeof(offset),
                              std::as_writable_bytes(std::span(&offset, 1)));
        !failed.ok())
      return failed;
    (offset <= edge ? first : last) = middle;
  }
  return first;
}

}  // namespace

result<edge_list> read_orj_edges(formats::byte_source& source, const orj_header& header,
                                 const numbering& numbers, std::uint64_t first, std::uint64_t last) {
  edge_list list;
  if (first >= last) return list;
  const auto first_row = row_of_edge(source, header, first), last_row = row_of_edge(source, header, last - 1);
  if (!first_row.ok()) return first_row.status();
  if (!last_row.ok()) return last_row.status();
  const loops::index_range vertices{first_row.value(), std::max(first_row.value(), last_row.value()) + 1};
  auto read = read_orj_offsets(source, header, orj_rows_of::in_edges, vertices);
  if (!read.ok()) return read.status();
  const std::span<std::uint64_t> offsets = read.value().part(0, vertices.size() + 1);
  if (offsets.front() > first || offsets.back() < last)
    return formats::orj_error(source.path(),
                              header[orj_section::in_offsets].first + vertices.first * sizeof(std::uint64_t),
                              name_of(orj_section::in_offsets), "the offsets do not ascend");
  for (std::uint64_t& offset : offsets) offset = std::clamp(offset, first, last);
  auto reader = orj_edge_reader::open(source, header, orj_rows_of::in_edges, offsets, weight_rule::any);
  if (!reader.ok()) return reader.status();
  const std::uint64_t edges = last - first;
  machine::huge_array<std::uint32_t> low(edges), high(header.has_high_bits() ? edges : 0);
  if (status failed = reader.value().read_neighbours(low.part(0, edges), high.part(0, high.size()));
      !failed.ok())
    return failed;
  if (header.weighted) {
    list.weights.resize(edges);
    if (status failed = reader.value().read_weights(list.weights); !failed.ok()) return failed;
  }
  list.edges.reserve(edges);
  for (std::size_t row = 0; row < vertices.size(); ++row) {
    const std::uint64_t target = numbers.position(vertices.first + row);
    for (std::uint64_t k = offsets[row] - first; k < offsets[row + 1] - first; ++k) {
      const std::uint64_t source_number = low[k] | (high.size() == 0 ? 0 : std::uint64_t{high[k]} << 32);
      list.edges.push_back({numbers.position(source_number), target});
    }
  }
  return list;
}

result<std::shared_ptr<const std::vector<std::uint64_t>>> read_orj_id_table(formats::byte_source& source,
                                                                            const orj_header& header,
                                                                            const numbering& numbers) {
  if (!header.has(orj_section::ids)) return std::shared_ptr<const std::vector<std::uint64_t>>();
  auto table = std::make_shared<std::vector<std::uint64_t>>(header.vertices);
  if (status failed = read_orj_ids(source, header, 0, *table); !failed.ok()) return failed;
  if (!numbers.is_identity()) {
    const std::vector<std::uint64_t> by_number =
        std::exchange(*table, std::vector<std::uint64_t>(header.vertices));
    for (std::uint64_t v = 0; v < by_number.size(); ++v) (*table)[numbers.position(v)] = by_number[v];
  }
  const auto descent = std::adjacent_find(table->begin(), table->end(), std::greater_equal<>());
  if (descent != table->end())
    return formats::orj_error(source.path(), header[orj_section::ids].first, name_of(orj_section::ids),
                              fmt::format("id {} follows {} in the order of the positions, but they ascend",
                                          descent[1], descent[0]));
  return std::shared_ptr<const std::vector<std::uint64_t>>(std::move(table));
}

}  // namespace orujo::graph
