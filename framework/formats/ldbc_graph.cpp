#include "framework/formats/ldbc_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "framework/formats/feed_range.hpp"
#include "framework/formats/header_reader.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/formats/text_parser.hpp"
#include "framework/formats/text_tokens.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t longest_properties = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

// Properties by the part of their names after 'graph.NAME.'.
using property_map = std::map<std::string, std::string, std::less<>>;

result<property_map> read_properties(const std::string& path) {
  auto opened = open_source(path);
  if (!opened.ok()) return opened.status();
  looked_at_source source(*opened.value());
  const auto text = source.look(longest_properties);
  if (!text.ok()) return text.status();
  const std::string name = std::filesystem::path(path).stem().string();
  property_map found;
  header_reader lines(text.value(), path);
  while (lines.next()) {
    const std::string_view line = trimmed(lines.line());
    if (line.empty() || line.starts_with('#') || line.starts_with('!')) continue;
    const std::size_t equals = line.find('=');
    if (equals == line.npos) return lines.bad(1, "no '='; expected 'graph.NAME.KEY = VALUE'");
    std::string_view key = trimmed(line.substr(0, equals));
    const std::string prefix = "graph." + name + ".";
    if (key.starts_with(prefix)) key.remove_prefix(prefix.size());
    found[std::string(key)] = trimmed(line.substr(equals + 1));
  }
  return found;
}

std::vector<std::string> words_between_commas(std::string_view text) {
  std::vector<std::string> words;
  while (!trimmed(text).empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    words.emplace_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return words;
}

// The first number of each line.
class vertex_line_parser {
 public:
  explicit vertex_line_parser(vertex_lines& to) : to_(to) {}

  void feed(std::string_view bytes) {
    while (!failed() && !bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      line_.append(bytes.substr(0, std::min(end, longest_line_bytes + 1 - line_.size())));
      begun_ = end == bytes.npos;
      if (begun_) return;
      parse();
      if (!failed()) ++to_.lines;
      bytes.remove_prefix(end + 1);
    }
  }
  void finish() {
    if (!failed() && begun_) parse();
  }
  bool failed() const { return !to_.error.empty(); }
  bool inside_line() const { return begun_; }

 private:
  void parse() {
    const std::string_view line = line_;
    const std::size_t first = std::min(line.find_first_not_of(blanks), line.size());
    const std::string_view token = line.substr(first, line.find_first_of(" \t\r|", first) - first);
    std::uint64_t id = 0;
    if (line.size() > longest_line_bytes) {
      to_.error =
          fmt::format("1: a line longer than {} bytes; expected the id of a vertex", longest_line_bytes);
    } else if (!token.empty() && parse_number(token, id) != std::errc()) {
      text_layout ids;
      ids.format = text_format::konect;  // whose vertices have no names
      to_.error = fmt::format("{}: {}", first + 1, why_no_id(token, ids));
    } else if (!token.empty()) {
      to_.ids.push_back(id);
    }
    line_.clear();
    begun_ = false;
  }

  vertex_lines& to_;
  std::string line_;
  bool begun_ = false;
};

}  // namespace

std::string properties_path(const std::string& path) {
  return std::filesystem::path(path).replace_extension(".properties").string();
}

result<ldbc_graph> read_ldbc_properties(const std::string& path) {
  const std::filesystem::path properties = properties_path(path);
  const auto read = read_properties(properties);
  if (!read.ok()) return read.status();
  const property_map& found = read.value();
  const auto bad = [&](std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: {}", properties.string(), what));
  };
  const auto value_of = [&](std::string_view key) {
    const auto at = found.find(key);
    return at == found.end() ? std::string() : at->second;
  };
  ldbc_graph graph;
  for (const auto& [key, file] :
       {std::pair("vertex-file", &graph.vertex_file), {"edge-file", &graph.edge_file}}) {
    if (value_of(key).empty())
      return bad(fmt::format("no '{}'; expected 'graph.{}.{} = FILE'", key, properties.stem().string(), key));
    *file = (properties.parent_path() / value_of(key)).string();
  }
  const std::string directed = value_of("directed");
  if (directed != "true" && directed != "false") return bad("'directed' is neither true nor false");
  graph.directed = directed == "true";
  const std::vector<std::string> columns = words_between_commas(value_of("edge-properties.names"));
  const std::string weight = value_of("sssp.weight-property");
  const auto at = std::ranges::find(columns, weight.empty() ? "weight" : weight);
  if (at != columns.end()) graph.weight_column = static_cast<std::uint32_t>(at - columns.begin()) + 3;
  if (at == columns.end() && !weight.empty())
    return bad(fmt::format("'edge-properties.names' have no '{}'", weight));
  graph.vertices = base::number_of<std::uint64_t>(value_of("meta.vertices"));
  graph.edges = base::number_of<std::uint64_t>(value_of("meta.edges"));
  return graph;
}

status wants_plain(const std::string& vertex_file) {
  return {exit_status::bad_data, vertex_file + ": vertices of ldbc are read from plain files; decompress it"};
}

result<vertex_lines> read_vertex_lines(byte_source& source, std::uint64_t first, std::uint64_t last) {
  vertex_lines found;
  vertex_line_parser parser(found);
  const status failed =
      feed_range(source, 0, first, last, parser, [](std::uint64_t, std::uint64_t) { return status(); });
  if (!failed.ok()) return failed;
  return found;
}

}  // namespace orujo::internal::formats
