#include "framework/formats/recognise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "framework/formats/byte_sink.hpp"
#include "framework/formats/file_format.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/numpy_array.hpp"
#include "framework/formats/table_header.hpp"

namespace orujo::internal::formats {
namespace {

// Comments of any format, and lines without anything.
bool is_passed_over(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t\r");
  return start == line.npos || line[start] == '%' || line[start] == '#' || line.substr(start, 2) == "//";
}

std::string letters_of(std::string_view line) {
  std::string letters;
  for (const char c : lower(line)) {
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

bool begins_with_banner(const header_reader& first) {
  return !first.words().empty() && first.words()[0].column == 1 &&
         is_matrix_market_banner(lower(first.words()[0].text));
}

// The format of a document by its first line that is not empty.
std::optional<file_format> document_by(const header_reader& first, std::string_view head) {
  if (head.starts_with(numpy_magic)) return file_format::npy;
  if (head.starts_with("PK\3\4")) return file_format::npz;  // other archives are unpacked by now
  const auto& words = first.words();
  const std::string word = lower(words[0].text), second = words.size() > 1 ? lower(words[1].text) : "";
  const bool alone = words.size() == 1;
  if (word.starts_with('<')) {
    const std::size_t graphml = head.find("<graphml"), gexf = head.find("<gexf");
    if (graphml != gexf) return graphml < gexf ? file_format::graphml : file_format::gexf;
  }
  if ((word == "graph" && (alone || second.starts_with('['))) || word.starts_with("graph[") ||
      (word == "creator" && second.starts_with('"')))
    return file_format::gml;
  if (word == "*vertices" || word == "*network") return file_format::pajek;
  if ((word == "graph" || word == "digraph" || word == "strict") &&
      first.line().find('{') != std::string::npos)
    return file_format::dot;
  if (word.starts_with('{')) return file_format::json;
  if (word.starts_with(">>graph6<<") || word.starts_with(">>sparse6<<") || word.starts_with(">>digraph6<<"))
    return file_format::graph6;
  return {};
}

// Names formats of other programs whose lines would pass for edges of names.
std::optional<std::string_view> format_of_others(const header_reader& first) {
  const auto& words = first.words();
  const std::string word = lower(words[0].text), second = words.size() > 1 ? lower(words[1].text) : "";
  if (word.starts_with("<?xml") || word.starts_with("<!doctype") || word.starts_with("<svg"))
    return "XML that is neither GraphML nor GEXF";
  if (word.starts_with('*')) return "a part of a Pajek network";
  if (word.starts_with('[')) return "a list in JSON";
  if (word == "dl" && second.starts_with('n')) return "UCINET's DL";
  if (word.starts_with("nodedef>")) return "GDF";
  return {};
}

// Rejects formats that are recognised but cannot be read. A message with the format is clearer than one about
// the first byte.
status refuse_binaries(std::string_view head, std::string_view path) {
  const auto refuse = [&](std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: {}", path, what));
  };
  using namespace std::string_view_literals;
  for (const std::string_view version : {"\1\0\0\0\0\0\0\0"sv, "\2\0\0\0\0\0\0\0"sv}) {
    if (head.starts_with(version))
      return refuse("this looks like Galois' binary .gr; write an edge list: graph-convert -gr2edgelist");
  }
  if (head.starts_with("AdjacencyGraph") || head.starts_with("WeightedAdjacencyGraph"))
    return refuse(
        "this is an adjacency graph, as Ligra has them; remove --format, and name a compressed one .adj.gz");
  return {};
}

// Rejects containers of tables and graphs of other programs.
status refuse_containers(std::string_view head, std::string_view path) {
  struct container {
    std::string_view start, name, remedy;
  };
  using namespace std::string_view_literals;
  constexpr container containers[] = {
      {"PAR1", "Parquet",
       "write a table: duckdb -c \"COPY (FROM 'FILE') TO 'edges.csv' (HEADER)\", or "
       "pandas.read_parquet(FILE).to_csv('edges.csv', index=False)"},
      {"ARROW1", "Arrow's IPC, or Feather",
       "write a table: pandas.read_feather(FILE).to_csv('edges.csv', index=False)"},
      {"\x89HDF\r\n\x1a\n"sv, "HDF5, which MATLAB's .mat is, too",
       "write the matrix as Matrix Market: scipy.io.mmwrite('graph.mtx', matrix)"},
      {"MATLAB 5.0 MAT-file", "MATLAB's .mat",
       "write the matrix as Matrix Market: scipy.io.mmwrite('graph.mtx', scipy.io.loadmat(FILE)['NAME'])"},
      {"SQLite format 3\0"sv, "a database of SQLite",
       "write a table: sqlite3 -csv -header FILE 'SELECT source, target FROM edges' >edges.csv"},
      {"\x80\x03"sv, "a pickle of Python's",
       "write the graph by networkx.write_graphml(graph, 'graph.graphml')"},
      {"\x80\x04"sv, "a pickle of Python's",
       "write the graph by networkx.write_graphml(graph, 'graph.graphml')"},
      {"\x80\x05"sv, "a pickle of Python's",
       "write the graph by networkx.write_graphml(graph, 'graph.graphml')"},
  };
  for (const container& c : containers) {
    // Text may begin with a vertex of such a name.
    const std::string_view next = head.substr(std::min(head.size(), c.start.size()), 1);
    const bool is_a_name = c.start.find(' ') == c.start.npos && next.find_first_of(" \t,;\r\n") == 0;
    if (head.starts_with(c.start) && !is_a_name)
      return {exit_status::bad_data,
              fmt::format("{}: this is {}, which is not read; {}", path, c.name, c.remedy)};
  }
  return {};
}

// Returns nothing if all edge lists would begin so, too. Fails if it is nearly one of the formats.
result<std::optional<text_format>> format_of_content(std::string_view head, std::string_view path) {
  header_reader header(head, path);
  bool first = true;
  for (; header.next(); first = false) {
    const std::string_view line = header.line();
    if (first && begins_with_banner(header)) return std::optional(text_format::matrix_market);
    if (line.find('%') != line.npos && is_passed_over(line) && letters_of(line).starts_with("matrixmarket"))
      return header.bad(
          1,
          "nearly the banner of Matrix Market, which is '%%MatrixMarket' at the start of the first line; "
          "correct it, or remove it with the line of sizes after it for an edge list");
    if (first && is_konect_header(line)) return std::optional(text_format::konect);
    if (first && !header.words().empty() && (header.words()[0].text == "c" || header.words()[0].text == "p"))
      return std::optional(text_format::dimacs);
    if (!is_passed_over(line)) break;
  }
  if (header.words().empty()) return std::optional<text_format>();
  if (is_known_header(header.line()) || begins_with_ratings(header.line()))
    return std::optional(text_format::csv);
  if (const auto document = document_by(header, head))
    return header.bad(
        header.words()[0].column,
        fmt::format("this looks like {0}; pass --format={0}, or --format=edge_list if it is one",
                    name_of(*document)));
  if (const auto others = format_of_others(header))
    return header.bad(header.words()[0].column,
                      fmt::format("this looks like {}, which is not read; write it as one of {}, or pass "
                                  "--format=edge_list if it is one",
                                  *others, format_list));
  return std::optional<text_format>();
}

// .txt is the name of any text.
std::optional<file_format> format_of_name(std::string_view path) {
  std::string_view rest = path;
  take_compression(rest);
  return rest.ends_with(".txt") ? std::optional<file_format>() : format_of_path(path);
}

}  // namespace

bool names_an_edge_list(std::string_view path) { return format_of_name(path) == file_format::edge_list; }

result<std::optional<file_format>> recognise_document(std::string_view head, std::string_view path,
                                                      std::optional<file_format> wanted) {
  std::optional<file_format> none;
  if (wanted) return is_document(*wanted) ? wanted : none;
  std::optional<file_format> by_name = format_of_name(path);
  if (by_name && !is_document(*by_name)) return none;
  header_reader header(head, path);
  while (header.next() && is_passed_over(header.line())) {
  }
  const auto by_content = header.words().empty() ? none : document_by(header, head);
  if (by_name && by_content && by_name != by_content)
    return header.bad(
        header.words()[0].column,
        fmt::format("by its name this is {}, but it begins like {}; pass --format with what it is",
                    name_of(*by_name), name_of(*by_content)));
  return by_name ? by_name : by_content;
}

result<text_format> recognise(std::string_view head, std::string_view path, const text_request& wanted) {
  if (status refused = refuse_binaries(head, path); !refused.ok()) return refused;
  if (status refused = refuse_containers(head, path); !refused.ok()) return refused;
  if (wanted.format) return *wanted.format;
  const auto by_content = format_of_content(head, path);
  if (!by_content.ok()) return by_content.status();
  const std::optional<file_format> by_name = format_of_name(path);
  const std::optional<text_format> text = by_name ? text_format_of(*by_name) : std::nullopt;
  const bool has_lines_of_edges = by_content.value().value_or(text_format::csv) >= text_format::csv;
  if (wanted.table.any() && has_lines_of_edges && (!by_name || text == text_format::edge_list))
    return text_format::csv;
  if (!by_name && wanted.table.any())
    return status(
        exit_status::bad_data,
        fmt::format(
            "{}:1:1: this begins like {}, but --source_column and similar flags are for tables; remove them",
            path, name_of(static_cast<file_format>(*by_content.value()))));
  if (!by_name) return by_content.value().value_or(text_format::edge_list);
  const auto no = [&](std::string_view looks) {
    return status(exit_status::bad_data,
                  fmt::format("{}:1:1: by its name this is {}, but {}; pass --format with what it is", path,
                              name_of(*by_name), looks));
  };
  if (!text) return no("it does not begin like that");
  if (wanted.table.any() && text != text_format::csv)
    return no("--source_column and similar flags are for tables");
  // Names of an edge list may well be 'c' and 'p', and 'source' and 'target'.
  const bool may_be_names =
      wanted.named && text == text_format::edge_list &&
      (by_content.value() == text_format::dimacs || by_content.value() == text_format::csv);
  if (by_content.value() && by_content.value() != text && !may_be_names)
    return no(fmt::format("it begins like {}", name_of(static_cast<file_format>(*by_content.value()))));
  return *text;
}

}  // namespace orujo::internal::formats
