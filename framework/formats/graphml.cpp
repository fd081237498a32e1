// GraphML (graphml.graphdrawing.org): <node id>, <edge source target>, and <data> by <key>s.
#include <fmt/format.h>

#include <utility>

#include "framework/formats/document_builder.hpp"
#include "framework/formats/document_readers.hpp"
#include "framework/formats/text_cursor.hpp"
#include "framework/formats/xml_document.hpp"

namespace orujo::internal::formats {
namespace {

class graphml_reader final : public xml_reader {
 public:
  explicit graphml_reader(document_builder& builder) : builder_(builder) {}

  status open(std::string_view tag, const xml_attributes& attributes, text_place at) override {
    if (!begun_ && tag != "graphml") return builder_.bad(at, fmt::format("<{}>; expected <graphml>", tag));
    begun_ = true;
    if (tag == "key") return open_key(attributes);
    if (tag == "graph") return open_graph(attributes, at);
    if (tag == "hyperedge") return builder_.bad(at, "a hyperedge; expected edges between two nodes");
    if (tag == "node") return open_node(attributes, at);
    if (tag == "edge") return open_edge(attributes, at);
    const bool of_all = tag == "default" && in_weight_key_;
    if (of_all ||
        (tag == "data" && in_edge_ && !weight_key_.empty() && attributes.find("key") == weight_key_)) {
      takes_text_ = true;
      text_.clear();
    }
    return {};
  }

  status close(std::string_view tag) override {
    if (tag == "key") in_weight_key_ = false;
    if (tag == "default" && takes_text_) default_weight_ = text_;
    if (tag == "data" && takes_text_) weight_ = text_;
    if (tag == "default" || tag == "data") takes_text_ = false;
    if (tag == "node") in_node_ = false;
    if (tag != "edge" || !in_edge_) return {};
    in_edge_ = false;
    return builder_.add_edge(source_, target_, place_, both_, weight_ ? weight_ : default_weight_);
  }

  status text(std::string_view some) override {
    if (!takes_text_) return {};
    for (const char c : some) {
      if (!is_blank(c) && c != '\n') text_ += c;
    }
    if (text_.size() > longest_text_bytes) return builder_.bad(place_, "a weight of more than a MiB");
    return {};
  }

  status check_end() const {
    return graphs_ > 0 ? status() : builder_.bad({1, 1}, "no <graph>; expected one");
  }

 private:
  status open_key(const xml_attributes& attributes) {
    const std::string of = attributes.find("for").value_or("all");
    in_weight_key_ =
        (of == "edge" || of == "all") && builder_.is_weight(attributes.find("attr.name").value_or(""));
    if (in_weight_key_) weight_key_ = attributes.find("id").value_or("");
    return {};
  }

  status open_graph(const xml_attributes& attributes, text_place at) {
    if (in_node_ || in_edge_ || ++graphs_ > 1)
      return builder_.bad(at, in_node_ || in_edge_
                                  ? "a graph in a node or edge; expected GraphML without nested graphs"
                                  : "a second graph; expected one");
    const std::string directed = attributes.find("edgedefault").value_or("");
    if (directed != "directed" && directed != "undirected")
      return builder_.bad(at, "a graph without edgedefault; expected it to be directed or undirected");
    undirected_ = directed == "undirected";
    return {};
  }

  status open_node(const xml_attributes& attributes, text_place at) {
    const auto id = attributes.find("id");
    if (!id) return builder_.bad(at, "a node without id; expected <node id=\"..\">");
    in_node_ = true;
    return builder_.add_node(*id, at);
  }

  status open_edge(const xml_attributes& attributes, text_place at) {
    auto source = attributes.find("source"), target = attributes.find("target");
    if (!source || !target)
      return builder_.bad(at, "an edge without its ends; expected <edge source=\"..\" target=\"..\">");
    const std::string directed = attributes.find("directed").value_or(undirected_ ? "false" : "true");
    if (directed != "true" && directed != "false")
      return builder_.bad(at, "an edge that is directed neither true nor false");
    source_ = *std::move(source);
    target_ = *std::move(target);
    both_ = directed == "false";
    in_edge_ = true;
    weight_.reset();
    place_ = at;
    return {};
  }

  document_builder& builder_;
  std::string weight_key_, source_, target_, text_;
  std::optional<std::string> weight_, default_weight_;
  text_place place_;  // of the edge
  int graphs_ = 0;
  bool begun_ = false, undirected_ = false, both_ = false;
  bool in_weight_key_ = false, in_node_ = false, in_edge_ = false, takes_text_ = false;
};

}  // namespace

result<document> read_graphml(byte_source& source, const document_request& wanted, std::uint64_t most_bytes) {
  document_builder builder(source.path(), wanted, document_builder::nodes::declared, most_bytes);
  graphml_reader reader(builder);
  if (status failed = read_xml(source, reader); !failed.ok()) return failed;
  if (status failed = reader.check_end(); !failed.ok()) return failed;
  return builder.finish(file_format::graphml);
}

}  // namespace orujo::internal::formats
