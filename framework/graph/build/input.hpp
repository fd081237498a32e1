// A graph's edges as they come in: every core reads or generates a part.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/row_list.hpp"
#include "framework/formats/text_file.hpp"
#include "framework/generators/generator.hpp"
#include "framework/graph/numbering.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// Where the edges come from: exactly one of the two.
struct input_source {
  std::string file;                                     // in any of formats::file_format, maybe compressed
  std::optional<generators::generator_spec> generator;  // the same graph for any number of cores
  std::string name;                                     // for people and reports
  std::optional<formats::file_format> format = {};      // of the file; recognised without it
  std::optional<unsigned> scale = {};                   // of a graph500 file (formats/packed_edges.hpp)
  bool named = false;                                   // vertices of an edge list have names, not ids
  bool ignores_weights = false;                         // they are not read, and edges have none
  bool tells_of_weights = false;                        // that the program ignores, and not the user
  formats::table_request table = {};                    // of a csv
  bool non_negative_weights = false;                    // of a file of lines; others are errors
  bool mirrored = false;                                // of a csv: edges stand for their reverse, too
  bool wants_rows = false;                              // of a format with rows; they may be taken
};

class vertex_names;

// Given some edges, appends those that are to be visited instead, without weights.
using edge_rewriter = std::function<void(std::span<const edge>, std::vector<edge>&)>;

// Edges of a generated graph, not made yet.
struct generated_edges {
  generators::generator_spec spec;
  std::uint64_t first = 0, last = 0;
  numbering numbers = {};   // of the vertices of the edges that are visited
  bool transposed = false;  // edges are reversed
};

// One core's part of the edges, by external ids.
struct input_edges {
  formats::edge_list mine;
  std::optional<generated_edges> generated;  // instead of `mine`: made anew whenever they are visited
  // Instead of `mine`, if the source wants rows and has some; at all cores or none. Then there is a
  // vertex_count.
  std::optional<formats::row_list> rows;
  // Known for generated graphs and most formats: edges then have vertices 0..vertex_count-1.
  std::optional<std::uint64_t> vertex_count;
  std::uint64_t first_id = 0;  // ids are larger by this than what edges have
  // Without a vertex_count: this core's ids of vertices that exist even without edges.
  std::vector<std::uint64_t> vertices;
  // The ids by position, ascending, if the edges have positions in place of ids.
  std::shared_ptr<const std::vector<std::uint64_t>> ids;
  // If vertices have names, ids are indices into them. `names` is null if one reader has read all.
  bool named = false;
  std::shared_ptr<const vertex_names> names;
  bool weighted = false;
  bool mirrored = false;  // an edge of `mine` that is no loop stands for its reverse, too, which is visited
  std::optional<formats::file_format> format;       // of a file; the same at every core
  std::optional<formats::text_totals> file_totals;  // of a file of lines; the same at every core
  std::uint64_t file_bytes = 0;                     // of a file, as it lies on the disk
  std::string path;  // of a file, at core 0: what byte_source has, once it is read

  edge_rewriter rewrite;  // of the edges that are visited; may be empty

  // Any thread. Calls visit(edges, weights) with some of this core's edges at a time until it has had all;
  // the weights are parallel, or empty.
  using visitor = std::function<void(std::span<const edge>, std::span<const float>)>;
  void visit_batches(const visitor& visit) const;
  // The same for the last time: frees the memory of `mine` during the visit, and leaves it empty.
  void consume_batches(const visitor& visit);

  // Any thread. The number of this core's edges that are visited, before they are rewritten.
  std::uint64_t count() const;

  // Any thread. Puts the edges of the rows into `mine`, for visits. METIS' rows have each edge
  // twice: it leaves out one, and is `mirrored`.
  void list_rows();

  // Any thread. Halves the memory of edges with vertices below 2^32, as all must have. `mine` keeps their
  // weights only, and edges can only be visited then.
  void pack_edges();
  struct packed_edge {
    std::uint32_t source, target;
  };
  std::span<const packed_edge> packed;  // lies in the memory of mine.edges
};

// The id that the file has for what an edge has.
inline std::uint64_t external_id(const input_edges& input, std::uint64_t vertex) {
  return input.ids ? (*input.ids)[vertex] : vertex + input.first_id;
}

// [task; suspends; collective over the job] Plain files are cut into byte ranges, compressed ones are read by
// core 0 alone. Every core fails with the same status if any does.
result<input_edges> read_input(const input_source& source);

// [task] Core 0 logs that weights which are there are ignored, where the user has not said so.
void tell_ignored_weights(const input_source& source);

// Any thread. bad_data if the request asks of a file what its format has not: columns of a table, say.
status check_asked(const input_source& source, formats::file_format format);

// Any thread. All edges, read by one reader from start to end: for the serial oracles.
result<input_edges> read_serially(const input_source& source);

}  // namespace orujo::internal::graph
