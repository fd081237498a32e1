#include "framework/graph/store/orj/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

// Facts about the neighbours of a block.
struct neighbour_facts {
  std::uint64_t descents = 0;  // how many are smaller than the one before them
  bool too_large = false;      // any
};

neighbour_facts look_at_neighbours(std::span<const std::uint32_t> values, std::uint64_t vertices) {
  using lanes [[gnu::vector_size(16)]] = std::int32_t;           // as every x86-64 has them
  constexpr std::size_t width = 4, step = std::size_t{1} << 20;  // the counts fit their lanes
  neighbour_facts found;
  std::size_t k = 0;
  if (!values.empty()) {
    found.too_large = values[0] >= vertices;
    k = 1;
  }
  // Signed comparisons are as good as long as no value has 32 bits; one that has is too large.
  while (vertices <= std::uint64_t{1} << 31 && values.size() - k >= width) {
    lanes count{}, large{};
    const auto most = static_cast<std::int32_t>(vertices - 1);
    for (const std::size_t end = std::min(values.size(), k + step); k + width <= end; k += width) {
      lanes now, before;
      std::memcpy(&now, values.data() + k, sizeof now);
      std::memcpy(&before, values.data() + k - 1, sizeof before);
      count -= now < before;
      large |= now | (most - now);
    }
    for (std::size_t i = 0; i < width; ++i) {
      found.descents += static_cast<std::uint32_t>(count[i]);
      found.too_large |= large[i] < 0;
    }
  }
  for (; k < values.size(); ++k) {
    found.descents += values[k] < values[k - 1] ? 1 : 0;
    found.too_large |= values[k] >= vertices;
  }
  return found;
}

}  // namespace

orj_section section_of(orj_rows_of which, orj_section of_in_edges) {
  const auto in_sections = static_cast<int>(orj_section::out_offsets);
  const int at = static_cast<int>(of_in_edges) + (which == orj_rows_of::in_edges ? 0 : in_sections);
  return static_cast<orj_section>(at);
}

namespace {

// The first of the offsets of `vertices` that is none: each is at most the number of edges, and as large as
// the one before it.
status check_offsets(const orj_section_reader& reader, std::span<const std::uint64_t> offsets,
                     const orj_header& header, index_range vertices) {
  const auto bad = [&](std::size_t row, std::string_view what) {
    return reader.error((vertices.first + row) * sizeof(std::uint64_t), what);
  };
  const auto wrong_count = [&](std::size_t row) {
    return bad(row, fmt::format("counts {} edges where the header has {}", offsets[row], header.edges));
  };
  if (vertices.first == 0 && offsets[0] != 0) return bad(0, "does not begin with 0");
  // None has the highest bit, nor does a difference.
  std::uint64_t wrong = header.edges | offsets[0] | (header.edges - offsets[0]);
  for (std::size_t row = 0; row < vertices.size(); ++row)
    wrong |= offsets[row + 1] | (offsets[row + 1] - offsets[row]) | (header.edges - offsets[row + 1]);
  for (std::size_t row = 0; row <= vertices.size() && wrong >> 63 != 0; ++row) {
    if (offsets[row] > header.edges) return wrong_count(row);
    if (row > 0 && offsets[row] < offsets[row - 1])
      return bad(row, fmt::format("{} follows {}, but they must ascend", offsets[row], offsets[row - 1]));
  }
  const bool ends_short = vertices.last == header.vertices && offsets[vertices.size()] != header.edges;
  return ends_short ? wrong_count(vertices.size()) : status();
}

}  // namespace

result<machine::huge_array<std::uint64_t>> read_orj_offsets(formats::byte_source& source,
                                                            const orj_header& header, orj_rows_of which,
                                                            index_range vertices,
                                                            const orj_agreement& agree) {
  machine::huge_array<std::uint64_t> offsets;
  const orj_section section = section_of(which, orj_section::in_offsets);
  auto reader = orj_section_reader::open(source, header, section);
  status failed = reader.status();
  if (failed.ok() && vertices.size() > 0) {
    if (const auto all = formats::mapped_values<std::uint64_t>(source, header, section); !all.empty()) {
      offsets = machine::huge_array<std::uint64_t>::borrow(all.subspan(vertices.first, vertices.size() + 1),
                                                           {std::shared_ptr<const void>(), &source});
    } else {
      offsets = machine::huge_array<std::uint64_t>(vertices.size() + 1);
    }
    failed = reader.value().read_values(vertices.first, offsets.part(0, offsets.size()));
  }
  if (failed = agree(failed); !failed.ok()) return failed;
  if (vertices.size() > 0)
    failed = check_offsets(reader.value(), offsets.part(0, offsets.size()), header, vertices);
  if (failed = agree(failed); !failed.ok()) return failed;
  return offsets;
}

result<orj_edge_reader> orj_edge_reader::open(formats::byte_source& source, const orj_header& header,
                                              orj_rows_of which, std::span<const std::uint64_t> offsets,
                                              weight_rule rule) {
  orj_edge_reader made(header, offsets, rule);
  made.large_ = header.has_high_bits();
  made.weighted_ = header.weighted;
  std::vector<orj_section> wanted{orj_section::in_neighbours};
  if (made.large_) wanted.push_back(orj_section::in_high_bits);
  if (made.weighted_) wanted.push_back(orj_section::in_weights);
  for (const orj_section s : wanted) {
    auto reader = orj_section_reader::open(source, header, section_of(which, s));
    if (!reader.ok()) return reader.status();
    made.readers_.push_back(std::move(reader).value());
  }
  return made;
}

// Within a row neighbours ascend: a smaller one than before begins a row.
status orj_edge_reader::check_neighbours(std::uint64_t first, std::span<const std::uint32_t> some,
                                         std::uint32_t before) {
  const neighbour_facts facts = look_at_neighbours(some, vertices_);
  std::uint64_t descents = facts.descents + (some[0] < before ? 1 : 0);
  const std::uint64_t last = first + some.size();
  std::size_t row = next_row_;
  for (; row < offsets_.size() && offsets_[row] < last; ++row) {
    const std::uint64_t begin = offsets_[row];
    if (begin > first) {
      const std::uint32_t* const at = some.data() + (begin - first);
      const bool not_empty = row + 1 == offsets_.size() || offsets_[row + 1] != begin;
      descents -= static_cast<unsigned>(at[0] < at[-1]) & static_cast<unsigned>(not_empty);
    } else if (begin == first && offsets_[row + 1] != begin) {
      descents -= some[0] < before ? 1 : 0;
    }
  }
  next_row_ = row;
  if (descents == 0 && !facts.too_large) return {};
  for (std::size_t k = 0; k < some.size(); ++k) {
    if (some[k] >= vertices_)
      return readers_[0].error((first + k) * sizeof(std::uint32_t),
                               fmt::format("neighbour {} is not one of {} vertices", some[k], vertices_));
    const std::uint32_t previous = k == 0 ? before : some[k - 1];
    if (some[k] < previous && !std::binary_search(offsets_.begin(), offsets_.end(), first + k))
      return readers_[0].error(
          (first + k) * sizeof(std::uint32_t),
          fmt::format("neighbour {} follows {}, but they must ascend", some[k], previous));
  }
  return readers_[0].error(first * sizeof(std::uint32_t), "its neighbours do not ascend");
}

status orj_edge_reader::check_large(std::span<const std::uint32_t> low,
                                    std::span<const std::uint32_t> high) const {
  for (std::size_t row = 0; row + 1 < offsets_.size(); ++row) {
    std::uint64_t before = 0;
    for (std::uint64_t k = offsets_[row] - offsets_[0]; k < offsets_[row + 1] - offsets_[0]; ++k) {
      const std::uint64_t neighbour = low[k] | std::uint64_t{high[k]} << 32;
      if (neighbour >= vertices_ || neighbour < before)
        return readers_[1].error((offsets_[0] + k) * sizeof(std::uint32_t),
                                 fmt::format("neighbour {} follows {} of {} vertices, but they must ascend",
                                             neighbour, before, vertices_));
      before = neighbour;
    }
  }
  return {};
}

status orj_edge_reader::check_weights(std::uint64_t first, std::span<const float> some) const {
  constexpr float most = std::numeric_limits<float>::max();
  const float least = rule_ == weight_rule::non_negative ? 0 : -most;
  const auto bad = [=](float weight) { return !(weight >= least && weight <= most); };
  unsigned wrong = 0;
  for (const float weight : some) wrong |= bad(weight) ? 1u : 0u;
  if (wrong == 0) return {};
  const auto at = static_cast<std::size_t>(std::find_if(some.begin(), some.end(), bad) - some.begin());
  return readers_.back().error(
      (first + at) * sizeof(float),
      fmt::format("the weight {} is not {}", some[at], rule_ == weight_rule::any ? "finite" : "at least 0"));
}

status orj_edge_reader::read_neighbours(std::span<std::uint32_t> into, std::span<std::uint32_t> high_bits) {
  if (into.empty()) return {};
  const std::uint64_t base = offsets_.front();
  next_row_ = 0;
  if (large_) {
    if (status failed = readers_[0].read_values(base, into); !failed.ok()) return failed;
    if (status failed = readers_[1].read_values(base, high_bits); !failed.ok()) return failed;
    return check_large(into, high_bits);
  }
  return readers_[0].read_values(base, into, [&](std::uint64_t first_byte, std::uint64_t last_byte) {
    const std::uint64_t first = first_byte / sizeof(std::uint32_t), last = last_byte / sizeof(std::uint32_t);
    const std::span<const std::uint32_t> some = into.subspan(first - base, last - first);
    return check_neighbours(first, some, first == base ? 0 : into[first - base - 1]);
  });
}

status orj_edge_reader::read_weights(std::span<float> into) {
  if (into.empty()) return {};
  const std::uint64_t base = offsets_.front();
  return readers_.back().read_values(base, into, [&](std::uint64_t first_byte, std::uint64_t last_byte) {
    const std::uint64_t first = first_byte / sizeof(float), last = last_byte / sizeof(float);
    return check_weights(first, into.subspan(first - base, last - first));
  });
}

status orj_edge_reader::read_arcs(std::span<arc> into) {
  if (into.empty()) return {};
  constexpr std::uint64_t edges_of_block = formats::orj_block_bytes / sizeof(std::uint32_t);
  std::vector<std::uint32_t> neighbours(edges_of_block);
  std::vector<float> weights(edges_of_block);
  const std::uint64_t base = offsets_.front(), end = offsets_.back();
  next_row_ = 0;
  for (std::uint64_t at = base; at < end;) {
    const std::uint64_t last = std::min(end, (at / edges_of_block + 1) * edges_of_block);
    const auto some = std::span(neighbours).first(last - at);
    const auto their_weights = std::span(weights).first(last - at);
    if (status failed = readers_[0].read_values(at, some); !failed.ok()) return failed;
    const std::uint32_t before = at == base ? 0 : into[at - base - 1].neighbour;
    if (status failed = check_neighbours(at, some, before); !failed.ok()) return failed;
    if (status failed = readers_.back().read_values(at, their_weights); !failed.ok()) return failed;
    if (status failed = check_weights(at, their_weights); !failed.ok()) return failed;
    for (std::size_t k = 0; k < some.size(); ++k) into[at - base + k] = {some[k], their_weights[k]};
    at = last;
  }
  return {};
}

result<rows> read_orj_rows(formats::byte_source& source, const orj_header& header, orj_rows_of which,
                           index_range vertices, weight_rule rule, const orj_agreement& agree) {
  auto offsets = read_orj_offsets(source, header, which, vertices, agree);
  if (!offsets.ok()) return offsets.status();
  rows made;
  made.first_vertex = vertices.first;
  made.offsets = std::move(offsets).value();
  if (vertices.size() == 0) made.offsets = machine::huge_array<std::uint64_t>(1);
  const std::span<std::uint64_t> all = made.offsets.part(0, made.offsets.size());
  auto reader = orj_edge_reader::open(source, header, which, all, rule);
  status failed = reader.status();
  const std::uint64_t edges = failed.ok() ? reader.value().edges() : 0;
  made.neighbours = machine::huge_array<std::uint32_t>(edges);
  if (header.has_high_bits()) made.high_bits = machine::huge_array<std::uint32_t>(edges);
  if (failed.ok())
    failed = reader.value().read_neighbours(made.neighbours.part(0, edges),
                                            made.high_bits.part(0, made.high_bits.size()));
  if (failed = agree(failed); !failed.ok()) return failed;
  if (header.weighted) {
    made.weights = machine::huge_array<float>(edges);
    failed = reader.value().read_weights(made.weights.part(0, edges));
  }
  if (failed = agree(failed); !failed.ok()) return failed;
  const std::uint64_t base = all[0];
  for (std::uint64_t& offset : all) offset -= base;
  return made;
}

status read_orj_ids(formats::byte_source& source, const orj_header& header, std::uint64_t first_vertex,
                    std::span<std::uint64_t> into, const orj_agreement& agree) {
  auto reader = orj_section_reader::open(source, header, orj_section::ids);
  status failed = reader.status();
  std::uint64_t before = 0;
  const bool has_before = first_vertex > 0 && !into.empty();
  if (failed.ok() && has_before) failed = reader.value().read_values(first_vertex - 1, std::span(&before, 1));
  if (failed.ok()) failed = reader.value().read_values(first_vertex, into);
  if (failed = agree(failed); !failed.ok()) return failed;
  for (std::size_t k = has_before ? 0 : 1;
       header.numbering == formats::orj_numbering::positions && k < into.size() && failed.ok(); ++k) {
    const std::uint64_t last = k == 0 ? before : into[k - 1];
    if (into[k] <= last)
      failed = reader.value().error((first_vertex + k) * sizeof(std::uint64_t),
                                    fmt::format("id {} follows {}, but they must ascend", into[k], last));
  }
  return agree(failed);
}

result<numbering> numbering_of(formats::byte_source& source, const orj_header& header) {
  switch (header.numbering) {
    case formats::orj_numbering::positions:
      return numbering();
    case formats::orj_numbering::scattered:
      return numbering::scattered(header.vertices, header.seed);
    case formats::orj_numbering::table:
      break;
  }
  if (header.vertices == 0) return numbering();
  auto reader = orj_section_reader::open(source, header, orj_section::layout);
  if (!reader.ok()) return reader.status();
  index_array positions(header.vertices, header.vertices);
  if (status failed = reader.value().read(0, positions.bytes()); !failed.ok()) return failed;
  const auto table = make_number_table(std::move(positions), "its table");
  if (!table.ok()) return reader.value().error(0, table.status().message());
  return numbering::of_table(table.value());
}

}  // namespace orujo::internal::graph
