#include "framework/graph/build/gap_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "framework/formats/gap_graph.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/graph/build/given_rows.hpp"
#include "framework/graph/build/shuffle.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

using formats::gap_half;
using findings = row_checker::findings;

// The rows of a file. Any fault makes `found` not good, and then the rows are of no use.
class gap_rows final : public given_rows {
 public:
  gap_rows(formats::byte_source& source, const formats::gap_layout& layout, const build_options& options)
      : source_(source), layout_(layout), options_(options) {}

  result<partition> cut(int parts) override {
    return cut_by_offsets(layout_.vertices, parts, options_.partition.alpha,
                          [&](index_range vertices) -> result<machine::huge_array<std::uint64_t>> {
                            findings found;
                            auto offsets = read_offsets(in_edges(), vertices, found);
                            if (collectives::all_reduce(found).good) return offsets;
                            return status(exit_status::bad_data, "its offsets are of no use");
                          });
  }

  std::optional<both> take(const partition& owners) override {
    const index_range mine{owners.first_of(my_core()), owners.last_of(my_core())};
    findings found;
    both made;
    made.in = read(in_edges(), mine, layout_.directed ? edges_of::targets : edges_of::both_ends, found);
    if (layout_.directed) made.out = read(gap_half::first, mine, edges_of::sources, found);
    found = collectives::all_reduce(found);
    if (!found.good || found.edges != 0) return {};
    made.no_parallel = found.no_parallel;
    return made;
  }

 private:
  struct pair {
    std::uint32_t neighbour;
    std::int32_t weight;
  };

  gap_half in_edges() const { return layout_.directed ? gap_half::second : gap_half::first; }

  // Offsets of the vertices of a range, and of the next one.
  machine::huge_array<std::uint64_t> read_offsets(gap_half half, index_range vertices, findings& found) {
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
  rows read(gap_half half, index_range vertices, edges_of which, findings& found) {
    rows made;
    made.first_vertex = vertices.first;
    made.offsets = read_offsets(half, vertices, found);
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
    row_checker checker(layout_.vertices, options_, which);
    for (std::size_t v = 0; v < vertices.size() && found.good && checker.found().good; ++v) {
      for (std::uint64_t k = made.offsets[v]; k < made.offsets[v + 1]; ++k)
        checker.take(vertices.first + v, made.neighbours[k], made.weights.size() > 0 ? made.weights[k] : 0);
    }
    found = found + checker.found();
    return made;
  }

  void read_pairs(gap_half half, std::uint64_t first, rows& made, std::uint64_t edges, findings& found) {
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

  formats::byte_source& source_;
  const formats::gap_layout& layout_;
  const build_options& options_;
};

}  // namespace

result<std::shared_ptr<locale_graph>> load_gap_rows(const input_source& from, const build_options& options) {
  const std::shared_ptr<locale_graph> none;
  if (from.generator || (from.format && from.format != formats::file_format::gap)) return none;
  if (from.named || !check_asked(from, formats::file_format::gap).ok()) return none;
  const auto opened = formats::open_source(from.file);
  if (const status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  const auto layout = formats::find_gap_layout(*opened.value());
  if (const status failure = collectives::first_failure(layout.status()); !failure.ok()) return failure;
  if (!layout.value()) return none;
  const formats::gap_layout& file = *layout.value();
  const given_rows_facts facts{file.vertices, file.edges, 0, file.weighted && !from.ignores_weights,
                               file.directed};
  if (!may_be_given(facts, options)) return none;
  build_options wanted = options;
  wanted.keep.weights = facts.weighted;
  gap_rows given(*opened.value(), file, wanted);
  auto made = load_given_rows(given, facts, wanted);
  if (made.ok() && made.value() && file.weighted && from.ignores_weights) tell_ignored_weights(from);
  return made;
}

}  // namespace orujo::internal::graph
