// Files whose k-th edge can be read without those before it: serialized graphs of the GAP suite, adjacency
// graphs, packed edges.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "framework/formats/adjacency_graph.hpp"
#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/gap_graph.hpp"
#include "framework/formats/packed_edges.hpp"

// Edges of a file that several readers share. Each reader makes these calls for its part of every range. All
// end with the first failure of the first reader:
//
//   find()  count_blocks(part of blocks())  set_counts(of all)  check_vertices(part of 0..vertices)
//   read(part of 0..edges)
//
// Any number of readers finds the same edges or the same error.
namespace orujo::internal::formats {

struct numbered_options {
  std::optional<file_format> format;  // recognised without it: graph500 by the path
  std::optional<unsigned> scale;      // of graph500 (packed_edges.hpp)
  bool ignores_weights = false;       // they are not read
};

class numbered_edges {
 public:
  // Returns nothing if the file is of a format with lines. `source` must outlive it. Fails if the source
  // does, and with bad_data if the file is not what its beginning or its path says.
  static result<std::optional<numbered_edges>> find(byte_source& source,
                                                    const numbered_options& options = {});

  file_format format() const;
  bool weighted() const;  // false if weights are ignored
  bool ignores_its_weights() const;
  std::uint64_t edges() const;
  // The number of vertices, if edges name vertices 0..vertices-1.
  std::optional<std::uint64_t> vertices() const;

  // The number of blocks whose numbers have to be counted before the rest.
  std::uint64_t blocks() const;
  result<std::vector<std::uint32_t>> count_blocks(std::uint64_t first, std::uint64_t last) const;
  // The counts of all blocks. Fails if they are not what the file says.
  status set_counts(const std::vector<std::uint32_t>& counts);

  // Any thread, several at a time.
  status check_vertices(std::uint64_t first, std::uint64_t last) const;
  result<edge_list> read(std::uint64_t first, std::uint64_t last) const;

  // All by one reader.
  result<edge_list> read_all_edges();

 private:
  using any_layout = std::variant<gap_layout, adjacency_layout, packed_layout>;
  numbered_edges(byte_source& source, any_layout layout) : source_(&source), layout_(layout) {}
  static result<std::optional<numbered_edges>> find_any(byte_source& source, const numbered_options& options);
  static result<std::optional<numbered_edges>> find_gap(byte_source& source, bool wanted);
  static result<std::optional<numbered_edges>> find_adjacency(byte_source& source, bool wanted);
  static result<std::optional<numbered_edges>> find_packed(byte_source& source,
                                                           std::optional<unsigned> scale);

  byte_source* source_;
  std::shared_ptr<byte_source> weights_;  // of packed edges
  any_layout layout_;
  bool ignores_weights_ = false;
  std::shared_ptr<const adjacency_reader> reader_;  // of an adjacency graph, once its numbers are counted
};

}  // namespace orujo::internal::formats
