// Edges as the Graph500 benchmark's reference code writes them: packed into 12 bytes each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"

// Little-endian records, without anything before, between or after them:
//
//   low half of the source (4 bytes) | low half of the target (4) | high (4)
//
// where the lower 16 bits of `high` are the source's bits 32..47 and the upper 16 the target's. Weights are
// in a file of their own, FILE.weights: a 4-byte float for each edge. Nothing in the files identifies them,
// or gives the number of vertices. (Graph500 reference code 3.0, generator/graph_generator.h.)
namespace orujo::internal::formats {

inline constexpr std::uint64_t packed_edge_bytes = 12;
inline constexpr std::uint64_t packed_weight_bytes = 4;
inline constexpr std::uint64_t most_packed_id =
    (std::uint64_t{1} << 47) - 1;  // the reference code has signed ids

struct packed_layout {
  std::uint64_t edges = 0;
  bool weighted = false;
  std::optional<unsigned> scale;  // vertices are 0 .. 2^scale - 1; without it any
};

// Where the weights of a file are.
std::string packed_weights_path(const std::string& path);
// Null if a file has none.
result<std::unique_ptr<byte_source>> open_packed_weights(const std::string& path);

// weights: null if there are none. Fails with bad_data if a size is not a multiple of the record's, if the
// two sizes do not match, if there are no edges, or if a file is compressed.
result<packed_layout> find_packed_layout(const byte_source& source, const byte_source* weights,
                                         std::optional<unsigned> scale);

// Edges first .. last - 1. Any thread, several at a time. Fails if the sources do, and with bad_data, "PATH:
// byte N: what", if an id is not a vertex or a weight is not finite.
result<edge_list> read_packed_edges(byte_source& source, byte_source* weights, const packed_layout& layout,
                                    std::uint64_t first, std::uint64_t last);

// The records of an edge and of a weight.
void append_packed_edge(std::string& to, const edge& e);

}  // namespace orujo::internal::formats
