// Adjacency graphs as Ligra and the Problem Based Benchmark Suite have them: a text file of arrays.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"

// Words with blanks or line ends between them:
//
//   AdjacencyGraph VERTICES EDGES, then of each vertex where its edges begin, then the targets of all edges
//   WeightedAdjacencyGraph ...    and then, in the same order, their weights
//
// Readers first count the numbers that begin in each block of the file, a part each. Then any number can be
// found without parsing those before it. (Shun, Blelloch: "Ligra", PPoPP 2013, and the suite's web page on
// its graph format.)
namespace orujo::internal::formats {

struct adjacency_layout {
  bool weighted = false;
  std::uint64_t vertices = 0, edges = 0;
  std::uint64_t body = 0;  // where the numbers after these begin, in bytes

  std::uint64_t numbers() const { return vertices + edges * (weighted ? 2 : 1); }
};

// Returns nothing if the source does not begin with one of the two words. Fails if the source does, and with
// bad_data if it does not go on like such a file.
result<std::optional<adjacency_layout>> find_adjacency_layout(byte_source& source);

inline constexpr std::uint64_t adjacency_block_bytes = std::uint64_t{64} << 10;

// The number of blocks after the header.
std::uint64_t adjacency_blocks(const byte_source& source, const adjacency_layout& layout);
// Counts the numbers that begin in each of the blocks first .. last - 1.
result<std::vector<std::uint32_t>> count_adjacency_numbers(byte_source& source,
                                                           const adjacency_layout& layout,
                                                           std::uint64_t first, std::uint64_t last);

// Any thread, several at a time; the source must outlive it. All fail if the source does. They fail with
// bad_data, `"FILE:LINE:COLUMN: what; what is expected"`, if the file is wrong.
class adjacency_reader {
 public:
  // counts: of all blocks. With ignores_weights they are not read.
  adjacency_reader(byte_source& source, const adjacency_layout& layout,
                   const std::vector<std::uint32_t>& counts, bool ignores_weights = false);

  // Checks that the file has as many numbers as it says.
  status check_size() const;
  // Checks that the edges of vertices first .. last - 1 begin after those of the vertices before. All
  // vertices have to be checked before edges are read.
  status check_vertices(std::uint64_t first, std::uint64_t last) const;
  // Edges first .. last - 1, by source.
  result<edge_list> read(std::uint64_t first, std::uint64_t last) const;

 private:
  class number_stream;
  result<std::uint64_t> vertex_of(std::uint64_t edge) const;
  status bad(std::uint64_t byte, std::string_view what) const;

  byte_source& source_;
  const adjacency_layout layout_;
  const bool reads_weights_;
  std::vector<std::uint64_t> numbers_before_;  // each block; and all at the end
};

}  // namespace orujo::internal::formats
