// Properties of any .orj file. The bytes stand for the numbers of a file, which gets the right checksums,
// because no fuzzer finds those.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "framework/graph/store/orj/edges.hpp"
#include "framework/graph/store/orj/names.hpp"
#include "framework/graph/store/orj/rows.hpp"
#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/orj_image.hpp"

namespace orujo::internal::fuzz {

// Hands out bytes; zeros when there are no more.
class byte_feed {
 public:
  explicit byte_feed(std::string_view bytes) : bytes_(bytes) {}
  std::uint8_t next() {
    if (bytes_.empty()) return 0;
    const char first = bytes_.front();
    bytes_.remove_prefix(1);
    return static_cast<std::uint8_t>(first);
  }
  // Small ones as they are; the largest byte is the largest number.
  template <class Number>
  Number number() {
    const std::uint8_t byte = next();
    return byte == 255 ? std::numeric_limits<Number>::max() : static_cast<Number>(byte);
  }
  float weight() {
    const std::uint8_t byte = next();
    return byte == 255 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(byte);
  }
  template <class Number>
  std::string numbers(std::size_t count) {
    std::vector<Number> all;
    for (std::size_t k = 0; k < count; ++k) all.push_back(number<Number>());
    return formats::bytes_of(all);
  }
  std::string weights(std::size_t count) {
    std::vector<float> all;
    for (std::size_t k = 0; k < count; ++k) all.push_back(weight());
    return formats::bytes_of(all);
  }

 private:
  std::string_view bytes_;
};

// flags (1 weighted, 2 symmetric, 4 ids, 8 an order, 16 names) | vertices % 32 | edges % 64 | bit to flip, or
// 0 | in_offsets | in_neighbours | in_weights | out_.. | ids | layout | name_offsets | length of names, a
// byte for each number | names
inline std::string orj_file_of(std::string_view bytes) {
  using formats::orj_section;
  byte_feed feed(bytes);
  formats::orj_image image;
  formats::orj_header& h = image.header;
  const unsigned flags = feed.next();
  h.weighted = (flags & 1) != 0;
  h.symmetric = (flags & 2) != 0;
  h.vertices = feed.next() % 32;
  h.edges = feed.next() % 64;
  const std::size_t flipped = feed.next();
  const auto rows = [&](orj_section offsets, orj_section neighbours, orj_section weights) {
    image.sections[offsets] = feed.numbers<std::uint64_t>(h.vertices + 1);
    image.sections[neighbours] = feed.numbers<std::uint32_t>(h.edges);
    if (h.weighted) image.sections[weights] = feed.weights(h.edges);
  };
  rows(orj_section::in_offsets, orj_section::in_neighbours, orj_section::in_weights);
  if (!h.symmetric) rows(orj_section::out_offsets, orj_section::out_neighbours, orj_section::out_weights);
  if ((flags & 4) != 0) image.sections[orj_section::ids] = feed.numbers<std::uint64_t>(h.vertices);
  if ((flags & 8) != 0) {
    h.numbering = formats::orj_numbering::table;
    image.sections[orj_section::layout] = feed.numbers<std::uint32_t>(h.vertices);
  }
  if ((flags & 16) != 0) {
    image.sections[orj_section::name_offsets] = feed.numbers<std::uint64_t>(h.vertices + 1);
    image.sections[orj_section::names] = feed.numbers<std::uint8_t>(feed.next());
  }
  std::string file = image.file();
  if (flipped > 0) file[flipped * 257 % file.size()] ^= static_cast<char>(1 << flipped % 8);
  return file;
}

// The edges of a file by `readers` readers, or the reason why there are none.
struct orj_reading {
  exit_status code = exit_status::ok;
  std::string error;
  formats::edge_list list;
  std::vector<std::string> names;
  friend bool operator==(const orj_reading&, const orj_reading&) = default;
};

inline orj_reading read_orj(const std::string& file, std::uint64_t parts) {
  formats::memory_source source(file);
  orj_reading read;
  const auto fails = [&](const status& s) {
    if (!s.ok()) read = {s.code(), s.message(), {}, {}};
    return !s.ok();
  };
  const auto header = formats::find_orj_header(source);
  if (fails(header.status())) return read;
  if (!header.value()) return {exit_status::bad_data, "no .orj file", {}, {}};
  const formats::orj_header& h = *header.value();
  const auto numbers = graph::numbering_of(source, h);
  if (fails(numbers.status())) return read;
  const auto ids = graph::read_orj_id_table(source, h, numbers.value());
  if (fails(ids.status())) return read;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const graph::orj_share share{part, parts};
    const auto some = graph::read_orj_edges(source, h, numbers.value(), graph::orj_rows_of::in_edges,
                                            graph::weight_rule::any, share);
    if (fails(some.status())) return read;
    const formats::edge_list& list = some.value();
    read.list.edges.insert(read.list.edges.end(), list.edges.begin(), list.edges.end());
    read.list.weights.insert(read.list.weights.end(), list.weights.begin(), list.weights.end());
    if (!graph::has_names(h)) continue;
    const auto names = graph::read_orj_names(source, h, share.of(h.vertices));
    if (fails(names.status())) return read;
    for (std::size_t k = 0; k < names.value().size(); ++k) read.names.emplace_back(names.value()[k]);
  }
  for (const auto which : {graph::orj_rows_of::in_edges, graph::orj_rows_of::out_edges}) {
    if (h.symmetric && which == graph::orj_rows_of::out_edges) break;
    if (fails(graph::read_orj_rows(source, h, which, {0, h.vertices}, graph::weight_rule::any).status()))
      return read;
  }
  return read;
}

// As broken_property() of reader_properties.hpp.
inline std::string broken_orj_property(std::string_view bytes) {
  const std::string file = orj_file_of(bytes);
  const orj_reading whole = read_orj(file, 1);
  if (whole.code != exit_status::ok && (whole.code != exit_status::bad_data || whole.error.empty()))
    return "no bad_data: " + whole.error;
  for (const std::uint64_t parts : {2, 3}) {
    const orj_reading again = read_orj(file, parts);
    if (again.code != whole.code) return "cut into " + std::to_string(parts) + " parts: " + again.error;
    if (whole.code == exit_status::ok && again != whole)
      return "other edges in " + std::to_string(parts) + " parts";
  }
  if (whole.code != exit_status::ok) return "";
  const auto header =
      formats::decode_header(std::as_bytes(std::span(file)).first<formats::orj_page>(), file.size(), "F");
  if (whole.list.edges.size() != header.value().edges) return "edges are missing";
  for (const edge& e : whole.list.edges) {
    if (e.source >= header.value().vertices || e.target >= header.value().vertices) return "no vertex";
  }
  return "";
}

}  // namespace orujo::internal::fuzz
