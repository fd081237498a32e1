#include "applications/graph_tool/explore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"
#include "framework/formats/document.hpp"
#include "framework/formats/numbered_edges.hpp"
#include "framework/formats/sample_graphs.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/formats/text_sample.hpp"
#include "framework/graph/build/document_input.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/build/text_input.hpp"
#include "framework/graph/store/orj/input.hpp"
#include "system/base/printable.hpp"

namespace orujo::internal::graph_tool {
namespace {

using base::printable;
using formats::text_layout, formats::text_sample, formats::table_columns;
using harness::counted, harness::print;

constexpr std::size_t sample_bytes = std::size_t{1} << 20;
constexpr std::size_t rows_shown = 5;
constexpr std::uint64_t most_of_document = std::uint64_t{64} << 20;

// For a shell.
std::string quoted(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string all = "'";
  for (const char c : text) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

// The command that loads the graph as the request does.
void print_command(const graph::graph_request& r) {
  const bool has_weights = !r.weight_column.empty();  // which pagerank would not accept
  std::string line =
      fmt::format("bin/orujo run {} --graph={}", has_weights ? "sssp" : "pagerank", quoted(r.graph));
  const auto add_text = [&](const char* flag, const std::string& value, const char* otherwise) {
    if (value != otherwise) line += fmt::format(" --{}={}", flag, quoted(value));
  };
  const auto add_switch = [&](const char* flag, bool given) {
    if (given) line += fmt::format(" --{}", flag);
  };
  add_text("format", r.format, "auto");
  add_switch("names", r.names);
  if (r.header) line += *r.header ? " --header" : " --noheader";
  add_text("separator", r.separator, "auto");
  add_text("source_column", r.source_column, "");
  add_text("target_column", r.target_column, "");
  add_text("weight_column", r.weight_column, "");
  add_text("time_column", r.time_column, "");
  if (r.bipartite) line += *r.bipartite ? " --bipartite" : " --nobipartite";
  add_switch("ignore_weights", r.ignore_weights);
  add_switch("undirected", r.symmetrize);
  print("\nto load it:\n  {}\n", printable(line));
}

std::string name_of_separator(char separator) {
  switch (separator) {
    case ',':
      return "commas";
    case '\t':
      return "tabs";
    case ';':
      return "semicolons";
    case '|':
      return "bars";
    case ':':
      return "two colons";
    default:
      return "blanks";
  }
}

std::string name_of_column(const text_sample& sample, std::size_t column) {
  if (sample.file.layout.table.separator == ':') column /= 2;
  return column < sample.names.size() ? sample.names[column] : std::to_string(column + 1);
}

std::string list_of_columns(const text_sample& sample) {
  std::string all;
  for (std::size_t k = 0; k < sample.columns; ++k)
    all += (all.empty() ? "" : ", ") + (k < sample.names.size() ? sample.names[k] : std::to_string(k + 1));
  return all;
}

void print_table(const text_sample& sample) {
  const text_layout& layout = sample.file.layout;
  const table_columns& table = layout.table;
  print("separator: {}\n", name_of_separator(table.separator));
  print("header: {}\n", sample.names.empty() ? "none" : "the first row");
  print("columns: {}\n", printable(list_of_columns(sample)));
  print("ends of an edge: {} -> {}\n", printable(name_of_column(sample, table.source)),
        printable(name_of_column(sample, table.target)));
  std::string others;
  for (const std::size_t k : sample.others_of_numbers)
    others += (others.empty() ? "" : ", ") + name_of_column(sample, k);
  if (table.weight != table_columns::none && !layout.ignores_weights)
    print("weights: {}\n", printable(name_of_column(sample, table.weight)));
  else
    print("weights: none{}\n",
          others.empty() ? "" : printable("; columns of numbers, for --weight_column: " + others));
}

// The edges to describe.
struct sampled_edges {
  const formats::edge_list& list;
  std::vector<std::size_t> places;  // in the list, of edges that stand in the file
  bool named;
  std::function<std::string(std::uint64_t vertex)> text_of;
  std::string_view amount;          // the part of the file that they are
  std::string_view direction = {};  // if the file or a flag says it
};

void print_rows(const sampled_edges& sample) {
  print("first edges:\n");
  for (std::size_t k = 0; k < std::min(rows_shown, sample.places.size()); ++k) {
    const std::size_t place = sample.places[k];
    const edge& e = sample.list.edges[place];
    const std::string weight =
        sample.list.weights.empty() ? std::string() : fmt::format("  ({})", sample.list.weights[place]);
    print("  {} -> {}{}\n", printable(sample.text_of(e.source)), printable(sample.text_of(e.target)), weight);
  }
}

std::string_view direction_of(const std::vector<edge>& sorted) {
  const bool has_reverses = std::ranges::all_of(sorted, [&](const edge& e) {
    return std::ranges::binary_search(sorted, edge{e.target, e.source});
  });
  if (has_reverses) return "each edge has its reverse";
  return "unknown; read as directed: add --undirected if an edge leads both ways";
}

void print_edges(const sampled_edges& sample) {
  std::vector<edge> edges;
  std::size_t loops = 0;
  for (const std::size_t k : sample.places) {
    edges.push_back(sample.list.edges[k]);
    loops += edges.back().source == edges.back().target ? 1 : 0;
  }
  std::ranges::sort(edges);
  std::vector<edge> distinct = edges;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  print("vertices: {}\n", sample.named ? "names" : "whole numbers");
  print("direction: {}\n", sample.direction.empty() ? direction_of(distinct) : sample.direction);
  print("{}: {}, {}, {}\n", sample.amount, counted(edges.size(), "edge"),
        counted(edges.size() - distinct.size(), "duplicate"), counted(loops, "self-loop"));
  print_rows(sample);
}

// The positions in the list of the edges that stand in the file, without the reverse edges beside them.
std::vector<std::size_t> edges_of_file(const text_sample& sample) {
  std::vector<std::size_t> places;
  const auto& edges = sample.file.list.edges;
  for (std::size_t k = 0; k < edges.size(); ++k) {
    places.push_back(k);
    if (sample.file.layout.mirrored && edges[k].source != edges[k].target) ++k;
  }
  return places;
}

std::string_view direction_by(const text_sample& sample, bool undirected) {
  if (sample.file.layout.mirrored) return "undirected, as the file says";
  if (sample.file.totals.says_undirected)
    return "undirected, as a comment of the file says: add --undirected";
  return undirected ? "undirected, by --undirected" : "";
}

void print_edges(const text_sample& sample, bool whole, bool undirected) {
  const text_layout& layout = sample.file.layout;
  if (layout.bipartite) print("targets: other vertices than sources, even with equal ids\n");
  const auto text_of = [&](std::uint64_t vertex) {
    return layout.named ? std::string(sample.file.names[vertex]) : std::to_string(vertex + layout.least_id);
  };
  print_edges({sample.file.list, edges_of_file(sample), layout.named, text_of,
               whole ? "whole file" : "first MiB", direction_by(sample, undirected)});
}

// A sample by the request, or by one that differs from it in as little as possible.
struct attempt {
  graph::graph_request request;
  std::vector<std::string> why = {};  // it differs
  std::optional<text_sample> sample = {};
};

class sampler {
 public:
  sampler(std::string_view head, bool whole, std::string path)
      : head_(head), whole_(whole), path_(std::move(path)) {}

  result<attempt> find(const graph::graph_request& asked) const {
    attempt first{asked};
    const status failed = read(first);
    if (failed.ok()) return first;
    for (const unsigned changes : {1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
      attempt next{asked};
      if (!change(next, changes) || !read(next).ok()) continue;
      // Only a header that names no ends makes a choice of columns necessary.
      if ((changes & 2) != 0 && next.sample->names.empty()) continue;
      next.why.insert(next.why.begin(), failed.message());
      name_columns(next);
      return next;
    }
    return failed;
  }

 private:
  // False if one of the changes has been made already.
  static bool change(attempt& to, unsigned changes) {
    graph::graph_request& r = to.request;
    if ((changes & 1) != 0) {
      if (std::exchange(r.names, true)) return false;
      to.why.emplace_back("so vertices are read as names: --names");
    }
    if ((changes & 2) != 0) {
      if (!r.source_column.empty() || !r.target_column.empty()) return false;
      r.source_column = "1", r.target_column = "2";
      to.why.emplace_back(
          "so the first two columns are tried; change --source_column and --target_column if others are the "
          "ends");
    }
    if ((changes & 4) != 0) {
      if (!r.weight_column.empty() || std::exchange(r.ignore_weights, true)) return false;
      to.why.emplace_back("so weights are left out: --ignore_weights");
    }
    return true;
  }

  status read(attempt& of) const {
    const auto resolved = graph::resolve(of.request);
    if (!resolved.ok()) return resolved.status();
    auto sample = formats::read_sample(head_, whole_, path_, graph::text_request_of(resolved.value().source));
    if (!sample.ok()) return sample.status();
    of.sample = std::move(sample).value();
    if (of.sample->file.totals.has_dropped_header) of.request.header = true;
    if (of.sample->file.totals.says_undirected) of.request.symmetrize = true;
    return {};
  }

  // Names say more than the numbers of columns.
  static void name_columns(attempt& of) {
    for (std::string* column : {&of.request.source_column, &of.request.target_column}) {
      const std::size_t number = *column == "1" ? 0 : 1;
      const auto& names = of.sample->names;
      if ((*column == "1" || *column == "2") && number < names.size() &&
          std::ranges::count(names, names[number]) == 1)
        *column = names[number];
    }
  }

  std::string_view head_;
  bool whole_;
  std::string path_;
};

status explore_text(const graph::graph_request& asked, formats::byte_source& source) {
  formats::looked_at_source start(source);
  const auto head = start.look(sample_bytes);
  if (!head.ok()) return head.status();
  const bool whole = head.value().size() < sample_bytes;
  const auto found = sampler(head.value(), whole, source.path()).find(asked);
  if (!found.ok()) return found.status();
  const attempt& a = found.value();
  const text_sample& sample = *a.sample;
  print("{}: {}\n", printable(source.path()), formats::name_of(formats::format_of(sample.file.layout)));
  if (sample.file.layout.is_table())
    print_table(sample);
  else
    print("weights: {}\n", sample.file.list.weights.empty() ? "none" : "yes");
  print_edges(sample, whole, asked.symmetrize);
  for (const std::string& line : a.why) print("note: {}\n", printable(line));
  formats::text_totals totals = sample.file.totals;
  totals.has_header &= whole;
  for (const std::string& warning : formats::check_header(totals, source.path()))
    print("note: {}\n", printable(warning));
  print_command(a.request);
  return {};
}

void print_other(const graph::graph_request& asked, const std::string& path, formats::file_format format,
                 const std::string& more) {
  print("{}: {}{}\n", printable(path), formats::name_of(format), more);
  print("graph_tool check reads all of it\n");
  print_command(asked);
}

std::string sizes(std::optional<std::uint64_t> vertices, std::uint64_t edges, bool weighted) {
  return fmt::format("{}, {}, {}", vertices ? ", " + counted(*vertices, "vertex", "vertices") : "",
                     counted(edges, "edge"), weighted ? "weighted" : "without weights");
}

// Reads all of a document that is not large.
status explore_document(const graph::graph_request& asked, formats::byte_source& source,
                        formats::file_format format) {
  if (!source.seekable() || source.size() > most_of_document) {
    print_other(asked, source.path(), format, "");
    return {};
  }
  const formats::document_request wanted{asked.names, asked.ignore_weights, false, asked.weight_column};
  const auto read = formats::read_document(source, format, wanted);
  if (!read.ok()) return read.status();
  const formats::document& found = read.value();
  const auto text_of = [&](std::uint64_t vertex) {
    if (found.named) return std::string(found.names[vertex]);
    return std::to_string(found.ids.empty() ? vertex + found.first_id : found.ids[vertex]);
  };
  print("{}: {}\n", printable(source.path()), formats::name_of(format));
  if (const auto* const sample = formats::find_sample_graph(asked.graph);
      sample && !std::filesystem::exists(asked.graph))
    print("sample: {} ({})\n", sample->content, sample->source);
  print("weights: {}\n", found.list.weights.empty() ? "none" : "yes");
  std::vector<std::size_t> places(found.list.edges.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  print_edges({found.list, places, found.named, text_of, "whole file",
               asked.symmetrize ? "undirected, by --undirected" : ""});
  print_command(asked);
  return {};
}

}  // namespace

status explore() {
  using formats::file_format;
  const graph::graph_request asked = graph::request_from_flags();
  const auto request = graph::resolve(asked);
  if (!request.ok()) return request.status();
  const graph::input_source& from = request.value().source;
  if (from.file.empty()) return {exit_status::usage, "explore requires a file: add --graph=FILE"};
  const auto by_name = from.format ? from.format : formats::format_of_path(from.file);
  if (by_name == file_format::ldbc) {
    print_other(asked, from.file, file_format::ldbc, "");
    return {};
  }
  const auto opened = formats::open_source(from.file);
  if (!opened.ok()) return opened.status();
  formats::byte_source& source = *opened.value();
  const auto orj = graph::find_orj(from, source);
  if (!orj.ok()) return orj.status();
  if (orj.value()) {
    print_other(asked, source.path(), file_format::orj,
                sizes(orj.value()->vertices, orj.value()->edges, orj.value()->weighted));
    return {};
  }
  if (by_name == file_format::adjacency && !source.seekable()) {
    print_other(asked, source.path(), file_format::adjacency, "");
    return {};
  }
  const auto numbered =
      formats::numbered_edges::find(source, {from.format, from.scale, from.ignores_weights});
  if (!numbered.ok()) return numbered.status();
  if (const auto& file = numbered.value()) {
    print_other(asked, source.path(), file->format(),
                sizes(file->vertices(), file->edges(), file->weighted()));
    return {};
  }
  formats::looked_at_source looked_at(source);
  const auto document = graph::find_document(from, looked_at);
  if (!document.ok()) return document.status();
  if (!document.value()) return explore_text(asked, looked_at);
  return explore_document(asked, looked_at, *document.value());
}

}  // namespace orujo::internal::graph_tool
