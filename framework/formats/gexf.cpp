// GEXF (gexf.net), of Gephi: <node id label>, <edge source target type weight>.
#include <fmt/format.h>

#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/xml_document.hpp"

namespace orujo::internal::formats {
namespace {

class gexf_reader final : public xml_reader {
 public:
  explicit gexf_reader(document_builder& builder) : builder_(builder) {}

  status open(std::string_view tag, const xml_attributes& attributes, text_place at) override {
    if (!begun_ && tag != "gexf") return builder_.bad(at, fmt::format("<{}>; expected <gexf>", tag));
    begun_ = true;
    if (tag == "graph") return open_graph(attributes, at);
    if (tag == "nodes" && nodes_depth_++ > 0)
      return builder_.bad(at, "nodes in a node; expected a graph without a hierarchy");
    if (tag == "node") {
      const auto id = attributes.find("id");
      if (!id || attributes.find("pid"))
        return builder_.bad(at, id ? "a node in another; expected a graph without a hierarchy"
                                   : "a node without id; expected <node id=\"..\">");
      return builder_.add_labelled_node(*id, attributes.find("label"), at);
    }
    return tag == "edge" ? add_edge(attributes, at) : status();
  }

  status close(std::string_view tag) override {
    if (tag == "nodes") --nodes_depth_;
    return {};
  }
  status text(std::string_view) override { return {}; }
  status check_end() const {
    return graphs_ > 0 ? status() : builder_.bad({1, 1}, "no <graph>; expected one");
  }

 private:
  status open_graph(const xml_attributes& attributes, text_place at) {
    if (++graphs_ > 1) return builder_.bad(at, "a second graph; expected one");
    if (attributes.find("mode") == "dynamic")
      return builder_.bad(at, "edges that exist at some times only; expected a graph of one time");
    undirected_ = attributes.find("defaultedgetype").value_or("undirected") != "directed";
    return {};
  }

  status add_edge(const xml_attributes& attributes, text_place at) {
    const auto source = attributes.find("source"), target = attributes.find("target");
    if (!source || !target)
      return builder_.bad(at, "an edge without its ends; expected <edge source=\"..\" target=\"..\">");
    const std::string type = attributes.find("type").value_or(undirected_ ? "undirected" : "directed");
    if (type != "directed" && type != "undirected" && type != "mutual")
      return builder_.bad(at, "an edge of another type; expected directed, undirected or mutual");
    return builder_.add_edge(*source, *target, at, type != "directed", attributes.find("weight"));
  }

  document_builder& builder_;
  int graphs_ = 0, nodes_depth_ = 0;
  bool begun_ = false, undirected_ = true;
};

}  // namespace

result<document> read_gexf(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::declared, most_bytes);
  builder.set_missing_weight(1);
  gexf_reader reader(builder);
  if (status failed = read_xml(source, reader); !failed.ok()) return failed;
  if (status failed = reader.check_end(); !failed.ok()) return failed;
  return builder.finish(file_format::gexf);
}

}  // namespace orujo::internal::formats
