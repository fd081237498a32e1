#include "framework/graph/build/gap_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/edge_hash.hpp"
#include "framework/formats/gap_graph.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/graph/build/assemble.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::graph {
namespace {

// The findings of a core in rows: their use, and a sum of hashes of their edges. The sum of all rows that
// belong together is 0 if each edge is there from both ends.
struct findings {
  bool good = true;
  std::uint64_t edges = 0;
  friend findings operator+(findings a, const findings& b) { return {a.good && b.good, a.edges + b.edges}; }
};

// The edges that rows have, which gives the sign of their hashes.
enum class edges_of { both_ends, targets, sources };

// Reads the rows of one core. Any fault makes `found` not good, and then the rows are of no use.
class gap_row_reader {
 public:
  gap_row_reader(formats::byte_source& source, const formats::gap_layout& layout,
                 const build_options& options)
      : source_(source), layout_(layout), options_(options) {}

  // Offsets of the vertices of a range, and of the next one.
  machine::huge_array<std::uint64_t> offsets(formats::gap_half half, index_range vertices, findings& found) {
    machine::huge_array<std::uint64_t> read(vertices.size() + 1);
    found.good = found.good &&
                 formats::read_all(source_, layout_.offset_at(half, vertices.first),
                                   std::as_writable_bytes(std::span(read.data(), read.size())))
                     .ok() &&
                 std::is_sorted(read.begin(), read.begin() + read.size()) &&
                 read[vertices.size()] <= layout_.edges && (vertices.first > 0 || read[0] == 0) &&
                 (vertices.last < layout_.vertices || read[vertices.size()] == layout_.edges);
    return read;
  }

  // The rows of a range of vertices.
  rows read(formats::gap_half half, index_range vertices, edges_of which, findings& found) {
    rows made;
    made.first_vertex = vertices.first;
    made.offsets = offsets(half, vertices, found);
    if (!found.good) return made;
    const std::uint64_t first = made.offsets[0], edges = made.offsets[vertices.size()] - first;
    for (std::size_t v = 0; v <= vertices.size(); ++v) made.offsets[v] -= first;
    made.neighbours = machine::huge_array<std::uint32_t>(edges);
    if (layout_.weighted) {
      read_pairs(half, first, made, edges, found);
    } else {
      found.good = formats::read_all(source_, layout_.neighbour_at(half, first),
                                     std::as_writable_bytes(made.neighbours.part(0, edges)))
                       .ok();
    }
    for (std::size_t v = 0; v < vertices.size() && found.good; ++v) check_row(made, v, which, found);
    return made;
  }

 private:
  struct pair {
    std::uint32_t neighbour;
    std::int32_t weight;
  };

  void read_pairs(formats::gap_half half, std::uint64_t first, rows& made, std::uint64_t edges,
                  findings& found) {
    constexpr std::uint64_t at_once = 1 << 15;
    std::vector<pair> pairs(std::min(edges, at_once));
    made.weights = machine::huge_array<float>(options_.keep.weights ? edges : 0);
    for (std::uint64_t done = 0; done < edges && found.good; done += at_once) {
      const auto some = std::span(pairs).first(std::min(at_once, edges - done));
      found.good =
          formats::read_all(source_, layout_.neighbour_at(half, first + done), std::as_writable_bytes(some))
              .ok();
      for (std::size_t k = 0; k < some.size() && found.good; ++k) {
        made.neighbours[done + k] = some[k].neighbour;
        if (!options_.keep.weights) continue;
        const auto weight = static_cast<float>(some[k].weight);
        made.weights[done + k] = weight;
        found.good = static_cast<std::int64_t>(weight) == some[k].weight &&
                     !(options_.keep.non_negative_weights && weight < 0);
      }
    }
  }

  // Neighbours ascend below the number of vertices, parallel edges by weight, and what options remove is not
  // there.
  void check_row(const rows& made, std::size_t row, edges_of which, findings& found) const {
    const std::uint64_t vertex = made.first_vertex + row, first = made.offsets[row],
                        last = made.offsets[row + 1];
    const bool weighted = made.weights.size() > 0;
    const bool no_duplicates = options_.remove_duplicates || options_.symmetrize;
    bool bad = last > first && made.neighbours[last - 1] >= layout_.vertices;
    for (std::uint64_t k = first; k < last; ++k) {
      const std::uint64_t neighbour = made.neighbours[k];
      const float weight = weighted ? made.weights[k] : 0;
      if (k > first) {
        const std::uint32_t before = made.neighbours[k - 1];
        bad |= before > neighbour ||
               (before == neighbour && (no_duplicates || (weighted && made.weights[k - 1] > weight)));
      }
      if (neighbour == vertex) {
        bad |= options_.remove_self_loops;
        if (which == edges_of::both_ends) continue;
      }
      const bool is_source = which == edges_of::both_ends ? vertex < neighbour : which == edges_of::sources;
      const std::uint64_t hash = is_source ? formats::hash_of_edge(vertex, neighbour, weight)
                                           : formats::hash_of_edge(neighbour, vertex, weight);
      found.edges += is_source ? hash : -hash;
    }
    found.good = found.good && !bad;
  }

  formats::byte_source& source_;
  const formats::gap_layout& layout_;
  const build_options& options_;
};

// Returns whether the rows of the file may be those of the requested graph.
bool may_have_the_graph(const formats::gap_layout& file, const build_options& wanted) {
  const bool sums = file.weighted && wanted.keep_weight == kept_weight::sum;
  return file.vertices > 0 && wanted.order == nullptr && wanted.keep.order != requested_order::by_degree &&
         !wanted.partition.hash && !(wanted.symmetrize && (file.directed || sums));
}

}  // namespace

result<std::shared_ptr<locale_graph>> load_gap_rows(const input_source& from, const build_options& options) {
  using formats::gap_half;
  const std::shared_ptr<locale_graph> none;
  if (from.generator || (from.format && from.format != formats::file_format::gap)) return none;
  if (from.named || !check_asked(from, formats::file_format::gap).ok()) return none;
  const auto opened = formats::open_source(from.file);
  if (const status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  const auto layout = formats::find_gap_layout(*opened.value());
  if (const status failure = collectives::first_failure(layout.status()); !failure.ok()) return failure;
  if (!layout.value() || !may_have_the_graph(*layout.value(), options)) return none;
  const formats::gap_layout& file = *layout.value();
  const bool weighted = file.weighted && !from.ignores_weights;
  build_options wanted = options;
  wanted.keep.weights = weighted;
  gap_row_reader reader(*opened.value(), file, wanted);
  const gap_half in_edges = file.directed ? gap_half::second : gap_half::first;

  if (status s = check_memory_to_load({file.vertices, file.edges, weighted}, options); !s.ok()) return s;
  const auto cut = [&](int parts) {
    return cut_by_offsets(file.vertices, parts, options.partition.alpha,
                          [&](index_range vertices) -> result<machine::huge_array<std::uint64_t>> {
                            findings found;
                            auto offsets = reader.offsets(in_edges, vertices, found);
                            if (collectives::all_reduce(found).good) return offsets;
                            return status(exit_status::bad_data, "its offsets are of no use");
                          });
  };
  const auto owners = cut(cores());
  if (!owners.ok()) return none;
  graph_outline outline{weighted, options.symmetrize, 0, {}, owners.value()};
  if (const int others = options.keep.cut_for_cores; others > 0) {
    const auto theirs = cut(others);
    if (!theirs.ok()) return none;
    outline.other_owners = theirs.value();
  }
  const index_range mine{outline.owners.first_of(my_core()), outline.owners.last_of(my_core())};

  findings found;
  rows in = reader.read(in_edges, mine, file.directed ? edges_of::targets : edges_of::both_ends, found), out;
  if (file.directed || (options.keep.out_rows && !options.symmetrize)) {
    findings in_out;
    out = reader.read(gap_half::first, mine, edges_of::sources, in_out);
    // The rows of an undirected file are those of its in-edges once more, which both ends have paired.
    found = found + findings{in_out.good, file.directed ? in_out.edges : 0};
  }
  found = collectives::all_reduce(found);
  if (!found.good || found.edges != 0) return none;
  if (file.weighted && from.ignores_weights) tell_ignored_weights(from);
  if (!options.keep.out_rows) out = {};
  auto made = open_graph(outline);
  if (!made.ok()) return made;
  if (status s = assemble(*made.value(), std::move(in), std::move(out), options); !s.ok()) return s;
  collectives::barrier();
  return made;
}

}  // namespace orujo::graph
