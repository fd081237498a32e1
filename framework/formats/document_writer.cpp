#include "framework/formats/document_writer.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace orujo::internal::formats {
namespace {

// A graph whose edges all have their reverse is undirected, and each edge stands there once.
bool is_undirected(const graph_traits& traits) { return traits.edges > 0 && traits.symmetric(); }

constexpr std::uint32_t none = 0xffffffff;

// The code of the character that begins at byte `at`, which is moved past it; `none` if there is none.
std::uint32_t next_code(std::string_view text, std::size_t& at) {
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

// Replaces characters with a meaning in XML and GML by entities, and in GML, which is ASCII, all other
// letters.
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

// NetworkX and igraph require a point in GML numbers that are not whole.
std::string gml_number(float weight) {
  std::string text = fmt::format("{}", weight);
  const std::size_t exponent = text.find('e');
  if (exponent != text.npos && text.find('.') == text.npos) text.insert(exponent, ".0");
  return text;
}

// Writes nodes and edges of blocks. Vertices are ids, or in GraphML names where they have some.
class node_writer {
 public:
  node_writer(file_format format, const graph_traits& traits, const row_block& block, std::string& to)
      : gml_(format == file_format::gml), first_id_(traits.first_id), block_(block), to_(to) {}

  // As in neighbours.
  std::uint64_t vertex_of(std::size_t row) const {
    return block_.ids.empty() ? block_.first_vertex + row : block_.ids[row];
  }

  void append_node(std::uint64_t vertex) const {
    to_ += gml_ ? "  node [ id " : "    <node id=\"";
    append_vertex(vertex);
    if (gml_) {
      to_ += " label \"";
      append_label(vertex);
    }
    to_ += gml_ ? "\" ]\n" : "\"/>\n";
  }

  void append_edge(std::uint64_t source, std::size_t k) const {
    to_ += gml_ ? "  edge [ source " : "    <edge source=\"";
    append_vertex(source);
    to_ += gml_ ? " target " : "\" target=\"";
    append_vertex(block_.neighbours[k]);
    const bool weighted = !block_.weights.empty();
    if (gml_) {
      if (weighted) to_ += " weight " + gml_number(block_.weights[k]);
      to_ += " ]\n";
    } else {
      to_ += weighted ? fmt::format("\"><data key=\"w\">{}</data></edge>\n", block_.weights[k]) : "\"/>\n";
    }
  }

 private:
  void append_vertex(std::uint64_t vertex) const {
    if (gml_ || !block_.names) {
      to_ += fmt::format_int(vertex + first_id_).str();
    } else {
      append_label(vertex);
    }
  }
  void append_label(std::uint64_t vertex) const {
    if (block_.names) {
      append_escaped(to_, (*block_.names)[vertex], gml_);
    } else {
      to_ += fmt::format_int(vertex + first_id_).str();
    }
  }

  const bool gml_;
  const std::uint64_t first_id_;
  const row_block& block_;
  std::string& to_;
};

}  // namespace

bool is_xml_text(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t code = next_code(text, at);
    if (code == none || code == 0xfffe || code == 0xffff) return false;
  }
  return true;
}

std::string document_opening(file_format format, int section, const graph_traits& traits) {
  const bool undirected = is_undirected(traits);
  if (format == file_format::gml) {
    // NetworkX refuses parallel edges of a graph that does not say that it is a multigraph.
    if (section == 0)
      return fmt::format("Creator \"Orujo\"\ngraph [\n  directed {}\n{}", undirected ? 0 : 1,
                         traits.parallel > 0 ? "  multigraph 1\n" : "");
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
  const node_writer writer(format, traits, block, to);
  for (std::size_t row = 0; row < block.rows(); ++row) {
    const std::uint64_t source = writer.vertex_of(row);
    if (section == 0) {
      writer.append_node(source);
      continue;
    }
    const std::uint64_t first = block.offsets[row] - block.offsets[0];
    for (std::uint64_t k = first; k < block.offsets[row + 1] - block.offsets[0]; ++k) {
      if (!undirected || source <= block.neighbours[k]) writer.append_edge(source, k);
    }
  }
}

}  // namespace orujo::internal::formats
