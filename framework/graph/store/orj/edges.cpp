#include "framework/graph/store/orj/edges.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/formats/source_bytes.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;

// The last vertex whose edges begin at `edge` or before, by offsets that are checked.
result<std::uint64_t> row_of_edge(formats::byte_source& source, const orj_header& header, orj_rows_of which,
                                  std::uint64_t edge) {
  const std::uint64_t begin = header[section_of(which, orj_section::in_offsets)].first;
  std::uint64_t first = 0, last = header.vertices;
  while (last - first > 1) {
    const std::uint64_t middle = first + (last - first) / 2;
    std::uint64_t offset = 0;
    if (status failed = formats::read_all(source, begin + middle * sizeof(offset),
                                          std::as_writable_bytes(std::span(&offset, 1)));
        !failed.ok())
      return failed;
    (offset <= edge ? first : last) = middle;
  }
  return first;
}

// Edges [first, last) of one direction.
class edge_range_reader {
 public:
  // Reads the offsets of their rows.
  static result<edge_range_reader> open(formats::byte_source& source, const orj_header& header,
                                        orj_rows_of which, weight_rule rule, index_range edges) {
    edge_range_reader made(header, which, edges);
    const auto first_row = row_of_edge(source, header, which, edges.first);
    if (!first_row.ok()) return first_row.status();
    const auto last_row = row_of_edge(source, header, which, edges.last - 1);
    if (!last_row.ok()) return last_row.status();
    made.first_row_ = first_row.value();
    auto offsets = read_orj_offsets(source, header, which, {made.first_row_, last_row.value() + 1});
    if (!offsets.ok()) return offsets.status();
    made.offsets_ = std::move(offsets).value();
    if (made.all_offsets().front() > edges.first || made.all_offsets().back() < edges.last) {
      const orj_section section = section_of(which, orj_section::in_offsets);
      return formats::orj_error(source.path(),
                                header[section].first + made.first_row_ * sizeof(std::uint64_t),
                                name_of(section), "the offsets do not ascend");
    }
    // The one before the first of its row, too, as neighbours ascend.
    made.before_ = made.all_offsets().front() < edges.first ? 1 : 0;
    for (std::uint64_t& offset : made.all_offsets())
      offset = std::clamp<std::uint64_t>(offset, edges.first - made.before_, edges.last);
    auto reader = orj_edge_reader::open(source, header, which, made.all_offsets(), rule);
    if (!reader.ok()) return reader.status();
    made.reader_.emplace(std::move(reader).value());
    return made;
  }

  status read_neighbours() {
    low_ = machine::huge_array<std::uint32_t>(size());
    high_ = machine::huge_array<std::uint32_t>(header_->has_high_bits() ? size() : 0);
    return reader_->read_neighbours(low_.part(0, size()), high_.part(0, high_.size()));
  }
  status read_weights(formats::edge_list& into) {
    if (!header_->weighted) return {};
    into.weights.resize(size());
    const status failed = reader_->read_weights(into.weights);
    into.weights.erase(into.weights.begin(), into.weights.begin() + static_cast<std::ptrdiff_t>(before_));
    return failed;
  }
  // By positions.
  void append_edges(const numbering& numbers, formats::edge_list& into) {
    const std::span<const std::uint64_t> offsets = all_offsets();
    into.edges.reserve(edges_.size());
    for (std::size_t row = 0; row + 1 < offsets.size(); ++row) {
      const std::uint64_t here = numbers.position(first_row_ + row);
      for (std::uint64_t k = std::max<std::uint64_t>(offsets[row], edges_.first); k < offsets[row + 1]; ++k) {
        const std::uint64_t at = k - offsets[0];
        const std::uint64_t there = low_[at] | (high_.size() == 0 ? 0 : std::uint64_t{high_[at]} << 32);
        const edge e{numbers.position(there), here};
        into.edges.push_back(which_ == orj_rows_of::in_edges ? e : edge{e.target, e.source});
      }
    }
  }

 private:
  edge_range_reader(const orj_header& header, orj_rows_of which, index_range edges)
      : header_(&header), which_(which), edges_(edges) {}
  std::size_t size() const { return edges_.size() + before_; }
  std::span<std::uint64_t> all_offsets() { return offsets_.part(0, offsets_.size()); }

  const orj_header* header_;
  orj_rows_of which_;
  index_range edges_;
  std::uint64_t first_row_ = 0, before_ = 0;
  machine::huge_array<std::uint64_t> offsets_;
  machine::huge_array<std::uint32_t> low_, high_;
  std::optional<orj_edge_reader> reader_;
};

}  // namespace

result<formats::edge_list> read_orj_edges(formats::byte_source& source, const orj_header& header,
                                          const numbering& numbers, orj_rows_of which, weight_rule rule,
                                          const orj_share& share) {
  const auto checked = read_orj_offsets(source, header, which, share.of(header.vertices), share.agree);
  if (!checked.ok()) return checked.status();
  formats::edge_list list;
  const index_range mine = share.of(header.edges);
  std::optional<edge_range_reader> reader;
  status failed;
  if (mine.size() > 0) {
    auto opened = edge_range_reader::open(source, header, which, rule, mine);
    failed = opened.status();
    if (failed.ok()) reader.emplace(std::move(opened).value());
  }
  if (reader) failed = reader->read_neighbours();
  if (failed = share.agree(failed); !failed.ok()) return failed;
  if (reader) failed = reader->read_weights(list);
  if (failed = share.agree(failed); !failed.ok()) return failed;
  if (reader) reader->append_edges(numbers, list);
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
  return std::shared_ptr<const std::vector<std::uint64_t>>(std::move(table));
}

}  // namespace orujo::internal::graph
