// Writers of graphs in every format: they turn rows of edges into the bytes of a file, and open no files.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "framework/formats/edge.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/names.hpp"
#include "system/base/status.hpp"

// A graph is written as its rows are: by ascending source. A file is a sequence of sections. A section has an
// opening and then the bytes of each row. A caller with the rows in pieces asks, for each section in turn,
// for the bytes of every piece, and concatenates them:
//
//   graph_traits traits; for all blocks: traits.note(block)          (parts of it are added up by +=)
//   graph_writer writer(format, traits);  refused() says why where the format cannot hold the graph
//   for each section: opening(section), then for all blocks of the rows that it is made of: append(...)
namespace orujo::internal::formats {

// Consecutive rows of a graph, or a part of one.
struct row_block {
  std::uint64_t first_vertex = 0;  // of row 0
  std::uint64_t first_edge = 0;    // how many edges are before these
  std::span<const std::uint64_t>
      offsets;  // row r has the edges offsets[r] - offsets[0] .. offsets[r + 1] - offsets[0] - 1
  std::span<const std::uint64_t> ids;         // of the rows' vertices; empty: first_vertex + r
  std::span<const std::uint64_t> neighbours;  // where edges lead: ids if rows have ids, else positions
  const name_table* names = nullptr;          // by number, if vertices have names
  std::span<const float> weights;             // parallel, or empty
  bool first_begun = false;                   // edges of the first row have gone before
  bool last_goes_on = false;                  // edges of the last row follow in another block

  std::size_t rows() const { return offsets.empty() ? 0 : offsets.size() - 1; }
};

// The facts that decide whether a format can hold a graph. They are plain, so they can be sent and added up.
struct graph_traits {
  std::uint64_t vertices = 0, edges = 0;  // of the whole graph: not added up
  bool weighted = false;
  bool numbered = true;          // ids are positions + first_id
  std::uint64_t first_id = 0;    // what ids exceed the vertices in blocks by: 0 where these have ids
  bool named = false;            // vertices are to be written by names
  std::uint64_t largest_id = 0;  // that blocks have; the graph's is larger by first_id
  std::uint64_t self_loops = 0;
  std::uint64_t fractions = 0;      // weights that are not whole or too large to be exact,
  std::uint64_t large = 0;          // those that do not fit 32 bits,
  std::uint64_t below_one = 0;      // and those below 1
  std::uint64_t lost_in_front = 0;  // vertices with out-edges whose names a line cannot begin with
  std::uint64_t quoted = 0;         // vertices whose names stand in quotes
  std::uint64_t no_xml = 0;    // vertices whose names are not UTF-8, or have characters that XML excludes
  std::uint64_t parallel = 0;  // edges that follow one with the same ends
  std::uint64_t last_neighbour = 0;  // of the block noted last: not added up
  std::uint64_t isolated = 0;        // vertices without edges, counted by the caller
  // Sums of hashes of all edges, and of all reversed: equal, but for one case in 2^128, where the graph is
  // symmetric.
  std::array<std::uint64_t, 2> forwards = {}, backwards = {};

  void note(const row_block& block);
  graph_traits& operator+=(const graph_traits& more);
  bool symmetric() const { return forwards == backwards; }

 private:
  void note_parallel(const row_block& block);
};

// The id of vertex 0 in a file that numbers its vertices; nothing for a format that has their ids.
constexpr std::optional<std::uint64_t> first_id_in(file_format format) {
  switch (format) {
    case file_format::matrix_market:
    case file_format::dimacs:
    case file_format::metis:
      return 1;
    case file_format::gap:
    case file_format::adjacency:
      return 0;
    default:
      return {};
  }
}

class graph_writer {
 public:
  graph_writer(file_format format, const graph_traits& traits) : format_(format), traits_(traits) {}

  // bad_data, with the reason and the remedy, where the format cannot hold the graph. path: of the file.
  status refused(std::string_view path) const;
  // The file's ids exceed the graph's by this: formats that number their vertices begin at 0 or 1.
  std::int64_t id_shift() const;

  int sections() const;
  // True if a section is made of rows of in-edges: rows are by target then, and neighbours are sources. True
  // if a section goes to the file of weights of packed edges.
  bool of_in_rows(int section) const;
  bool to_weights_file(int section) const;
  // True if a section uses more of the rows than their lengths.
  bool of_edges(int section) const;

  std::string opening(int section) const;
  void append(int section, const row_block& block, std::string& to) const;

 private:
  // Why the format cannot hold these ids, names or weights; "" where it can.
  std::string why_no_ids() const;
  std::string why_no_names() const;
  std::string why_no_weights(std::string_view path) const;
  std::string why_not_metis() const;

  const file_format format_;
  const graph_traits traits_;
};

}  // namespace orujo::internal::formats
