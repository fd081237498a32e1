#include "framework/formats/orj_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "system/base/counted.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::array<unsigned char, 8> orj_magic = {0x89, 'O', 'R', 'J', '\r', '\n', 0x1a, '\n'};
constexpr std::uint32_t orj_byte_order = 0x01020304, swapped_byte_order = 0x04030201;
constexpr std::size_t sections_at = 128, layout_name_at = 96, layout_name_bytes = 32,
                      header_checksum_at = orj_page - 8, place_bytes = 24;

enum orj_flag : std::uint32_t {
  weighted_flag = 1,
  symmetric_flag = 2,
  no_loops_flag = 4,
  no_parallel_flag = 8
};

constexpr std::array<std::string_view, orj_sections> section_names = {
    "in_offsets",    "in_neighbours",  "in_high_bits", "in_weights", "out_offsets",   "out_neighbours",
    "out_high_bits", "out_weights",    "ids",          "layout",     "name_offsets",  "names",
    "vectors",       "vector_weights", "top_level",    "slices",     "source_bounds", "checksums"};

template <class Number>
Number get(std::span<const std::byte> bytes, std::size_t at) {
  Number value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

template <class Number>
void put(std::span<std::byte> bytes, std::size_t at, Number value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

std::uint64_t page_up(std::uint64_t bytes) { return (bytes + orj_page - 1) / orj_page * orj_page; }

// How large each section has to be; of numbers that are at most the bytes of a file. checksums comes last.
std::array<std::uint64_t, orj_sections> section_sizes(const orj_header& h, const orj_options& optional) {
  std::array<std::uint64_t, orj_sections> sizes{};
  const auto set = [&](orj_section s, std::uint64_t bytes) { sizes[static_cast<std::size_t>(s)] = bytes; };
  const auto set_rows = [&](orj_section first) {
    const auto at = static_cast<std::size_t>(first);
    sizes[at] = 8 * (h.vertices + 1);
    sizes[at + 1] = 4 * h.edges;
    sizes[at + 2] = h.has_high_bits() ? 4 * h.edges : 0;
    sizes[at + 3] = h.weighted ? 4 * h.edges : 0;
  };
  set_rows(orj_section::in_offsets);
  if (!h.symmetric) set_rows(orj_section::out_offsets);
  set(orj_section::ids, optional.ids ? 8 * h.vertices : 0);
  if (h.numbering == orj_numbering::table) set(orj_section::layout, (h.has_high_bits() ? 8 : 4) * h.vertices);
  set(orj_section::name_offsets, optional.names ? 8 * (h.vertices + 1) : 0);
  set(orj_section::names, optional.name_bytes);
  set(orj_section::vectors, 32 * h.vectors);
  set(orj_section::vector_weights, h.weighted ? 32 * h.vectors : 0);
  set(orj_section::top_level, 4 * ((h.vectors + 63) / 64));
  set(orj_section::slices, 24 * h.slices);
  set(orj_section::source_bounds, h.segments > 0 ? 4 * (h.segments + 1) : 0);
  std::uint64_t blocks = 0;
  for (const std::uint64_t bytes : sizes) blocks += blocks_of(bytes);
  set(orj_section::checksums, 8 * blocks);
  return sizes;
}

// Reads a header whose checksum is right.
class orj_header_reader {
 public:
  orj_header_reader(std::span<const std::byte> bytes, std::uint64_t file_bytes, const std::string& path)
      : bytes_(bytes), file_bytes_(file_bytes), path_(path) {}

  result<orj_header> run() {
    if (status failed = read_numbers(); !failed.ok()) return failed;
    if (status failed = read_places(); !failed.ok()) return failed;
    return read_;
  }

 private:
  status bad(std::uint64_t byte, std::string_view what, std::string_view where = "header") const {
    return orj_error(path_, byte, where, what);
  }

  // So small that no product of it and the size of a record overflows.
  status read_count(std::size_t at, const char* what, std::uint64_t least_bytes, std::uint64_t& into) {
    into = get<std::uint64_t>(bytes_, at);
    if (into <= file_bytes_ / least_bytes) return {};
    return bad(at, fmt::format("{} {} do not fit a file of {} bytes", into, what, file_bytes_));
  }

  status read_numbers() {
    const auto size = get<std::uint64_t>(bytes_, 16);
    if (size != file_bytes_)
      return bad(std::min(size, file_bytes_),
                 fmt::format("the file has {} bytes, but was written with {}", file_bytes_, size));
    read_.file_bytes = size;
    if (status s = read_count(24, "vertices", 8, read_.vertices); !s.ok()) return s;
    if (status s = read_count(32, "edges", 4, read_.edges); !s.ok()) return s;
    if (read_.vertices == 0 && read_.edges > 0)
      return bad(32, fmt::format("{} between no vertices", base::counted(read_.edges, "edge")));
    read_.first_id = get<std::uint64_t>(bytes_, 40);
    const auto flags = get<std::uint32_t>(bytes_, 48);
    if (flags > 15) return bad(48, fmt::format("unknown flags {:#x}", flags));
    read_.weighted = (flags & weighted_flag) != 0;
    read_.symmetric = (flags & symmetric_flag) != 0;
    read_.no_self_loops = (flags & no_loops_flag) != 0;
    read_.no_parallel_edges = (flags & no_parallel_flag) != 0;
    const auto numbering = get<std::uint32_t>(bytes_, 52);
    if (numbering > 2) return bad(52, fmt::format("unknown numbering {}", numbering));
    read_.numbering = static_cast<orj_numbering>(numbering);
    read_.seed = get<std::uint64_t>(bytes_, 56);
    if (status s = read_count(64, "vectors", 32, read_.vectors); !s.ok()) return s;
    if (status s = read_count(72, "slices", 24, read_.slices); !s.ok()) return s;
    if (status s = read_count(80, "segments", 4, read_.segments); !s.ok()) return s;
    read_.bundle_depth = get<std::uint32_t>(bytes_, 88);
    const bool even = read_.segments == 0 ? read_.slices == 0 && read_.vectors == 0
                                          : read_.slices > 0 && read_.slices % read_.segments == 0;
    if (!even)
      return bad(72, fmt::format("{} for {}", base::counted(read_.slices, "slice"),
                                 base::counted(read_.segments, "segment")));
    if (read_.bundle_depth > 255) return bad(88, fmt::format("a bundle depth of {}", read_.bundle_depth));
    const char* const name = reinterpret_cast<const char*>(bytes_.data()) + layout_name_at;
    read_.layout.assign(name, ::strnlen(name, layout_name_bytes));
    return {};
  }

  status read_places() {
    orj_options optional;
    for (std::size_t k = 0; k < orj_sections; ++k) {
      const std::size_t at = sections_at + k * place_bytes;
      read_.places[k] = {get<std::uint64_t>(bytes_, at), get<std::uint64_t>(bytes_, at + 8),
                         get<std::uint64_t>(bytes_, at + 16)};
      const orj_header::place& p = read_.places[k];
      if (p.first > file_bytes_ || p.bytes > file_bytes_ - p.first)
        return bad(at,
                   fmt::format("bytes {} to {} are beyond the end of a file of {}", p.first,
                               p.first + p.bytes, file_bytes_),
                   section_names[k]);
    }
    optional.ids = read_.has(orj_section::ids);
    optional.names = read_.has(orj_section::name_offsets);
    if (optional.ids && optional.names)
      return bad(sections_at + place_bytes * static_cast<std::size_t>(orj_section::name_offsets),
                 "is there as well as ids", "name_offsets");
    optional.name_bytes = optional.names ? read_[orj_section::names].bytes : 0;
    orj_header expected = read_;
    place_sections(expected, optional);
    for (std::size_t k = 0; k < orj_sections; ++k) {
      const std::size_t at = sections_at + k * place_bytes;
      const orj_header::place &p = read_.places[k], &e = expected.places[k];
      if (p.bytes != e.bytes)
        return bad(at + 8, fmt::format("has {} bytes, but the header's numbers require {}", p.bytes, e.bytes),
                   section_names[k]);
      if (p.first != e.first)
        return bad(at,
                   fmt::format("begins at byte {}, but the section before it ends at {}", p.first, e.first),
                   section_names[k]);
    }
    if (expected.file_bytes != file_bytes_)
      return bad(expected.file_bytes,
                 base::counted(file_bytes_ - expected.file_bytes, "byte") + " after the last section");
    return {};
  }

  std::span<const std::byte> bytes_;
  const std::uint64_t file_bytes_;
  const std::string& path_;
  orj_header read_;
};

}  // namespace

std::string_view name_of(orj_section section) { return section_names[static_cast<std::size_t>(section)]; }

std::uint64_t first_block_of(const orj_header& header, orj_section section) {
  std::uint64_t blocks = 0;
  for (std::size_t k = 0; k < static_cast<std::size_t>(section); ++k)
    blocks += blocks_of(header.places[k].bytes);
  return blocks;
}

void place_sections(orj_header& header, const orj_options& optional) {
  const auto sizes = section_sizes(header, optional);
  std::uint64_t at = orj_page;
  for (std::size_t k = 0; k < orj_sections; ++k) {
    orj_header::place& p = header.places[k];
    p = {sizes[k] > 0 ? at : 0, sizes[k], sizes[k] > 0 ? p.checksum : 0};
    at += page_up(sizes[k]);
  }
  header.file_bytes = at;
}

std::array<std::byte, orj_page> encode_header(const orj_header& h) {
  std::array<std::byte, orj_page> bytes{};
  std::memcpy(bytes.data(), orj_magic.data(), orj_magic.size());
  put(bytes, 8, orj_version);
  put(bytes, 12, orj_byte_order);
  put(bytes, 16, h.file_bytes);
  put(bytes, 24, h.vertices);
  put(bytes, 32, h.edges);
  put(bytes, 40, h.first_id);
  put(bytes, 48,
      (h.weighted ? weighted_flag : 0u) | (h.symmetric ? symmetric_flag : 0u) |
          (h.no_self_loops ? no_loops_flag : 0u) | (h.no_parallel_edges ? no_parallel_flag : 0u));
  put(bytes, 52, static_cast<std::uint32_t>(h.numbering));
  put(bytes, 56, h.seed);
  put(bytes, 64, h.vectors);
  put(bytes, 72, h.slices);
  put(bytes, 80, h.segments);
  put(bytes, 88, h.bundle_depth);
  std::memcpy(bytes.data() + layout_name_at, h.layout.data(), std::min(h.layout.size(), layout_name_bytes));
  for (std::size_t k = 0; k < orj_sections; ++k) {
    const std::size_t at = sections_at + k * place_bytes;
    put(bytes, at, h.places[k].first);
    put(bytes, at + 8, h.places[k].bytes);
    put(bytes, at + 16, h.places[k].checksum);
  }
  put(bytes, header_checksum_at, files::checksum(std::span(bytes).first(header_checksum_at)));
  return bytes;
}

bool is_orj(std::span<const std::byte> start) {
  return start.size() >= orj_magic.size() &&
         std::memcmp(start.data(), orj_magic.data(), orj_magic.size()) == 0;
}

result<orj_header> decode_header(std::span<const std::byte, orj_page> bytes, std::uint64_t file_bytes,
                                 const std::string& path) {
  if (!is_orj(bytes)) return orj_error(path, 0, "header", "this is not an .orj file");
  const auto order = get<std::uint32_t>(bytes, 12);
  if (order == swapped_byte_order)
    return orj_error(path, 12, "header", "the file is big-endian, which is not read");
  if (order != orj_byte_order) return orj_error(path, 12, "header", "the mark of the byte order is damaged");
  const auto version = get<std::uint32_t>(bytes, 8);
  if (version != orj_version)
    return orj_error(path, 8, "header",
                     fmt::format("its version is {}, but {} is read", version, orj_version));
  if (get<std::uint64_t>(bytes, header_checksum_at) != files::checksum(bytes.first(header_checksum_at)))
    return orj_error(path, 0, "header", "is damaged: its checksum differs");
  return orj_header_reader(bytes, file_bytes, path).run();
}

status orj_error(const std::string& path, std::uint64_t byte, std::string_view where, std::string_view what) {
  return {exit_status::bad_data, fmt::format("{}: byte {}: {}{}: {}; copy or convert the file again", path,
                                             byte, where == "header" ? "" : "section ", where, what)};
}

}  // namespace orujo::internal::formats
