// A property's values by the vertices' ids or names: what goes out of a job.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/gas/property.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/results/by_position.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/results/table_rows.hpp"
#include "framework/results/value_text.hpp"
#include "framework/results/vertex_labels.hpp"
#include "system/base/output_file.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::results {

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
  // [task; suspends] A message of a value and 16 bytes for each vertex whose place is another core's.
  static ordered_values create(graph::distributed_graph graph, gas::property<T> property) {
    return {graph, by_position<vertex>(graph, [property](const graph::locale_graph& g, std::uint32_t v) {
              return vertex{g.external_id(v), property.here()[v]};
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

  // [task; suspends] Writes a line for each vertex, "ID VALUE" or "NAME VALUE". Every core makes the lines of
  // its block by append(std::string& to, const T&), which travels; the calling core writes them. Takes the
  // size of the text as memory, spread over the cores.
  template <class Append = as_decimals>
  void write_lines(output_file& output, Append append = {}) const {
    write_rows(output, [append](std::string& to, const vertex_label& label, const T& value) {
      append_vertex(to, row_format::text, label);
      to += ' ';
      append(to, value);
      to += '\n';
    });
  }

  // [task; suspends] The same as a table with the columns, each number by as_number(std::string& to, number).
  // Vertices with names have no place in npy.
  template <class Text = as_decimals>
  void write_table(output_file& output, row_format format, const std::vector<std::string>& columns,
                   Text as_number = {}) const {
    output.write(table_head(format, columns_of<T>(columns), all_.size()));
    write_rows(output, [format, as_number](std::string& to, const vertex_label& label, const T& value) {
      append_vertex(to, format, label);
      numbers_of<T>::visit(value, [&](auto number) { append_number(to, format, number, as_number); });
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
      : graph_(graph), all_(all) {}

  template <class Row>
  void write_rows(output_file& output, Row row) const {
    const auto texts = memory::symmetric<text_pieces>::reserve();
    loops::on_all_cores([texts, row, values = *this] { texts.emplace_here(values.rows_here(row)); });
    write_texts(texts, output);
    loops::on_all_cores([texts] { texts.erase_here(); });
  }

  template <class Row>
  text_pieces rows_here(const Row& row) const {
    const auto& names = graph_.here().names;
    const std::span<const vertex> mine = all_.local();
    const std::size_t before = all_.range_here().first;
    text_pieces pieces;
    std::string text;
    for (std::size_t first = 0; first < mine.size(); first += vertices_of_piece) {
      const std::size_t last = std::min(mine.size(), first + vertices_of_piece);
      const formats::name_table their_names =
          names ? names->part(before + first, before + last) : formats::name_table();
      text.clear();
      for (std::size_t k = first; k < last; ++k) {
        row(text, {mine[k].id, names ? their_names[k - first] : std::string_view()}, mine[k].value);
      }
      pieces.push_back(text);
    }
    return pieces;
  }

  graph::distributed_graph graph_;
  containers::global_array<vertex> all_;
};

// [task; suspends] Calls visit(vertex_values<T>) until it has had all vertices, in ascending order of the
// external ids. Takes what ordered_values does.
template <class T, class Visit>
void visit_vertices(graph::distributed_graph graph, gas::property<T> property, Visit visit) {
  const auto ordered = ordered_values<T>::create(graph, property);
  ordered.visit(visit);
  ordered.destroy();
}

}  // namespace orujo::results
