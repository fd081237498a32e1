// The header of .orj, our own binary graph files, and where their sections lie.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

// Little-endian. A header of 4096 bytes, then the sections in the order of orj_section, those that are there,
// each at the next multiple of 4096 and its last page filled up with zeros. The file ends with the last
// page.
//
//   byte     0  89 'O' 'R' 'J' 0d 0a 1a 0a              as PNG does: shows what a transfer as text has done
//            8  u32  version, 1
//           12  u32  0x01020304
//           16  u64  bytes of the file
//           24  u64  vertices n
//           32  u64  edges m, in both directions where symmetric
//           40  u64  first id: vertex ids are positions + this, unless there is a section of ids
//           48  u32  flags: 1 weighted, 2 symmetric, 4 has no self-loops, 8 has no parallel edges
//           52  u32  numbering: 0 numbers are positions, 1 scattered with the seed, 2 by the section `layout`
//           56  u64  seed
//           64  u64  vectors, 72 u64 slices, 80 u64 segments, 88 u32 bundle depth: all 0 without
//           Vector-Sparse 92  u32  0 96  32 bytes  name of the layout, filled up with zeros
//          128  of each section u64 first byte, u64 bytes, u64 checksum (0 of `checksums`); all 0 where it is
//          not there
//         ...   0
//         4088  u64  checksum of the 4088 bytes before
//
// Vertices stand in the order of their numbers (graph/numbering.hpp), and are meant by them. The section
// `checksums` has one for every block of 256 KiB of every section before it. The last block of a section may
// be shorter. A section's own checksum is that of its blocks' checksums. All are XXH3 of 64 bits.
namespace orujo::internal::formats {

inline constexpr std::uint64_t orj_page = 4096;
inline constexpr std::uint64_t orj_block_bytes = std::uint64_t{256} << 10;
inline constexpr std::uint32_t orj_version = 1;

enum class orj_section {
  in_offsets,      // u64 x (n + 1): in-edges of vertex v are in_offsets[v] .. in_offsets[v + 1] - 1
  in_neighbours,   // u32 x m: the low 32 bits of their sources, ascending; parallel edges by weight
  in_high_bits,    // u32 x m: the rest, where n > 2^32
  in_weights,      // f32 x m, where weighted
  out_offsets,     // the same of out-edges, unless symmetric
  out_neighbours,  //
  out_high_bits,   //
  out_weights,     //
  ids,             // u64 x n: external ids; ascending in the order of the positions
  layout,          // position of each number: u32 x n, or u64 where n > 2^32
  name_offsets,    // u64 x (n + 1), into names, by position
  names,           // bytes; the names ascend. There are ids or names, or none of both.
  vectors,         // 32 bytes x vectors: the in-edges (graph/vector_sparse.hpp)
  vector_weights,  // 32 bytes x vectors, where weighted
  top_level,       // u32 x ceil(vectors / 64)
  slices,          // u64 x 3 x slices: first vector, first bundle, end; of each segment equally many
  source_bounds,   // u32 x (segments + 1)
  checksums,       // u64 x blocks of the sections before
};
inline constexpr std::size_t orj_sections = 18;

std::string_view name_of(orj_section section);

enum class orj_numbering : std::uint32_t { positions, scattered, table };

struct orj_header {
  struct place {
    std::uint64_t first = 0, bytes = 0, checksum = 0;
    friend bool operator==(const place&, const place&) = default;
  };
  std::uint64_t file_bytes = 0;
  std::uint64_t vertices = 0, edges = 0;
  std::uint64_t first_id = 0;
  bool weighted = false, symmetric = false, no_self_loops = false, no_parallel_edges = false;
  orj_numbering numbering = orj_numbering::positions;
  std::uint64_t seed = 0;
  std::uint64_t vectors = 0, slices = 0, segments = 0;
  std::uint32_t bundle_depth = 0;
  std::string layout = "range";
  std::array<place, orj_sections> places{};

  place& operator[](orj_section s) { return places[static_cast<std::size_t>(s)]; }
  const place& operator[](orj_section s) const { return places[static_cast<std::size_t>(s)]; }
  bool has(orj_section s) const { return (*this)[s].bytes > 0; }
  bool has_high_bits() const { return vertices > std::uint64_t{1} << 32; }
  friend bool operator==(const orj_header&, const orj_header&) = default;
};

constexpr std::uint64_t blocks_of(std::uint64_t bytes) {
  return (bytes + orj_block_bytes - 1) / orj_block_bytes;
}
// The index of a section's first block in the section `checksums`.
std::uint64_t first_block_of(const orj_header& header, orj_section section);

struct orj_options {
  bool ids = false;
  std::uint64_t name_bytes = 0;  // 0: no names
  bool names = false;
};
// Gives every section its place, as the numbers of the header say; also file_bytes.
void place_sections(orj_header& header, const orj_options& optional);

std::array<std::byte, orj_page> encode_header(const orj_header& header);

// True if a file that starts with these bytes claims to be one.
bool is_orj(std::span<const std::byte> start);

// Sections lie within the file, one after the other, and are as large as the numbers say: nothing else needs
// to be checked before memory is allocated. Fails with bad_data, `"PATH: byte N: what; what to do"`.
result<orj_header> decode_header(std::span<const std::byte, orj_page> bytes, std::uint64_t file_bytes,
                                 const std::string& path);

// bad_data: `"PATH: byte N: section S: what; copy or convert the file again"`.
status orj_error(const std::string& path, std::uint64_t byte, std::string_view where, std::string_view what);

static_assert(std::endian::native == std::endian::little, "files are read and written as they are in memory");

}  // namespace orujo::internal::formats
