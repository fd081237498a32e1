// A graph's file in memory: written by the writers, and read by any number of readers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/document.hpp"
#include "framework/formats/first_row.hpp"
#include "framework/formats/graph_writer.hpp"
#include "framework/formats/neighbour_symmetry.hpp"
#include "framework/formats/numbered_edges.hpp"
#include "framework/formats/text_file.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {

struct whole_file {
  std::string content;
  std::optional<std::string> weights = {};  // of packed edges
  std::optional<file_format> format = {};
  std::string path = "F";
  bool named = false;
};

struct plain_graph {
  std::uint64_t vertices = 0;
  edge_list list;                       // by ascending source
  std::vector<std::string> names = {};  // by vertex, ascending; or empty
  std::vector<std::uint64_t> ids = {};  // by vertex, ascending, or empty for 0, 1, 2 ..

  std::uint64_t id_of(std::uint64_t vertex) const { return ids.empty() ? vertex : ids[vertex]; }
  bool has_consecutive_ids() const { return ids.empty() || ids.back() - ids.front() == ids.size() - 1; }
};

// The outcome of reading: the edges of a good file, or the error.
struct reading {
  edge_list list;
  std::optional<std::uint64_t> vertices;
  std::string error;
  exit_status code = exit_status::ok;
  std::vector<std::string> names = {};  // ascending; edges have places among them
  std::uint64_t first_id = 0;           // ids are larger by this than what edges have,
  std::vector<std::uint64_t> ids = {};  // or these, by what edges have
  friend bool operator==(const reading&, const reading&) = default;

  bool ok() const { return code == exit_status::ok; }
  std::uint64_t id_of(std::uint64_t vertex) const { return ids.empty() ? vertex + first_id : ids[vertex]; }
  void append(const edge_list& more) {
    list.edges.insert(list.edges.end(), more.edges.begin(), more.edges.end());
    list.weights.insert(list.weights.end(), more.weights.begin(), more.weights.end());
  }
};

inline reading failed_reading(const status& failure) { return {{}, {}, failure.message(), failure.code()}; }

// The k-th cut of a range of this size into parts.
inline std::uint64_t cut_at(std::uint64_t size, std::size_t k, std::size_t parts) { return size * k / parts; }

inline reading read_packed_parts(const whole_file& file, std::size_t parts) {
  memory_source source(file.content, file.path);
  std::optional<memory_source> weights;
  if (file.weights) weights.emplace(*file.weights, packed_weights_path(file.path));
  const auto layout = find_packed_layout(source, weights ? &*weights : nullptr, {});
  if (!layout.ok()) return failed_reading(layout.status());
  reading all;
  for (std::size_t k = 0; k < parts; ++k) {
    const auto part =
        read_packed_edges(source, weights ? &*weights : nullptr, layout.value(),
                          cut_at(layout.value().edges, k, parts), cut_at(layout.value().edges, k + 1, parts));
    if (!part.ok()) return failed_reading(part.status());
    all.append(part.value());
  }
  return all;
}

inline reading read_numbered_parts(numbered_edges& file, std::size_t parts) {
  std::vector<std::uint32_t> counts;
  for (std::size_t k = 0; k < parts; ++k) {
    const auto part = file.count_blocks(cut_at(file.blocks(), k, parts), cut_at(file.blocks(), k + 1, parts));
    if (!part.ok()) return failed_reading(part.status());
    counts.insert(counts.end(), part.value().begin(), part.value().end());
  }
  if (status wrong = file.set_counts(counts); !wrong.ok()) return failed_reading(wrong);
  const std::uint64_t vertices = file.vertices().value_or(0);
  for (std::size_t k = 0; k < parts; ++k) {
    const status wrong = file.check_vertices(cut_at(vertices, k, parts), cut_at(vertices, k + 1, parts));
    if (!wrong.ok()) return failed_reading(wrong);
  }
  reading all;
  all.vertices = file.vertices();
  for (std::size_t k = 0; k < parts; ++k) {
    const auto part = file.read(cut_at(file.edges(), k, parts), cut_at(file.edges(), k + 1, parts));
    if (!part.ok()) return failed_reading(part.status());
    all.append(part.value());
  }
  return all;
}

// From the places of each part's edges among its own names, in the order of first use, to places among all.
// ends: of the edges of the parts.
inline void merge_names(const std::vector<name_table>& parts, const std::vector<std::size_t>& ends,
                        reading& all) {
  std::map<std::string, std::uint64_t, std::less<>> numbers;
  for (const name_table& names : parts) {
    for (std::size_t k = 0; k < names.size(); ++k) numbers.emplace(names[k], 0);
  }
  for (auto& [name, number] : numbers) {
    number = all.names.size();
    all.names.push_back(name);
  }
  for (std::size_t part = 0, k = 0; part < parts.size(); ++part) {
    for (; k < ends[part]; ++k) {
      edge& e = all.list.edges[k];
      e = {numbers.find(parts[part][e.source])->second, numbers.find(parts[part][e.target])->second};
    }
  }
  all.vertices = all.names.size();
}

// As the cores of a job do: the first row of names is dropped if no part has one of its names again.
inline void drop_doubtful_row(std::vector<text_part>& parts, const std::vector<text_summary>& summaries,
                              const text_layout& layout) {
  const auto first = part_of_doubtful_row(summaries, layout);
  if (!first) return;
  const row_names row = names_of_first_row(parts[*first]);
  for (std::size_t k = 0; k < parts.size(); ++k) {
    if (has_name_of(row, parts[k], k == *first, layout)) return;
  }
  drop_first_row(parts[*first], layout);
}

// Ranges of bytes between the cuts; 0 and the size are cuts, too.
inline reading read_text_parts(const whole_file& file, std::vector<std::uint64_t> cuts) {
  memory_source source(file.content, file.path);
  const auto layout =
      find_layout(source, {file.format ? text_format_of(*file.format) : std::nullopt, file.named});
  if (!layout.ok()) return failed_reading(layout.status());
  cuts.insert(cuts.begin(), 0);
  cuts.push_back(file.content.size());
  std::vector<text_part> parts;
  std::vector<text_summary> summaries;
  std::uint64_t rows = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    auto part = read_text_range(source, layout.value(), cuts[k], cuts[k + 1], rows);
    if (!part.ok()) return failed_reading(part.status());
    rows += count_rows(source, layout.value(), cuts[k], cuts[k + 1]).value();
    summaries.push_back(part.value().summary);
    parts.push_back(std::move(part).value());
  }
  const auto totals = combine_text_parts(summaries, layout.value(), source.path());
  if (!totals.ok()) return failed_reading(totals.status());
  if (status wrong = check_symmetry(totals.value(), source, layout.value()); !wrong.ok())
    return failed_reading(wrong);
  drop_doubtful_row(parts, summaries, layout.value());
  reading all;
  std::vector<name_table> names;
  std::vector<std::size_t> ends;
  for (text_part& part : parts) {
    all.append(part.list);
    names.push_back(std::move(part.names));
    ends.push_back(all.list.edges.size());
  }
  if (file.named) merge_names(names, ends, all);
  if (!layout.value().has_vertex_count()) return all;
  all.vertices = layout.value().vertices;
  all.first_id = layout.value().least_id;
  return all;
}

// Reads by one reader, which gets the file in `pieces` pieces.
inline reading read_document_pieces(const whole_file& file, std::size_t pieces) {
  memory_source source(file.content, file.path, file.content.size() / pieces + 1,
                       file.format == file_format::npz);
  auto read = read_document(source, *file.format, {.named = file.named});
  if (!read.ok()) return failed_reading(read.status());
  reading all;
  all.append(read.value().list);
  all.vertices = read.value().vertices;
  all.first_id = read.value().first_id;
  all.ids = read.value().ids;
  if (!read.value().named) return all;
  std::vector<name_table> names;
  names.push_back(std::move(read.value().names));
  merge_names(names, {all.list.edges.size()}, all);
  return all;
}

// Reads by `parts` readers. A file of lines may be read by two, with the cut at a byte.
inline reading read_parts(const whole_file& file, std::size_t parts, std::optional<std::uint64_t> cut = {}) {
  if (file.format == file_format::graph500) return read_packed_parts(file, parts);
  if (file.format && is_document(*file.format)) return read_document_pieces(file, parts);
  memory_source source(file.content, file.path);
  auto numbered = numbered_edges::find(source, {file.format, {}});
  if (!numbered.ok()) return failed_reading(numbered.status());
  if (numbered.value()) return read_numbered_parts(*numbered.value(), parts);
  std::vector<std::uint64_t> cuts;
  if (cut) {
    cuts.push_back(*cut);
  } else {
    for (std::size_t k = 1; k < parts; ++k) cuts.push_back(cut_at(file.content.size(), k, parts));
  }
  return read_text_parts(file, cuts);
}

// The edges by ids.
inline edge_list with_ids(const edge_list& list, const auto& graph) {
  edge_list made = list;
  for (edge& e : made.edges) e = {graph.id_of(e.source), graph.id_of(e.target)};
  return made;
}

// Sorted by source, then target, then weight.
inline edge_list sorted(const edge_list& list) {
  std::vector<std::size_t> order(list.edges.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t k) {
    return std::pair(list.edges[k], list.weights.empty() ? 0.0f : list.weights[k]);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  edge_list made;
  for (const std::size_t k : order) {
    made.edges.push_back(list.edges[k]);
    if (!list.weights.empty()) made.weights.push_back(list.weights[k]);
  }
  return made;
}

// A graph as a program has it that has read a file: vertices 0, 1, 2 .. with their ids or names.
inline plain_graph graph_of(const reading& read) {
  plain_graph graph{read.vertices.value_or(0), sorted(read.list), read.names};
  if (!read.names.empty()) return graph;
  for (std::uint64_t v = 0; v < graph.vertices; ++v) graph.ids.push_back(read.id_of(v));
  if (read.vertices) return graph;
  for (const edge& e : graph.list.edges) graph.ids.insert(graph.ids.end(), {e.source, e.target});
  std::sort(graph.ids.begin(), graph.ids.end());
  graph.ids.erase(std::unique(graph.ids.begin(), graph.ids.end()), graph.ids.end());
  graph.vertices = graph.ids.size();
  for (edge& e : graph.list.edges) {
    for (std::uint64_t* end : {&e.source, &e.target})
      *end = static_cast<std::uint64_t>(std::lower_bound(graph.ids.begin(), graph.ids.end(), *end) -
                                        graph.ids.begin());
  }
  return graph;
}

// A graph's rows by source, or by target, for the writers.
class rows_of_graph {
 public:
  rows_of_graph(const plain_graph& graph, bool by_target) {
    edge_list list = graph.list;
    if (by_target) {
      for (edge& e : list.edges) std::swap(e.source, e.target);
    }
    list = sorted(list);
    offsets_.assign(graph.vertices + 1, 0);
    if (!graph.has_consecutive_ids()) ids_ = graph.ids;
    for (const edge& e : list.edges) {
      ++offsets_[e.source + 1];
      neighbours_.push_back(ids_.empty() ? e.target : ids_[e.target]);
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    weights_ = std::move(list.weights);
    for (const std::string& name : graph.names) names_.push_back(name);
  }

  // Visits blocks of at most most_edges edges each, which cut rows, and of at most most_rows rows.
  template <class Visit>
  void for_each_block(std::uint64_t most_edges, std::uint64_t most_rows, Visit visit) const {
    const std::uint64_t rows = offsets_.size() - 1;
    std::uint64_t row = 0, edge = 0;  // where the next block begins
    while (row < rows) {
      std::vector<std::uint64_t> offsets{edge};
      const std::uint64_t first_row = row, first_edge = edge;
      while (row < rows && offsets.size() <= most_rows) {
        edge = std::min(offsets_[row + 1], first_edge + most_edges);
        offsets.push_back(edge);
        if (edge < offsets_[row + 1]) break;
        ++row;
      }
      row_block block;
      block.first_vertex = first_row;
      block.first_edge = first_edge;
      block.offsets = offsets;
      if (!ids_.empty()) block.ids = std::span(ids_).subspan(first_row, offsets.size() - 1);
      block.neighbours = std::span(neighbours_).subspan(first_edge, edge - first_edge);
      if (!weights_.empty()) block.weights = std::span(weights_).subspan(first_edge, edge - first_edge);
      if (names_.size() > 0) block.names = &names_;
      block.first_begun = first_edge > offsets_[first_row];
      block.last_goes_on = row < rows && edge < offsets_[row + 1] && edge >= offsets_[row] &&
                           row == first_row + offsets.size() - 2;
      visit(block);
    }
  }

 private:
  std::vector<std::uint64_t> offsets_, neighbours_, ids_;
  std::vector<float> weights_;
  name_table names_;
};

inline graph_traits traits_of(const plain_graph& graph) {
  graph_traits traits;
  rows_of_graph(graph, false)
      .for_each_block(~std::uint64_t{0} / 2, ~std::uint64_t{0},
                      [&](const row_block& block) { traits.note(block); });
  traits.vertices = graph.vertices;
  traits.edges = graph.list.edges.size();
  traits.weighted = !graph.list.weights.empty();
  traits.named = !graph.names.empty();
  traits.numbered = graph.has_consecutive_ids();
  if (traits.numbered) traits.first_id = graph.id_of(0);
  return traits;
}

// The file of a graph that the format can hold, put together of pieces.
inline whole_file write_whole(file_format format, const plain_graph& graph, std::uint64_t most_edges,
                              std::uint64_t most_rows) {
  whole_file file;
  file.format = format;
  file.named = !graph.names.empty();
  const graph_writer writer(format, traits_of(graph));
  for (int section = 0; section < writer.sections(); ++section) {
    if (writer.to_weights_file(section)) file.weights.emplace();
    std::string& to = writer.to_weights_file(section) ? *file.weights : file.content;
    to += writer.opening(section);
    const rows_of_graph rows(graph, writer.of_in_rows(section));
    const std::uint64_t edges = writer.of_edges(section) ? most_edges : ~std::uint64_t{0} / 2;
    rows.for_each_block(edges, most_rows, [&](const row_block& block) { writer.append(section, block, to); });
  }
  return file;
}

}  // namespace orujo::internal::formats
