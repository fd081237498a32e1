// Documents of other programs, as these write them and by hand: the graph that is read, and what is refused.
#include "framework/formats/document.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/formats/recognise.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

// "VERTICES: edges", ascending, with ids or names and weights, or the error. It is the same for any pieces of
// the bytes.
std::string graph_in_text(file_format format, const std::string& text, const document_request& wanted) {
  std::string first;
  for (const std::size_t most : {std::size_t{1} << 20, std::size_t{1}, std::size_t{7}}) {
    memory_source source(text, "F", most, false);
    auto read = read_document(source, format, wanted);
    std::string said = read.status().message();
    if (read.ok()) {
      const document& d = read.value();
      const auto shown = [&](std::uint64_t v) {
        if (d.named) return std::string(d.names[v]);
        return std::to_string(d.ids.empty() ? v + d.first_id : d.ids[v]);
      };
      std::vector<std::string> edges;
      for (std::size_t k = 0; k < d.list.edges.size(); ++k)
        edges.push_back(fmt::format(" {}-{}{}", shown(d.list.edges[k].source), shown(d.list.edges[k].target),
                                    d.list.weights.empty() ? "" : fmt::format("={}", d.list.weights[k])));
      std::ranges::sort(edges);
      said = fmt::format("{}:", d.named ? d.names.size() : d.vertices);
      for (const std::string& e : edges) said += e;
    }
    if (first.empty()) first = said;
    EXPECT_EQ(said, first) << "with " << most << " bytes at a time";
  }
  return first;
}

// The same with line ends of old Macs.
std::string graph_in(file_format format, const std::string& text, const document_request& wanted = {}) {
  const std::string found = graph_in_text(format, text, wanted);
  std::string mac = text;
  std::ranges::replace(mac, '\n', '\r');
  if (text.find('\r') == text.npos) {
    EXPECT_EQ(graph_in_text(format, mac, wanted), found) << text;
  }
  return found;
}

constexpr std::string_view networkx_graphml = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d1" for="edge" attr.name="since" attr.type="string" />
  <key id="d0" for="edge" attr.name="weight" attr.type="double" />
  <graph edgedefault="undirected">
    <node id="ann" />
    <node id="b&amp;b"/>
    <node id="alone"/>
    <edge source="ann" target="b&amp;b">
      <data key="d0"> 2.5
      </data><data key="d1">7</data>
    </edge>
    <edge source="b&amp;b" target="b&amp;b" directed="true"><data key="d0">1</data></edge>
  </graph>
</graphml>
)";

TEST(document, of_graphml) {
  const std::string text(networkx_graphml);
  EXPECT_EQ(graph_in(file_format::graphml, text), "3: ann-b&b=2.5 b&b-ann=2.5 b&b-b&b=1");
  EXPECT_EQ(graph_in(file_format::graphml, text, {.ignores_weights = true}), "3: ann-b&b b&b-ann b&b-b&b");
  EXPECT_EQ(graph_in(file_format::graphml, text, {.weight = "since"}),
            "F:13:5: no weight, but the first edge has one; expected a weight at all edges or at none, or "
            "--ignore_weights");
  const auto with = [](std::string_view head, std::string_view body) {
    return graph_in(file_format::graphml,
                    fmt::format("<graphml>{}<graph edgedefault='directed'>{}</graph></graphml>", head, body));
  };
  EXPECT_EQ(with("", "<node id='7'/><node id='3'/><edge source='7' target='3'/><node id='9'/>"), "3: 7-3");
  EXPECT_EQ(with("", "<edge source='n0' target='n1'/><node id='n0'/><node id='n1'/>"), "2: n0-n1");
  EXPECT_EQ(with("<key id='w' for='edge' attr.name='weight' attr.type='int'><default>4</default></key>",
                 "<node id='0'/><edge source='0' target='0'><data key='w'>-1</data></edge>"
                 "<edge source='0' target='0'/>"),
            "1: 0-0=-1 0-0=4");
  EXPECT_EQ(with("", "<node id='n'/><node id='n'/>"),
            "F:1:54: 'n' is also the id of an earlier node; expected each id once");
  EXPECT_EQ(with("", "<node id='n'/><edge source='n' target='m'/>"),
            "F:1:54: 'm' is not a node of the file; expected the edge to lead from a node to one");
  EXPECT_EQ(with("", "<node id='n'><graph edgedefault='directed'/></node>"),
            "F:1:53: a graph in a node or edge; expected GraphML without nested graphs");
  EXPECT_EQ(with("", "</graph><graph edgedefault='directed'>"), "F:1:48: a second graph; expected one");
  EXPECT_EQ(with("", "<hyperedge/>"), "F:1:40: a hyperedge; expected edges between two nodes");
  EXPECT_EQ(with("", "<node/>"), "F:1:40: a node without id; expected <node id=\"..\">");
  EXPECT_EQ(with("", "<edge source='n'/>"),
            "F:1:40: an edge without its ends; expected <edge source=\"..\" target=\"..\">");
  EXPECT_EQ(with("", ""), "F: a graph without vertices; expected at least one");
  EXPECT_EQ(with("", "<nod"), "F:1:44: not XML (not well-formed (invalid token)); expected a whole document");
}

TEST(document, of_hostile_xml) {
  const auto graphml = [](const std::string& text) { return graph_in(file_format::graphml, text); };
  EXPECT_EQ(graphml("<!DOCTYPE g [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;&a;'>]><graphml>&b;</graphml>"),
            "F:1:25: entities are declared; expected a document without them");
  std::string deep;
  for (int k = 0; k < 200; ++k) deep += "<graphml>";
  EXPECT_EQ(graphml(deep), "F:1:901: tags in more than 100 others; expected a graph");
  EXPECT_EQ(graphml("<svg/>"), "F:1:1: <svg>; expected <graphml>");
  EXPECT_EQ(graphml("<graphml></graphml>"), "F:1:1: no <graph>; expected one");
  EXPECT_EQ(graphml("<graphml>"), "F:1:10: not XML (no element found); expected a whole document");
  memory_source long_tag("<graphml a='" + std::string(3 << 20, 'x') + "'/>", "F", 100000, false);
  EXPECT_EQ(read_document(long_tag, file_format::graphml).status().message(),
            "F:1:1: a tag of more than 1048576 bytes; expected shorter ones");
}

TEST(document, of_gexf) {
  const auto gexf = [](const std::string& graph, const document_request& wanted = {}) {
    return graph_in(file_format::gexf, "<gexf version='1.2'>" + graph + "</gexf>", wanted);
  };
  const std::string nodes =
      "<nodes><node id='1' label='Ann'/><node id='2' label='B C'/><node id='4' label='D'/></nodes>";
  const std::string edges =
      "<edges><edge id='0' source='1' target='2' weight='2.5'/>"
      "<edge source='2' target='4' type='directed'/></edges>";
  EXPECT_EQ(gexf("<graph>" + nodes + edges + "</graph>"), "3: 1-2=2.5 2-1=2.5 2-4=1");
  EXPECT_EQ(gexf("<graph>" + nodes + edges + "</graph>", {.named = true}),
            "3: Ann-B C=2.5 B C-Ann=2.5 B C-D=1");
  EXPECT_EQ(gexf("<graph defaultedgetype='directed'>" + nodes +
                 "<edges><edge source='1' target='4'/></edges></graph>"),
            "3: 1-4");
  EXPECT_EQ(gexf("<graph mode='dynamic'/>"),
            "F:1:21: edges that exist at some times only; expected a graph of one time");
  EXPECT_EQ(gexf("<graph><nodes><node id='1'><nodes/></node></nodes></graph>"),
            "F:1:48: nodes in a node; expected a graph without a hierarchy");
  EXPECT_EQ(
      gexf("<graph><nodes><node id='1' label='a'/><node id='2' label='a'/></nodes></graph>", {.named = true}),
      "F:1:59: 'a' is also the label of an earlier node; remove --names to use the ids");
  EXPECT_EQ(gexf("<graph><nodes><node id='1'/></nodes></graph>", {.named = true}),
            "F:1:35: node '1' has no label; remove --names to use the ids");
}

TEST(document, of_gml) {
  const auto gml = [](const std::string& text, const document_request& wanted = {}) {
    return graph_in(file_format::gml, text, wanted);
  };
  const std::string text =
      "Creator \"igraph\"\n# text\ngraph\n[\n  directed 1\n  node\n  [\n    id 0\n    label "
      "\"A&amp;&#246;\"\n"
      "    graphics [ x 1.0 y 2.0 ]\n  ]\n  node [ id 5 label \"B\" ]\n"
      "  edge [ source 0 target 5 weight 1e1 ]\n]\n";
  EXPECT_EQ(gml(text), "2: 0-5=10");
  EXPECT_EQ(gml(text, {.named = true}), "2: A&\xc3\xb6-B=10");
  EXPECT_EQ(gml("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 3 ] ]"), "2: 1-2 2-1");
  EXPECT_EQ(
      gml("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 value 3 ] ]", {.weight = "value"}),
      "2: 1-2=3 2-1=3");
  EXPECT_EQ(gml("graph [ node [ id 1 ] edge [ source 1 target 3 ] ]"),
            "F:1:23: '3' is not a node of the file; expected the edge to lead from a node to one");
  EXPECT_EQ(gml("graph [ edge [ source 1 ] ]"),
            "F:1:9: an edge without its ends; expected 'edge [ source .. target .. ]'");
  EXPECT_EQ(gml("graph [ node [ id 1 id 2 ] ]"), "F:1:24: 'id' once more; expected it once");
  EXPECT_EQ(gml("graph [ node [ id 1 "), "F:1:21: the end, inside of a list; expected ']'");
  EXPECT_EQ(gml("graph [ ] ]"), "F:1:11: ']' without '['");
  EXPECT_EQ(gml("graph [ directed 2 ]"), "F:1:18: directed neither 0 nor 1");
  EXPECT_EQ(gml("graph [ node [ label \"a ] ]"), "F:1:22: a text that does not end, or not within a MiB");
  EXPECT_EQ(gml("x 1"), "F:1:1: no graph; expected 'graph ['");
  EXPECT_EQ(gml("graph [ ] graph [ ]"), "F:1:11: a second graph; expected one");
  std::string deep = "graph";
  for (int k = 0; k < 200; ++k) deep += "[a";
  EXPECT_EQ(gml(deep), "F:1:205: lists in more than 100 others");
}

TEST(document, of_pajek) {
  const auto pajek = [](const std::string& text, const document_request& wanted = {}) {
    return graph_in(file_format::pajek, text, wanted);
  };
  const std::string text =
      "\xef\xbb\xbf*Network x\r\n*Vertices 4\r\n1 \"Ann B\" 0.1 0.2\r\n2 b\r\n3 \"c\"\n4 d\n% text\n"
      "*Arcs :1 \"likes\"\n1 2 2.5 c Blue\n*Edges\n2 3\n";
  EXPECT_EQ(pajek(text), "4: 1-2=2.5 2-3=1 3-2=1");
  EXPECT_EQ(pajek(text, {.named = true}), "4: Ann B-b=2.5 b-c=1 c-b=1");
  EXPECT_EQ(pajek("*vertices 3\n*arcslist\n1 2 3\n3 1\n*edgeslist\n2 3\n"), "3: 1-2 1-3 2-3 3-1 3-2");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs\n1 3 1\n"),
            "F:3:3: '3' is not a vertex; expected a number from 1 to 2");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs\n1\n"), "F:3:2: '' is not a vertex; expected a number from 1 to 2");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs\n1 2 1 [3-4]\n"), "2: 1-2=1");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs\n1 2 [3-4]\n"),
            "F:3:5: an edge that exists at some times only; expected a network of one time");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs\n1 2 nan\n"),
            "F:3:5: 'nan' is not finite; expected a decimal weight that is finite as float");
  EXPECT_EQ(
      pajek("*Vertices 2\n*Matrix\n0 1\n"),
      "F:2:1: '*matrix', which is not read; expected *Vertices, *Arcs, *Edges, *Arcslist or *Edgeslist");
  EXPECT_EQ(pajek("*Arcs\n1 2\n"), "F:1:1: edges before '*Vertices N'; expected that first");
  EXPECT_EQ(pajek("1 2\n"), "F:1:1: a line before '*Vertices'; expected that first");
  EXPECT_EQ(pajek("*Vertices 2\n*Arcs :1\n1 2\n*Arcs :2\n"),
            "F:4:1: a second relation; expected the edges of one");
  EXPECT_EQ(pajek("*Vertices 2\n1 a\n2 a\n", {.named = true}),
            "F:3:3: 'a' is also the label of an earlier node; remove --names to use the ids");
  EXPECT_EQ(pajek("*Vertices 2\n1 a\n", {.named = true}),
            "F: vertex 2 has no label; remove --names to use the ids");
  EXPECT_EQ(pajek("*Vertices\n"), "F:1:1: no number of vertices; expected '*Vertices N'");
}

TEST(document, of_dot) {
  const auto dot = [](const std::string& text, const document_request& wanted = {}) {
    return graph_in(file_format::dot, text, wanted);
  };
  EXPECT_EQ(dot("digraph { 1 -> 2 -> 7 [weight=2.5, color=\"red\"]; 9 }"), "4: 1-2=2.5 2-7=2.5");
  EXPECT_EQ(dot("/* text */ strict graph \"G\" {\n# text\nnode [shape=box];\nrankdir=LR // text\n"
                "a:p:n -- \"b \\\"c\\\"\"\nsubgraph cluster_0 { label=\"x\"; d }\n{ a -- d }}"),
            "3: a-b \"c\" a-d b \"c\"-a d-a");
  EXPECT_EQ(dot("graph { 1 -- 1 2 -- 1 }"), "2: 1-1 1-2 2-1");
  EXPECT_EQ(dot("graph { 1 -> 2 }"), "F:1:11: '->'; expected '--' in a graph");
  EXPECT_EQ(dot("digraph { a -> { b c } }"), "F:1:16: '{'; expected edges between nodes, none of subgraphs");
  EXPECT_EQ(dot("digraph { { b c } -> a }"), "F:1:19: '->'; expected edges between nodes, none of subgraphs");
  EXPECT_EQ(dot("digraph { edge [weight=2] a -> b }"),
            "F:1:27: 'a'; expected no weight before, for edges that follow");
  EXPECT_EQ(
      dot("strict digraph { a -> b; a -> b }"),
      "F: a strict graph has an edge twice; remove 'strict', and pass --remove_duplicates to merge them");
  EXPECT_EQ(dot("digraph { a -> b"), "F:1:17: the end; expected '}'");
  EXPECT_EQ(dot("digraph { a -> b } digraph { }"), "F:1:20: 'digraph'; expected nothing after one graph");
  EXPECT_EQ(dot("digraph { \"a"), "F:1:11: a text that does not end, or not within a MiB");
  EXPECT_EQ(dot("digraph { /* a"), "F:1:11: a comment that does not end; expected '*/'");
  EXPECT_EQ(dot("1 2\n"), "F:1:1: '1'; expected 'graph' or 'digraph'");
}

TEST(document, of_json) {
  const auto json = [](const std::string& text, const document_request& wanted = {}) {
    return graph_in(file_format::json, text, wanted);
  };
  EXPECT_EQ(
      json(
          R"({"directed": true, "multigraph": false, "graph": {"a": [1]}, "nodes": [{"x": [1, {"id": 3}], "id": 1},
                     {"id": 2}, {"id": 12}], "links": [{"weight": 2.5, "source": 1, "target": 2}]})"),
      "3: 1-2=2.5");
  EXPECT_EQ(json(R"({"edges": [{"source": "a", "target": "b"}], "nodes": [{"id": "b"}, {"id": "a"}]})"),
            "2: a-b b-a");
  const std::string by_index =
      R"({"nodes": [{"name": "Ann"}, {"name": "Bo"}], "links": [{"source": 0, "target": 1, "value": 3}]})";
  EXPECT_EQ(json(by_index), "2: 0-1 1-0");
  EXPECT_EQ(json(by_index, {.named = true, .weight = "value"}), "2: Ann-Bo=3 Bo-Ann=3");
  EXPECT_EQ(json(R"({"nodes": [{"id": 1}, {"id": "1"}], "links": []})"),
            "F:1:23: '1' is also the id of an earlier node; expected each id once");
  EXPECT_EQ(json(R"({"nodes": [{"id": 1}, {}], "links": []})").substr(6),
            ": some nodes with \"id\" and some without; expected it at all, as a text or number");
  EXPECT_EQ(json(R"({"nodes": [{"id": 1}], "links": [{"source": 1, "target": 2}]})").substr(6),
            ": '2' is not a node of the file; expected the edge to lead from a node to one");
  EXPECT_EQ(json("{\"nodes\": []}"),
            "F:1:1: no \"links\"; expected node-link JSON, with \"nodes\" and \"links\" or \"edges\"");
  EXPECT_EQ(json("{\"nodes\": [1]}").substr(6), ": a value; expected an object for each node and edge");
  EXPECT_EQ(json("[1]"), "F:1:1: '['; expected an object, {\"nodes\": .., \"links\": ..}");
  EXPECT_EQ(json("{\"nodes\": [\n{\"id\": 1}\n").substr(0, 3), "F:3");
  EXPECT_NE(json("{\"nodes\" 1}").find("not JSON; expected a whole document"), std::string::npos);
  EXPECT_NE(json("{\"a\":" + std::string(200, '[')).find("values in more than 100 others"),
            std::string::npos);
  memory_source long_text("{\"a\":\"" + std::string(3 << 20, 'x'), "F", 100000, false);
  EXPECT_NE(read_document(long_text, file_format::json).status().message().find("a text of more than a MiB"),
            std::string::npos);
  EXPECT_NE(json(R"({"graph": {"nodes": {}, "edges": []}})").find("JSON Graph Format"), std::string::npos);
  EXPECT_NE(json(R"({"elements": {"nodes": [], "edges": []}})").find("Cytoscape"), std::string::npos);
}

// The examples of users.cecs.anu.edu.au/~bdm/data/formats.txt.
TEST(document, of_graph6) {
  const auto graph6 = [](const std::string& text) { return graph_in(file_format::graph6, text); };
  EXPECT_EQ(graph6("DQc\n"), "5: 0-2 0-4 1-3 2-0 3-1 3-4 4-0 4-3");
  EXPECT_EQ(graph6(">>graph6<<DQc"), "5: 0-2 0-4 1-3 2-0 3-1 3-4 4-0 4-3");
  EXPECT_EQ(graph6(":Fa@x^\n"), "7: 0-1 0-2 1-0 1-2 2-0 2-1 5-6 6-5");
  EXPECT_EQ(graph6("&DI?AO?\n"), "5: 0-2 0-4 3-1 3-4");
  EXPECT_EQ(graph6("DQ\n"),
            "F:1:3: the line ends too soon; expected six bits a byte, and as many as the graph needs");
  EXPECT_EQ(graph6("D Q\n"), "F:1:2: a byte that is not of graph6; expected bytes from '?' to '~'");
  EXPECT_EQ(graph6("DQc\nDQc\n"), "F:2:1: data after the graph; expected one graph");
  EXPECT_EQ(graph6("DQd\n"),
            "F:1:4: more bits than the graph has; expected the last byte to be filled up with zeros");
  EXPECT_EQ(graph6("~~~~~~~~"),
            "F:1:9: the line ends too soon; expected six bits a byte, and as many as the graph needs");
  EXPECT_EQ(graph_in(file_format::graph6, "DQc", {.named = true}).substr(0, 35),
            "F: vertices of graph6 have no names");
}

TEST(document, of_adjacency_lines) {
  EXPECT_EQ(graph_in(file_format::adjlist, "# text\n1 2 3\n\n2 3 # text\n4\n"), "4: 1-2 1-3 2-3");
  EXPECT_EQ(graph_in(file_format::adjlist, "ann bob\r\n"), "2: ann-bob");
  EXPECT_EQ(graph_in(file_format::adjlist, "a b\001\n"),
            "F:1:3: 'b\\x01' holds a control character; expected a name without control characters");
}

TEST(document, takes_no_more_memory_than_it_may) {
  std::string text = "digraph {";
  for (int k = 0; k < 100000; ++k) text += fmt::format("{}->{};", k, k * 7 % 1000);
  memory_source source(text + "}", "F", 1 << 16, false);
  EXPECT_EQ(read_document(source, file_format::dot, {}, 1 << 20).status().code(), exit_status::no_resource);
}

TEST(document, is_recognised) {
  const auto format = [](std::string_view head, std::string_view path = "F") {
    const auto found = recognise_document(head, path, {});
    return !found.ok()     ? found.status().message()
           : found.value() ? std::string(name_of(*found.value()))
                           : "none";
  };
  EXPECT_EQ(format("<?xml version='1.0'?>\n<!-- x -->\n<graphml>"), "graphml");
  EXPECT_EQ(format("<gexf>"), "gexf");
  EXPECT_EQ(format("<svg>"), "none");
  EXPECT_EQ(format("graph [\n"), "gml");
  EXPECT_EQ(format("Creator \"x\"\n"), "gml");
  EXPECT_EQ(format("*Vertices 3\n"), "pajek");
  EXPECT_EQ(format("// x\nstrict digraph { a }"), "dot");
  EXPECT_EQ(format("{\n"), "json");
  EXPECT_EQ(format(">>graph6<<DQc"), "graph6");
  EXPECT_EQ(format("1 2\n"), "none");
  EXPECT_EQ(format("graph 1\n", "F.el"), "none");
  EXPECT_EQ(format("DQc\n", "F.g6.gz"), "graph6");
  EXPECT_EQ(format("1 2\n", "F.adjlist"), "adjlist");
  EXPECT_EQ(
      format("<gexf>", "F.graphml"),
      "F.graphml:1:1: by its name this is graphml, but it begins like gexf; pass --format with what it is");
}

}  // namespace
}  // namespace orujo::internal::formats
