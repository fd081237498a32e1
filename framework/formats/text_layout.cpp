#include "framework/formats/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>
#include <string>

#include "framework/formats/file_format.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/recognise.hpp"
#include "framework/formats/table_header.hpp"
#include "system/base/counted.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t most_vertex_weights = 1024;
constexpr std::uint64_t most_vertices_of_file = std::uint64_t{1} << 40;

status set_vertices(const header_reader& header, std::size_t at, std::uint64_t vertices,
                    text_layout& layout) {
  if (vertices > most_vertices_of_file)
    return header.bad_word(at, fmt::format("{} vertices; at most {}", vertices, most_vertices_of_file));
  layout.vertices = vertices;
  layout.least_id = 1;
  layout.most_id = vertices;
  return {};
}

// Rows and columns of a matrix, as vertices; columns are others than rows where there are not as many, or
// where that is wanted.
status set_rows_and_columns(header_reader& header, std::uint64_t rows, std::uint64_t columns, bool bipartite,
                            text_layout& layout) {
  if (rows == columns && !bipartite) return set_vertices(header, 0, rows, layout);
  if (layout.mirrored)
    return header.bad_word(1, fmt::format("{} and {} of a symmetric matrix that are different "
                                          "vertices; expected 'general' in the banner",
                                          base::counted(rows, "row"), base::counted(columns, "column")));
  layout.table.target_shift = layout.table.most_source = rows;
  layout.table.most_target = columns;
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return set_vertices(header, 0, rows > most - columns ? most : rows + columns, layout);
}

// %%MatrixMarket matrix coordinate real|integer|pattern general|symmetric|skew-symmetric, comments, then the
// sizes. Without the last word it is general.
result<text_layout> read_matrix_market(header_reader& header, bool bipartite) {
  constexpr std::string_view expected_banner =
      "expected '%%MatrixMarket matrix coordinate', then real, integer or pattern, then general, symmetric "
      "or skew-symmetric, as the first line";
  text_layout layout;
  layout.format = text_format::matrix_market;
  std::string words[5] = {"", "", "", "", "general"};
  for (std::size_t k = 0; k < 5; ++k) {
    if (k == 4 && header.words().size() == 4) break;
    if (k >= header.words().size())
      return header.bad_word(k, fmt::format("the line ends too soon; {}", expected_banner));
    words[k] = lower(header.words()[k].text);
    if (k == 0 && !is_matrix_market_banner(words[0]))
      return header.bad(1, fmt::format("no banner; {}", expected_banner));
  }
  const auto refuse = [&](std::size_t k) {
    return header.bad_word(k, fmt::format("'{}' is not supported; {}", words[k], expected_banner));
  };
  if (words[1] != "matrix") return refuse(1);
  if (words[2] != "coordinate") return refuse(2);
  if (words[3] == "pattern") {
    layout.columns = 2;
  } else if (words[3] == "real" || words[3] == "integer") {
    layout.columns = 3;
  } else {
    return refuse(3);
  }
  layout.whole_weights = words[3] == "integer";
  layout.negated = words[4] == "skew-symmetric";
  layout.mirrored = layout.one_triangle = layout.negated || words[4] == "symmetric";
  if (!layout.mirrored && words[4] != "general") return refuse(4);

  constexpr std::string_view expected_sizes = "expected 'rows columns entries'";
  do {
    if (!header.next())
      return header.bad(1, fmt::format("no size line in the first MiB; {}", expected_sizes));
  } while (header.words().empty() || header.line().starts_with('%'));
  std::uint64_t sizes[3];
  if (status wrong = read_counts(header, 0, sizes, expected_sizes); !wrong.ok()) return wrong;
  if (status wrong = set_rows_and_columns(header, sizes[0], sizes[1], bipartite, layout); !wrong.ok())
    return wrong;
  layout.entries = sizes[2];
  layout.line_of_counts = header.number();
  header.set_body_behind(layout);
  return layout;
}

// Comments, 'c ...', then 'p sp VERTICES ARCS', 'p max VERTICES ARCS' or 'p edge VERTICES EDGES'.
result<text_layout> read_dimacs(header_reader& header) {
  constexpr std::string_view expected_problem =
      "expected 'p sp VERTICES ARCS', 'p max VERTICES ARCS' or 'p edge VERTICES EDGES'";
  text_layout layout;
  layout.format = text_format::dimacs;
  while (header.words().empty() || header.words()[0].text == "c" || header.line().starts_with("c")) {
    if (!header.next())
      return header.bad(1, fmt::format("no problem line in the first MiB; {}", expected_problem));
  }
  if (header.words()[0].text != "p")
    return header.bad_word(0, fmt::format("no problem line; {}", expected_problem));
  const std::string_view kind = header.words().size() > 1 ? header.words()[1].text : std::string_view();
  if (kind == "sp" || kind == "max") {
    layout.letter = 'a';
    layout.node_letter = kind == "max" ? 'n' : '\0';
    layout.columns = 3;
  } else if (kind == "edge" || kind == "col") {
    layout.letter = 'e';
    layout.node_letter = 'n';
    layout.columns = 2;
  } else {
    return header.bad_word(1, fmt::format("unknown kind of problem; {}", expected_problem));
  }
  std::uint64_t sizes[2];
  if (status wrong = read_counts(header, 2, sizes, expected_problem); !wrong.ok()) return wrong;
  if (status wrong = set_vertices(header, 2, sizes[0], layout); !wrong.ok()) return wrong;
  layout.entries = sizes[1];
  layout.line_of_counts = header.number();
  header.set_body_behind(layout);
  return layout;
}

// VERTICES EDGES [FLAGS [WEIGHTS_PER_VERTEX]] after comments; the three digits of FLAGS say whether vertices
// have a size, vertices have weights, and edges have weights.
result<text_layout> read_metis(header_reader& header) {
  constexpr std::string_view expected_header =
      "expected 'VERTICES EDGES', then optionally three digits 0 or 1 and the number of weights of a vertex";
  text_layout layout;
  layout.format = text_format::metis;
  while (header.words().empty() || header.words()[0].text.starts_with('%')) {
    if (!header.next())
      return header.bad(1, fmt::format("no size line in the first MiB; {}", expected_header));
  }
  std::uint64_t numbers[4] = {0, 0, 0, 1};
  const std::size_t given = std::clamp<std::size_t>(header.words().size(), 2, 4);
  if (status wrong = read_counts(header, 0, std::span(numbers).first(given), expected_header); !wrong.ok())
    return wrong;
  const auto [vertices, edges, flags, weights] = numbers;
  if (flags % 10 > 1 || flags / 10 % 10 > 1 || flags / 100 > 1)
    return header.bad_word(2, fmt::format("not three digits 0 or 1; {}", expected_header));
  if (weights > most_vertex_weights)
    return header.bad_word(3, fmt::format("more than {} weights; {}", most_vertex_weights, expected_header));
  if (edges > std::numeric_limits<std::uint64_t>::max() / 2)
    return header.bad_word(1, fmt::format("too many edges; {}", expected_header));
  if (status wrong = set_vertices(header, 0, vertices, layout); !wrong.ok()) return wrong;
  layout.columns = flags % 10 == 1 ? 3 : 2;
  layout.skipped_columns = static_cast<std::uint32_t>(flags / 100 + (flags / 10 % 10 == 1 ? weights : 0));
  layout.entries = 2 * edges;
  layout.line_of_counts = header.number();
  header.set_body_behind(layout);
  return layout;
}

}  // namespace

std::string expected_line(const text_layout& layout) {
  switch (layout.format) {
    case text_format::edge_list:
      return "expected 'source target' or 'source target weight'";
    case text_format::matrix_market:
      return layout.columns == 2 ? "expected 'row column'" : "expected 'row column value'";
    case text_format::dimacs:
      return layout.columns == 2 ? "expected 'e source target'" : "expected 'a source target weight'";
    case text_format::csv:
    case text_format::konect:
      return fmt::format(
          "expected the source in column {}, the target in column {}{}",
          layout.table.columns_of(layout.table.source + 1), layout.table.columns_of(layout.table.target + 1),
          layout.table.weight == table_columns::none
              ? ""
              : fmt::format(", the weight in column {}", layout.table.columns_of(layout.table.weight + 1)));
    case text_format::metis:
      break;
  }
  return fmt::format(
      "expected {}{}neighbours{}", layout.skipped_columns,
      layout.skipped_columns == 1 ? " weight of the vertex, then " : " weights of the vertex, then ",
      layout.columns == 2 ? "" : ", each with a weight");
}

namespace {

// The Problem Based Benchmark Suite's lists of edges say so in the first line.
text_layout read_edge_list_header(const header_reader& header) {
  text_layout layout;
  const auto& words = header.words();
  if (words.size() != 1) return layout;
  if (words[0].text == "EdgeArray") layout.columns = 2;
  if (words[0].text == "WeightedEdgeArray") layout.columns = 3;
  if (layout.columns != 0) header.set_body_behind(layout);
  return layout;
}

result<text_layout> read_header(text_format format, header_reader& header, const text_request& wanted) {
  switch (format) {
    case text_format::csv:
      return read_csv_header(header, wanted);
    case text_format::konect:
      return read_konect_header(header, wanted);
    case text_format::edge_list:
      return read_edge_list_header(header);
    case text_format::matrix_market:
      return read_matrix_market(header, wanted.table.bipartite.value_or(false));
    case text_format::dimacs:
      return read_dimacs(header);
    case text_format::metis:
      return read_metis(header);
  }
  return text_layout{};
}

}  // namespace

result<text_layout> read_layout(std::string_view head, std::string_view path, const text_request& wanted) {
  const auto format = recognise(head, path, wanted);
  if (!format.ok()) return format.status();
  if (wanted.named && format.value() != text_format::edge_list && format.value() != text_format::csv)
    return no_names(path, static_cast<file_format>(format.value()));
  if (wanted.table.bipartite.value_or(false) &&
      (format.value() == text_format::dimacs || format.value() == text_format::metis))
    return no_sides(path, static_cast<file_format>(format.value()));
  header_reader header(head, path);
  result<text_layout> found = text_layout{};
  if (header.next()) found = read_header(format.value(), header, wanted);
  if (!found.ok()) return found;
  text_layout& layout = found.value();
  layout.named = wanted.named;
  if (layout.format == text_format::edge_list) layout.bipartite = wanted.table.bipartite.value_or(false);
  if (wanted.mirrored && layout.format == text_format::csv) layout.mirrored = true;
  layout.halved = wanted.halved && layout.format == text_format::metis;
  layout.guessed = !wanted.format && !names_an_edge_list(path);
  layout.ignores_weights = wanted.ignores_weights;
  if (wanted.non_negative_weights && !wanted.ignores_weights) layout.least_weight = 0;
  return found;
}

}  // namespace orujo::internal::formats
