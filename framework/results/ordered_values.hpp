// A property's values by the vertices' ids or names: what goes out of a job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/results/by_position.hpp"
#include "framework/results/further_vertices.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/results/table_rows.hpp"
#include "framework/results/value_text.hpp"
#include "framework/results/vertex_labels.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/files/output_file.hpp"

namespace orujo::internal::results {

// Some vertices' values.
template <class T>
struct vertex_values : vertex_labels {
  std::vector<T> values;
};

// A copy of a property's values in ascending order of the external ids, of the names where vertices have
// some; each core has a block of it. Takes sizeof(T) + 8 bytes per vertex. A handle that can travel.
template <class T>
class ordered_values {
 public:
  // [task; suspends] Of a property of this graph. A message of a value and 16 bytes for each vertex whose
  // place is another core's.
  static ordered_values create(graph::distributed_graph graph, graph::property<T> property,
                               const call_site& at = call_site::current()) {
    property.require_graph(graph.here(), at);
    return create(graph,
                  [property](const graph::locale_graph&, std::uint32_t v) { return property.here()[v]; });
  }
  // The same for values computed by value_of(locale_graph, own vertex), which is copied to all cores.
  template <class ValueOf>
    requires std::is_invocable_r_v<T, const ValueOf&, const graph::locale_graph&, std::uint32_t>
  static ordered_values create(graph::distributed_graph graph, ValueOf value_of) {
    return {graph, by_position<vertex>(graph, [value_of](const graph::locale_graph& g, std::uint32_t v) {
              return vertex{g.external_id(v), value_of(g, v)};
            })};
  }
  // [task; suspends]
  void destroy() const { all_.destroy(); }

  // [task; suspends] Calls visit(vertex_values<T>) at the calling core until it has had all, some of a core's
  // block at a time.
  template <class Visit>
  void visit(Visit visit) const {
    std::vector<vertex> fetched;
    vertex_values<T> some;
    for (std::size_t first = 0; first < all_.size(); first += fetched.size()) {
      const std::size_t end_of_block = (first / all_.block_size() + 1) * all_.block_size();
      fetched.resize(std::min({vertices_of_piece, end_of_block - first, all_.size() - first}));
      const memory::global_address<vertex> from = all_[first];
      delegates::get(memory::global_address<const vertex>(from.core(), from.local()), std::span(fetched));
      some.ids.clear();
      some.values.clear();
      for (const vertex& v : fetched) {
        some.ids.push_back(v.id);
        some.values.push_back(v.value);
      }
      if (const auto& names = graph_.here().names) some.names = names->part(first, first + fetched.size());
      visit(some);
    }
  }

  // Calls visit(const T&) for those of the calling core's block.
  template <class Visit>
  void visit_here(Visit visit) const {
    for (const vertex& v : all_.local()) visit(v.value);
  }
  std::size_t size() const { return all_.size(); }

  // [task; suspends] The ids or names of vertices, by their positions. Costs 4 bytes and those of an id and a
  // value for each vertex of another locale with an id of its own. Names cost what `vertex_names::at()`
  // sends.
  vertex_labels labels_of(std::span<const std::uint64_t> positions) const {
    vertex_labels found;
    const graph::locale_graph& here = graph_.here();
    if (ids_are_listed_) {
      std::vector<vertex> vertices(positions.size());
      all_.gather(positions, std::span(vertices));
      for (const vertex& v : vertices) found.ids.push_back(v.id);
    } else {
      for (const std::uint64_t position : positions) found.ids.push_back(here.first_id + position);
    }
    if (here.names) found.names = here.names->at(positions);
    return found;
  }

  // [task; suspends] Writes a line for each vertex, "ID VALUE" or "NAME VALUE", or for csv a table with the
  // column `value`. Every core makes the lines of its block by append(std::string& to, const T&), which is
  // copied to all cores. Lines are written as by write_texts(). Takes the size of the text as memory, spread
  // over the cores.
  template <class Append = as_decimals>
  void write_lines(files::output_file& output, Append append = {},
                   row_format format = row_format::text) const {
    if (format == row_format::csv) output.write("id,value\n");
    write_rows(
        output, [](const T&, further_vertices&) {},
        [append, format](std::string& to, const vertex_label& label, const T& value, further_vertices&) {
          append_vertex(to, format, label);
          std::string field;
          append(field, value);
          if (format == row_format::csv) {
            to += ',';
            append_csv(to, field);
          } else {
            to += ' ';
            to += field;
          }
          to += '\n';
        });
  }

  // [task; suspends] The same as a table with the columns, each number by as_number(std::string& to, number),
  // each vertex_at as labels_of() has it. Vertices with names have no place in npy.
  template <class Text = as_decimals>
  void write_table(files::output_file& output, row_format format, const std::vector<std::string>& columns,
                   Text as_number = {}) const {
    output.write(table_head(format, columns_of<T>(columns), all_.size()));
    const auto note = [](const T& value, further_vertices& others) {
      numbers_of<T>::visit(value, [&](auto number) {
        if constexpr (is_vertex_at<decltype(number)>) others.add(number);
      });
    };
    write_rows(output, note,
               [format, as_number](std::string& to, const vertex_label& label, const T& value,
                                   further_vertices& others) {
                 append_vertex(to, format, label);
                 numbers_of<T>::visit(value, [&](auto number) {
                   if constexpr (is_vertex_at<decltype(number)>) {
                     others.append(to, format, number);
                   } else {
                     append_number(to, format, number, as_number);
                   }
                 });
                 append_row_end(to, format);
               });
  }

 private:
  struct vertex {
    std::uint64_t id;
    T value;
  };
  static constexpr std::size_t vertices_of_piece = 16384;

  ordered_values(graph::distributed_graph graph, containers::global_array<vertex> all)
      : graph_(graph), all_(all) {
    ids_are_listed_ =
        delegates::sum_of_all([graph] { return graph.here().external_ids.empty() ? 0 : 1; }) > 0;
  }

  // note(value, further_vertices&) adds those that row(text, label, value, further_vertices&) appends.
  template <class Note, class Row>
  void write_rows(files::output_file& output, Note note, Row row) const {
    const auto texts = containers::symmetric<text_pieces>::create_by(
        [note, row, values = *this] { return values.rows_here(note, row); });
    write_texts(texts, output);
    texts.destroy();
  }

  template <class Note, class Row>
  text_pieces rows_here(const Note& note, const Row& row) const {
    const auto& names = graph_.here().names;
    const std::span<const vertex> mine = all_.local();
    const std::size_t before = all_.range_here().first;
    text_pieces pieces;
    std::string text;
    further_vertices others;
    for (std::size_t first = 0; first < mine.size(); first += vertices_of_piece) {
      const std::size_t last = std::min(mine.size(), first + vertices_of_piece);
      const formats::name_table their_names =
          names ? names->part(before + first, before + last) : formats::name_table();
      others.clear();
      for (std::size_t k = first; k < last; ++k) note(mine[k].value, others);
      if (!others.positions().empty()) others.found(labels_of(others.positions()));
      text.clear();
      for (std::size_t k = first; k < last; ++k) {
        row(text, {mine[k].id, names ? their_names[k - first] : std::string_view()}, mine[k].value, others);
      }
      pieces.push_back(text);
    }
    return pieces;
  }

  graph::distributed_graph graph_;
  containers::global_array<vertex> all_;
  bool ids_are_listed_;  // else they are positions and first_id
};

// [task; suspends] Calls visit(vertex_values<T>) until it has had all vertices, in ascending order of the
// external ids. The property is one of this graph. Takes what ordered_values does.
template <class T, class Visit>
void visit_vertices(graph::distributed_graph graph, graph::property<T> property, Visit visit,
                    const call_site& at = call_site::current()) {
  const auto ordered = ordered_values<T>::create(graph, property, at);
  ordered.visit(visit);
  ordered.destroy();
}

}  // namespace orujo::internal::results
