#include "framework/formats/document_writer.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace orujo::formats {
namespace {

// A graph whose edges all have their reverse is undirected, and each edge stands there once.
bool is_undirected(const graph_traits& traits) { return traits.edges > 0 && traits.symmetric(); }

// The code of the character that begins at byte `at`, which is moved behind it; 0xffffffff where there is
// none.
std::uint32_t next_code(std::string_view text, std::size_t& at) {
  constexpr std::uint32_t none = 0xffffffff;
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int more = first >= 0xf5 ? -1 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc2 ? 1 : -1;
  if (more < 0 || text.size() - at < static_cast<std::size_t>(more)) return none;
  std::uint32_t code = first & (0x3fu >> more);
  for (int k = 0; k < more; ++k) {
    const auto byte = static_cast<unsigned char>(text[at++]);
    if ((byte & 0xc0) != 0x80) return none;
    code = code << 6 | (byte & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[more] || code > 0x10ffff || surrogate ? none : code;
}

// With entities for what has a meaning in XML and GML, and in GML, which is ASCII, for all other letters.
void append_escaped(std::string& to, std::string_view text, bool ascii) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::uint32_t code = next_code(text, at);
    switch (code) {
      case '&':
        to += "&amp;";
        break;
      case '<':
        to += "&lt;";
        break;
      case '>':
        to += "&gt;";
        break;
      case '"':
        to += "&quot;";
        break;
      default:
        if (ascii && code >= 0x80) {
          to += fmt::format("&#{};", code);
        } else {
          to += text.substr(begin, at - begin);
        }
    }
  }
}

// NetworkX and igraph want a number of GML that is not whole to have a point.
std::string gml_number(float weight) {
  std::string text = fmt::format("{}", weight);
  const std::size_t exponent = text.find('e');
  if (exponent != text.npos && text.find('.') == text.npos) text.insert(exponent, ".0");
  return text;
}

std::uint64_t id_of_row(const row_block& block, std::size_t row) {
  return block.ids.empty() ? block.first_vertex + row : block.ids[row];
}

void append_graphml_vertex(std::string& to, const row_block& block, std::uint64_t vertex) {
  if (block.names) {
    append_escaped(to, (*block.names)[vertex], false);
  } else {
    to += fmt::format_int(vertex).str();
  }
}

void append_node(file_format format, const row_block& block, std::size_t row, std::string& to) {
  const std::uint64_t vertex = id_of_row(block, row);
  if (format == file_format::graphml) {
    to += "    <node id=\"";
    append_graphml_vertex(to, block, vertex);
    to += "\"/>\n";
    return;
  }
  to += fmt::format("  node [ id {} label \"", vertex);
  append_escaped(to, block.names ? (*block.names)[vertex] : std::string_view(fmt::format_int(vertex).str()),
                 true);
  to += "\" ]\n";
}

void append_edge(file_format format, const row_block& block, std::uint64_t source, std::size_t k,
                 std::string& to) {
  const std::uint64_t target = block.neighbours[k];
  const bool weighted = !block.weights.empty();
  if (format == file_format::gml) {
    to += fmt::format("  edge [ source {} target {}", source, target);
    if (weighted) to += " weight " + gml_number(block.weights[k]);
    to += " ]\n";
    return;
  }
  to += "    <edge source=\"";
  append_graphml_vertex(to, block, source);
  to += "\" target=\"";
  append_graphml_vertex(to, block, target);
  to += weighted ? fmt::format("\"><data key=\"w\">{}</data></edge>\n", block.weights[k]) : "\"/>\n";
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (next_code(text, at) == 0xffffffff) return false;
  }
  return true;
}

std::string document_opening(file_format format, int section, const graph_traits& traits) {
  const bool undirected = is_undirected(traits);
  if (format == file_format::gml) {
    if (section == 0) return fmt::format("Creator \"Orujo\"\ngraph [\n  directed {}\n", undirected ? 0 : 1);
    return section == 2 ? "]\n" : "";
  }
  if (section == 2) return "  </graph>\n</graphml>\n";
  if (section == 1) return "";
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
      "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n{}"
      "  <graph edgedefault=\"{}\">\n",
      traits.weighted ? "  <key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n" : "",
      undirected ? "undirected" : "directed");
}

void append_to_document(file_format format, int section, const graph_traits& traits, const row_block& block,
                        std::string& to) {
  if (section == 2) return;
  const bool undirected = is_undirected(traits);
  for (std::size_t row = 0; row < block.rows(); ++row) {
    if (section == 0) {
      append_node(format, block, row, to);
      continue;
    }
    const std::uint64_t source = id_of_row(block, row);
    const std::uint64_t first = block.offsets[row] - block.offsets[0];
    for (std::uint64_t k = first; k < block.offsets[row + 1] - block.offsets[0]; ++k) {
      if (!undirected || source <= block.neighbours[k]) append_edge(format, block, source, k, to);
    }
  }
}

}  // namespace orujo::formats
