// Files of one small graph in every format, as the programs write them that have it: by code that shares
// nothing with the readers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace orujo::internal::drawn {

struct arc {
  std::uint64_t from, to;  // from 0 on
  unsigned halves;         // of the weight
  double weight() const { return halves / 2.0; }
  friend auto operator<=>(const arc&, const arc&) = default;
};

struct graph {
  std::uint64_t vertices;
  std::vector<arc> arcs;  // ascending, none twice, no loops

  bool has(std::uint64_t a, std::uint64_t b) const {
    return std::ranges::any_of(arcs, [=](const arc& e) { return e.from == a && e.to == b; });
  }
  // Each pair once, from the larger to the smaller.
  std::vector<arc> pairs() const {
    std::vector<arc> some;
    for (const arc& e : arcs) {
      if (e.from > e.to || !has(e.to, e.from))
        some.push_back({std::max(e.from, e.to), std::min(e.from, e.to), e.halves});
    }
    return some;
  }
};

// The expected result of a reader, with vertices as ids, or as indices of names.
struct file {
  std::string name, bytes;
  std::vector<arc> arcs;  // ascending; halves 2 where edges have no weights
  bool weighted = false;
  std::map<std::string, std::string> beside = {};  // other files: name and bytes
};

namespace detail {

using line_of = std::function<std::string(const arc&)>;

inline std::string lines(const std::vector<arc>& arcs, const line_of& line) {
  std::string text;
  for (const arc& e : arcs) text += line(e);
  return text;
}
// {0} and {1} are the ends, larger by `first`, {2} is the weight.
inline std::string lines(const std::vector<arc>& arcs, std::string_view format, std::uint64_t first = 0) {
  return lines(arcs, [=](const arc& e) {
    return fmt::format(fmt::runtime(format), e.from + first, e.to + first, e.weight());
  });
}

inline std::vector<arc> moved(std::vector<arc> arcs, std::uint64_t first, bool weighted,
                              bool both_ways = false) {
  for (std::size_t k = 0, all = arcs.size(); both_ways && k < all; ++k)
    arcs.push_back({arcs[k].to, arcs[k].from, arcs[k].halves});
  for (arc& e : arcs) e = {e.from + first, e.to + first, weighted ? e.halves : 2};
  std::ranges::sort(arcs);
  return arcs;
}

template <class Number>
void put(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Rows one after the other: where each begins, and all targets.
template <class Visit>
void by_rows(const graph& g, Visit visit) {
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    for (const arc& e : g.arcs) {
      if (e.from == v) visit(e);
    }
  }
}
inline std::vector<std::uint64_t> row_ends(const graph& g) {
  std::vector<std::uint64_t> ends(g.vertices + 1);
  for (std::uint64_t v = 0; v < g.vertices; ++v)
    ends[v + 1] = ends[v] + static_cast<std::uint64_t>(std::ranges::count(g.arcs, v, &arc::from));
  return ends;
}

// Six bits a byte, filled up with zeros.
inline std::string six_bits(const std::vector<bool>& bits) {
  std::string text;
  for (std::size_t k = 0; k < bits.size(); k += 6) {
    int value = 0;
    for (std::size_t b = k; b < k + 6; ++b) value = value * 2 + (b < bits.size() && bits[b] ? 1 : 0);
    text += static_cast<char>(63 + value);
  }
  return text;
}

}  // namespace detail

// numpy.save of whole numbers or doubles.
template <class Number>
std::string numpy_file(std::string_view type, std::string_view shape, const std::vector<Number>& values) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  header.append(63 - (10 + header.size()) % 64, ' ').append("\n");
  std::string bytes = "\x93NUMPY\x01";
  bytes += '\0';
  detail::put(bytes, static_cast<std::uint16_t>(header.size()));
  bytes += header;
  for (const Number value : values) detail::put(bytes, value);
  return bytes;
}

inline std::vector<file> files_of_lines(const graph& g) {
  using namespace detail;
  const std::vector<arc> plain = moved(g.arcs, 0, false), weighted = moved(g.arcs, 0, true),
                         from_1 = moved(g.arcs, 1, true), pairs = g.pairs();
  const std::uint64_t n = g.vertices, m = g.arcs.size();
  std::vector<file> all{
      {"plain.el", lines(g.arcs, "{} {}\n"), plain},
      {"windows.wel", lines(g.arcs, "{}\t{}\t{}\r\n"), weighted, true},
      {"snap.txt", "\xef\xbb\xbf# about it\n" + lines(g.arcs, "{} {}\n\n") + "% the end", plain},
      {"commas.el", lines(g.arcs, "{}, {},{}\n"), weighted, true},
      {"networkx.edgelist", lines(g.arcs, "{} {} {{'since': 'May, 1', 'weight': {}}}\n"), weighted, true},
      {"pbbs.txt", "WeightedEdgeArray\n" + lines(g.arcs, "{} {} {}\n"), weighted, true},
      {"table.csv", "source,target,weight\n" + lines(g.arcs, "\"{}\",{},{}\n"), weighted, true},
      {"neo4j.tsv", ":START_ID\tname\t:END_ID\t:TYPE\n" + lines(g.arcs, "{}\t\"a \"\"b\t\"\t{}\tKNOWS\n"),
       plain},
      {"bank.csv", "id;cost;from;to\n" + lines(g.arcs, "7;{2};{0};{1}\n"), weighted, true},
      {"out.konect",
       fmt::format("% asym posweighted\n% {} {} {}\n", m, n, n) + lines(g.arcs, "{} {} {} 1234567\n", 1),
       from_1, true},
      {"real.mtx",
       fmt::format("%%MatrixMarket matrix coordinate real general\n% x\n{0} {0} {1}\n", n, m) +
           lines(g.arcs, "{} {} {}\n", 1),
       from_1, true},
      {"pattern.mtx",
       fmt::format("%%MatrixMarket matrix coordinate pattern general\n{0} {0} {1}\n", n, m) +
           lines(g.arcs, "{} {}\n", 1),
       moved(g.arcs, 1, false)},
      {"symmetric.mtx",
       fmt::format("%%MatrixMarket matrix coordinate real symmetric\n{0} {0} {1}\n", n, pairs.size()) +
           lines(pairs, "{} {} {}\n", 1),
       moved(pairs, 1, true, true), true},
      {"road.gr", fmt::format("c x\np sp {} {}\n", n, m) + lines(g.arcs, "a {} {} {}\n", 1), from_1, true},
      {"colour.col", fmt::format("p edge {} {}\n", n, m) + lines(g.arcs, "e {} {}\n", 1),
       moved(g.arcs, 1, false)},
      {"flow.max", fmt::format("p max {} {}\nn 1 s\nn 2 t\n", n, m) + lines(g.arcs, "a {} {} {}\n", 1),
       from_1, true}};
  std::string rows = fmt::format("% rows\n{} {} 001\n", n, pairs.size());
  for (std::uint64_t v = 0; v < n; ++v) {
    for (const arc& e : moved(pairs, 0, true, true)) {
      if (e.from == v) rows += fmt::format("{} {} ", e.to + 1, e.halves);
    }
    rows += '\n';
  }
  std::vector<arc> whole = pairs;
  for (arc& e : whole) e.halves *= 2;
  all.push_back({"rows.graph", rows, moved(whole, 1, true, true), true});
  return all;
}

inline std::vector<file> files_of_documents(const graph& g) {
  using namespace detail;
  const std::vector<arc> plain = moved(g.arcs, 0, false), weighted = moved(g.arcs, 0, true),
                         pairs = g.pairs();
  const auto nodes = [&](std::string_view format, std::uint64_t first = 0) {
    std::string text;
    for (std::uint64_t v = first; v < g.vertices + first; ++v) text += fmt::format(fmt::runtime(format), v);
    return text;
  };
  std::vector<bool> matrix, triangle;
  for (std::uint64_t a = 0; a < g.vertices; ++a) {
    for (std::uint64_t b = 0; b < g.vertices; ++b) matrix.push_back(g.has(a, b));
    for (std::uint64_t b = 0; b < a; ++b) triangle.push_back(g.has(a, b) || g.has(b, a));
  }
  const char size = static_cast<char>(63 + g.vertices);
  return {
      {"ids.graphml",
       "<?xml version='1.0'?><graphml><key id='d' for='edge' attr.name='weight' attr.type='double'/>"
       "<graph edgedefault='directed'>" +
           nodes("<node id='{}'/>") +
           lines(g.arcs, "<edge source='{}' target='{}'><data key='d'>{}</data></edge>") +
           "</graph></graphml>",
       weighted, true},
      // n0 to n9 ascend as the numbers do.
      {"names.graphml",
       "<graphml><graph edgedefault=\"undirected\">" + nodes("<node id=\"n{}\"/>\n") +
           lines(pairs, "<edge source=\"n{}\" target=\"n{}\"/>\n") + "</graph></graphml>",
       moved(pairs, 0, false, true)},
      {"gephi.gexf",
       "<gexf><graph defaultedgetype='directed'><nodes>" + nodes("<node id='{}' label='x'/>") +
           "</nodes><edges>" + lines(g.arcs, "<edge source='{}' target='{}' weight='{}'/>") +
           "</edges></graph></gexf>",
       weighted, true},
      {"graph.gml",
       "Creator \"me\"\ngraph [\n directed 1\n" + nodes("node [ id {} label \"x\" ]\n") +
           lines(g.arcs, "edge [ source {} target {} weight {:f} ]\n") + "]\n",
       weighted, true},
      {"pajek.net",
       fmt::format("*Vertices {}\n", g.vertices) + nodes("{} \"v\"\n", 1) + "*Arcs\n" +
           lines(g.arcs, "{} {} {}\n", 1),
       moved(g.arcs, 1, true), true},
      {"graph.dot",
       "digraph g { node [shape=box]; // nodes\n" + nodes("{};") +
           lines(g.arcs, "{} -> {} [weight=\"{}\"]\n") + "}",
       weighted, true},
      {"links.json",
       "{\"directed\": true, \"nodes\": [" +
           nodes("{{\"id\": {}}},").substr(0, nodes("{{\"id\": {}}},").size() - 1) + "], \"links\": [" +
           lines(g.arcs, ", {{\"source\": {}, \"target\": {}, \"weight\": {}}}").substr(1) + "]}",
       weighted, true},
      {"matrix.d6", "&" + std::string(1, size) + six_bits(matrix) + "\n", plain},
      {"triangle.g6", ">>graph6<<" + std::string(1, size) + six_bits(triangle), moved(pairs, 0, false, true)},
      {"graph.adjlist", "# x\n" + nodes("{}\n") + lines(g.arcs, "{} {}\n"), plain},
      {"ldbc.properties",
       "graph.ldbc.vertex-file = ldbc.v\ngraph.ldbc.edge-file = ldbc.e\ngraph.ldbc.directed = true\n"
       "graph.ldbc.edge-properties.names = weight\n",
       weighted,
       true,
       {{"ldbc.v", nodes("{}\n")}, {"ldbc.e", lines(g.arcs, "{} {} {}\n")}}}};
}

// Without what has several files in one (.npz).
inline std::vector<file> files_of_bytes(const graph& g) {
  using namespace detail;
  const std::vector<arc> plain = moved(g.arcs, 0, false), weighted = moved(g.arcs, 0, true);
  const std::vector<std::uint64_t> ends = row_ends(g);
  std::string gap(1, '\1'), packed, weights,
      adjacency = fmt::format("WeightedAdjacencyGraph\n{}\n{}\n", g.vertices, g.arcs.size());
  put(gap, std::uint64_t{g.arcs.size()});
  put(gap, g.vertices);
  std::vector<std::int64_t> ids;
  for (int way = 0; way < 2; ++way) {
    for (const std::uint64_t end : ends) put(gap, end);
    by_rows(g, [&](const arc& e) { put(gap, static_cast<std::uint32_t>(e.to)); });
  }
  for (std::uint64_t v = 0; v < g.vertices; ++v) adjacency += fmt::format("{}\n", ends[v]);
  by_rows(g, [&](const arc& e) {
    put(packed, static_cast<std::uint32_t>(e.from));
    put(packed, static_cast<std::uint32_t>(e.to));
    put(packed, std::uint32_t{0});
    put(weights, static_cast<float>(e.weight()));
    ids.insert(ids.end(), {static_cast<std::int64_t>(e.from), static_cast<std::int64_t>(e.to)});
    adjacency += fmt::format("{}\n", e.to);
  });
  by_rows(g, [&](const arc& e) { adjacency += fmt::format("{}\n", e.weight()); });
  std::vector<double> columns;
  for (const int column : {0, 1, 2}) {
    for (const arc& e : g.arcs)
      columns.push_back(column == 0   ? static_cast<double>(e.from)
                        : column == 1 ? static_cast<double>(e.to)
                                      : e.weight());
  }
  return {{"suite.sg", gap, plain},
          {"ligra.adj", adjacency, weighted, true},
          {"edges.g500", packed, weighted, true, {{"edges.g500.weights", weights}}},
          {"edges.npy", numpy_file("<i8", fmt::format("({}, 2)", g.arcs.size()), ids), plain},
          {"index.npy", numpy_file("<f8", fmt::format("(3, {})", g.arcs.size()), columns), weighted, true}};
}

}  // namespace orujo::internal::drawn
