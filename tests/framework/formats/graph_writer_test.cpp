// Written files are read again unchanged, for every format and pair of formats. Known files are compared byte
// by byte.
#include "framework/formats/graph_writer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/base/random.hpp"
#include "tests/framework/formats/whole_file.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::formats {
namespace {

constexpr file_format every_format[] = {file_format::edge_list, file_format::matrix_market,
                                        file_format::dimacs,    file_format::metis,
                                        file_format::csv,       file_format::gap,
                                        file_format::adjacency, file_format::graph500,
                                        file_format::graphml,   file_format::gml};

std::uint64_t printed_seed() {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  return seed;
}

plain_graph random_graph(random_stream& random, bool with_weights, bool whole, bool symmetric) {
  plain_graph graph;
  graph.vertices = 1 + random.below(40);
  const std::uint64_t edges = random.below(120);
  for (std::uint64_t k = 0; k < edges; ++k) {
    const edge e{random.below(graph.vertices), random.below(graph.vertices)};
    if (symmetric && e.source == e.target) continue;
    const auto number = static_cast<float>(random.below(1000)) + 1;
    const float weight = whole ? number : number / 7 - 60;
    for (int reverse = 0; reverse < (symmetric ? 2 : 1); ++reverse) {
      graph.list.edges.push_back(reverse ? edge{e.target, e.source} : e);
      if (with_weights) graph.list.weights.push_back(weight);
    }
  }
  graph.list = sorted(graph.list);
  return graph;
}

bool can_hold(file_format format, const plain_graph& graph) {
  return graph_writer(format, traits_of(graph)).refused("F").ok();
}

TEST(graph_writer, what_is_written_is_read_again_by_any_number_of_readers) {
  random_stream random(printed_seed());
  int held[static_cast<std::size_t>(file_format::adjlist) + 1] = {};
  for (int round = 0; round < (sanitized ? 80 : 400); ++round) {
    const plain_graph graph = random_graph(random, round % 2 == 0, round % 4 < 2, round % 8 < 4);
    for (const file_format format : every_format) {
      SCOPED_TRACE("round " + std::to_string(round) + " " + std::string(name_of(format)));
      if (!can_hold(format, graph)) continue;
      ++held[static_cast<std::size_t>(format)];
      const whole_file file = write_whole(format, graph, ~std::uint64_t{0} / 2, ~std::uint64_t{0});
      const whole_file in_pieces = write_whole(format, graph, 1 + random.below(9), 1 + random.below(5));
      ASSERT_EQ(in_pieces.content, file.content);
      ASSERT_EQ(in_pieces.weights, file.weights);
      const reading whole = read_parts(file, 1);
      ASSERT_EQ(whole.error, "");
      ASSERT_EQ(sorted(whole.list), graph.list);
      ASSERT_EQ(whole.vertices.value_or(graph.vertices), graph.vertices);
      ASSERT_EQ(read_parts(file, 1 + random.below(7)), whole);
    }
  }
  for (const file_format format : every_format)
    EXPECT_GT(held[static_cast<std::size_t>(format)], sanitized ? 2 : 40)
        << name_of(format) << " is hardly tried";
}

TEST(graph_writer, from_any_format_to_any_other_and_back_is_the_identity) {
  random_stream random(printed_seed());
  int pairs = 0;
  constexpr int rounds = sanitized ? 8 : 30;
  for (int round = 0; round < rounds; ++round) {
    const plain_graph graph = random_graph(random, round % 2 == 0, true, round % 4 < 2);
    for (const file_format a : every_format) {
      if (!can_hold(a, graph)) continue;
      const whole_file first = write_whole(a, graph, 100, 100);
      for (const file_format b : every_format) {
        if (!can_hold(b, graph)) continue;
        ++pairs;
        const auto again = [&](const whole_file& file) {
          reading read = read_parts(file, 3);
          return plain_graph{read.vertices.value_or(graph.vertices), sorted(read.list)};
        };
        const whole_file back = write_whole(a, again(write_whole(b, again(first), 7, 3)), 5, 9);
        ASSERT_EQ(back.content, first.content) << name_of(a) << " to " << name_of(b);
        ASSERT_EQ(back.weights, first.weights) << name_of(a) << " to " << name_of(b);
      }
    }
  }
  EXPECT_GT(pairs, 16 * rounds);
}

// Distinct ids, ascending: consecutive ones from a small or large number on, or any.
std::vector<std::uint64_t> draw_ids(random_stream& random, std::uint64_t count) {
  constexpr std::uint64_t firsts[] = {0, 1, 1, 2, 1000, std::uint64_t{1} << 32, ~std::uint64_t{0} - 50};
  std::vector<std::uint64_t> ids(count);
  const bool consecutive = random.below(2) == 0;
  const std::uint64_t range = std::uint64_t{1} << (6 + random.below(58)), first = firsts[random.below(7)];
  for (std::uint64_t k = 0; k < count; ++k)
    ids[k] = consecutive ? first + k : ~std::uint64_t{0} / range * random.below(range);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

// Where a format counts its vertices from, if it does.
std::optional<std::uint64_t> counts_from(file_format format) {
  using enum file_format;
  if (format == matrix_market || format == dimacs || format == metis) return 1;
  return format == gap || format == adjacency ? std::optional<std::uint64_t>(0) : std::nullopt;
}

TEST(graph_writer, ids_stay_in_every_format_that_has_them_and_are_shifted_by_one_at_most_in_others) {
  random_stream random(printed_seed());
  int pairs = 0, shifted = 0;
  for (int round = 0; round < (sanitized ? 30 : 150); ++round) {
    plain_graph graph = random_graph(random, round % 2 == 0, true, round % 4 < 2);
    graph.ids = draw_ids(random, graph.vertices);
    graph.vertices = graph.ids.size();
    for (edge& e : graph.list.edges) e = {e.source % graph.vertices, e.target % graph.vertices};
    const edge_list by_ids = sorted(with_ids(graph.list, graph));
    for (const file_format a : every_format) {
      if (!can_hold(a, graph)) continue;
      const reading first = read_parts(write_whole(a, graph, 1 + random.below(50), 1 + random.below(9)), 1);
      ASSERT_EQ(first.error, "") << name_of(a);
      const std::uint64_t shift = counts_from(a) ? *counts_from(a) - graph.id_of(0) : 0;
      ASSERT_EQ(graph_writer(a, traits_of(graph)).id_shift(), static_cast<std::int64_t>(shift));
      shifted += shift != 0;
      edge_list expected = by_ids;
      for (edge& e : expected.edges) e = {e.source + shift, e.target + shift};
      ASSERT_EQ(sorted(with_ids(first.list, first)), expected) << name_of(a);
      const plain_graph between = graph_of(first);
      for (const file_format b : every_format) {
        if (!can_hold(b, between)) continue;
        ++pairs;
        const reading second = read_parts(write_whole(b, between, 9, 7), 2);
        const std::uint64_t more = counts_from(b) ? *counts_from(b) - between.id_of(0) : 0;
        expected = by_ids;
        for (edge& e : expected.edges) e = {e.source + shift + more, e.target + shift + more};
        ASSERT_EQ(sorted(with_ids(second.list, second)), expected) << name_of(a) << " to " << name_of(b);
      }
    }
  }
  EXPECT_GT(pairs, sanitized ? 300 : 1500);
  EXPECT_GT(shifted, 0);
}

// 0 -> 1 (2), 0 -> 3 (0.5), 2 -> 0 (-1)
const plain_graph small{4, {{{0, 1}, {0, 3}, {2, 0}}, {2, .5, -1}}};

std::string text_of(file_format format, const plain_graph& graph) {
  return write_whole(format, graph, 100, 100).content;
}

TEST(graph_writer, writes_known_texts) {
  EXPECT_EQ(text_of(file_format::edge_list, small), "0 1 2\n0 3 0.5\n2 0 -1\n");
  EXPECT_EQ(text_of(file_format::matrix_market, small),
            "%%MatrixMarket matrix coordinate real general\n4 4 3\n1 2 2\n1 4 0.5\n3 1 -1\n");
  EXPECT_EQ(text_of(file_format::adjacency, small),
            "WeightedAdjacencyGraph\n4\n3\n0\n2\n2\n3\n1\n3\n0\n2\n0.5\n-1\n");
  EXPECT_EQ(
      text_of(file_format::gml, small),
      "Creator \"Orujo\"\ngraph [\n  directed 1\n  node [ id 0 label \"0\" ]\n  node [ id 1 label \"1\" ]\n"
      "  node [ id 2 label \"2\" ]\n  node [ id 3 label \"3\" ]\n  edge [ source 0 target 1 weight 2 ]\n"
      "  edge [ source 0 target 3 weight 0.5 ]\n  edge [ source 2 target 0 weight -1 ]\n]\n");
  const plain_graph named{3, {{{0, 1}, {1, 0}, {2, 2}}, {1e20f, 1e20f, 1}}, {"\"a\"", "b<&", "\xc3\xb6"}};
  EXPECT_EQ(text_of(file_format::graphml, named),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
            "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
            "  <key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
            "  <graph edgedefault=\"undirected\">\n    <node id=\"&quot;a&quot;\"/>\n    <node "
            "id=\"b&lt;&amp;\"/>\n"
            "    <node id=\"\xc3\xb6\"/>\n"
            "    <edge source=\"&quot;a&quot;\" target=\"b&lt;&amp;\"><data key=\"w\">1e+20</data></edge>\n"
            "    <edge source=\"\xc3\xb6\" target=\"\xc3\xb6\"><data key=\"w\">1</data></edge>\n"
            "  </graph>\n</graphml>\n");
  EXPECT_NE(text_of(file_format::gml, named)
                .find("label \"&#246;\" ]\n  edge [ source 0 target 1 weight 1.0e+20 ]"),
            std::string::npos);
  const plain_graph parallel{9, {{{3, 3}, {3, 3}, {3, 4}, {8, 4}}, {}}, {}, {1, 2, 3, 4, 5, 6, 7, 8, 70}};
  EXPECT_EQ(text_of(file_format::gml, parallel).substr(0, 78),
            "Creator \"Orujo\"\ngraph [\n  directed 1\n  multigraph 1\n  node [ id 1 label \"1\" ]\n");
  EXPECT_NE(
      text_of(file_format::gml, parallel)
          .find("node [ id 70 label \"70\" ]\n  edge [ source 4 target 4 ]\n  edge [ source 4 target 4 ]"
                "\n  edge [ source 4 target 5 ]\n  edge [ source 70 target 5 ]\n]\n"),
      std::string::npos);
  EXPECT_EQ(text_of(file_format::gml, parallel), write_whole(file_format::gml, parallel, 1, 1).content);
  const plain_graph undirected{4, {{{0, 1}, {1, 0}, {1, 3}, {3, 1}}, {}}};
  EXPECT_EQ(text_of(file_format::dimacs, undirected), "p edge 4 4\ne 1 2\ne 2 1\ne 2 4\ne 4 2\n");
  EXPECT_EQ(text_of(file_format::metis, undirected), "4 2\n2\n1 4\n\n2\n");
  const plain_graph whole{2, {{{0, 1}, {1, 0}}, {1e10f, 1e10f}}};
  EXPECT_EQ(text_of(file_format::dimacs, whole), "p sp 2 2\na 1 2 10000000000\na 2 1 10000000000\n");
  EXPECT_EQ(text_of(file_format::metis, whole), "2 1 001\n2 10000000000\n1 10000000000\n");
}

std::string refusal_of(file_format format, const plain_graph& graph, std::string_view path = "F") {
  return graph_writer(format, traits_of(graph)).refused(path).message();
}

// "a" -> "b" (2), "a" -> "d" (0.5), "c" -> "a" (-1)
const plain_graph named{4, small.list, {"a", "b", "c", "d"}};

TEST(graph_writer, writes_names_for_vertices) {
  EXPECT_EQ(text_of(file_format::edge_list, named), "a b 2\na d 0.5\nc a -1\n");
  EXPECT_EQ(text_of(file_format::csv, {2, {{{1, 0}}, {}}, {"New York, \"NY\"", "a"}}),
            "source,target\na,\"New York, \"\"NY\"\"\"\n");
}

TEST(graph_writer, writes_names_that_are_read_again) {
  random_stream random(printed_seed());
  constexpr file_format with_names[] = {file_format::edge_list, file_format::csv, file_format::graphml,
                                        file_format::gml};
  for (int round = 0; round < 200; ++round) {
    plain_graph graph = random_graph(random, round % 2 == 0, false, round % 3 == 0);
    const file_format format = with_names[round % 4];
    if (graph.list.edges.empty()) continue;
    for (std::uint64_t v = 0; v < graph.vertices; ++v) {
      std::string name(1, static_cast<char>('0' + v));
      for (std::uint64_t more = random.below(12); more > 0; --more)
        name +=
            format == file_format::edge_list ? "-#%\xff;z"[random.below(6)] : "\", #;z&<>"[random.below(9)];
      graph.names.push_back(format != file_format::edge_list && v % 3 == 0 ? "\"" + name + "\"" : name + "-");
    }
    std::sort(graph.names.begin(), graph.names.end());
    const whole_file file = write_whole(format, graph, 1 + random.below(9), 1 + random.below(5));
    const reading whole = read_parts(file, 1);
    ASSERT_EQ(whole.error, "");
    // Vertices without edges are not in a list of edges.
    const auto texts = [](const edge_list& list, const std::vector<std::string>& names) {
      std::vector<std::pair<std::string, std::string>> all;
      for (const edge& e : list.edges) all.emplace_back(names[e.source], names[e.target]);
      return all;
    };
    ASSERT_EQ(texts(sorted(whole.list), whole.names), texts(graph.list, graph.names));
    ASSERT_EQ(sorted(whole.list).weights, graph.list.weights);
    ASSERT_EQ(read_parts(file, 1 + random.below(7)), whole);
  }
}

TEST(graph_writer, says_where_names_cannot_be) {
  for (const file_format format : every_format) {
    const bool holds = format == file_format::edge_list || format == file_format::csv || is_document(format);
    EXPECT_EQ(refusal_of(format, named),
              holds ? ""
                    : "F: " + std::string(name_of(format)) +
                          " has no names of vertices; pass --renumber, which numbers them in ascending order "
                          "of their names, or use edge_list, csv, graphml or orj");
  }
  EXPECT_EQ(refusal_of(file_format::edge_list, {2, {{{0, 1}}, {}}, {"a", "b c"}}),
            "F: the names of 1 vertex have blanks, commas or quotes; use csv or orj");
  EXPECT_EQ(refusal_of(file_format::konect, small), "F: konect is read only; use edge_list or csv");
  EXPECT_EQ(refusal_of(file_format::npy, small), "F: npy is read only; use edge_list or csv");
  EXPECT_EQ(refusal_of(file_format::dot, small), "F: dot is read only; use graphml or gml");
  EXPECT_EQ(refusal_of(file_format::gml, {2, {{{0, 1}}, {}}, {"a", "\xff"}}),
            "F: the names of 1 vertex are not UTF-8, or hold U+FFFE or U+FFFF; use csv or orj");
  EXPECT_NE(refusal_of(file_format::graphml, {2, {{{0, 1}}, {}}, {"a", "b\xef\xbf\xbf"}}), "");
  for (const std::string front : {"#", "%x",
                                  "\xef\xbb\xbf"
                                  "a"}) {
    const std::string refusal =
        "F: the names of 1 source begin with #, % or //, as comments do, or with a byte order mark; use "
        "csv or "
        "orj";
    EXPECT_EQ(refusal_of(file_format::edge_list, {2, {{{0, 1}}, {}}, {front, "z"}}), refusal);
    EXPECT_EQ(refusal_of(file_format::edge_list, {2, {{{1, 0}}, {}}, {front, "z"}}), "");
  }
}

TEST(graph_writer, writes_known_bytes) {
  using namespace std::string_literals;
  const whole_file packed = write_whole(file_format::graph500, {4, {{{0, 3}, {2, 1}}, {1, 2}}}, 100, 100);
  EXPECT_EQ(packed.content, "\0\0\0\0\3\0\0\0\0\0\0\0\2\0\0\0\1\0\0\0\0\0\0\0"s);
  EXPECT_EQ(*packed.weights, "\0\0\x80\x3f\0\0\0\x40"s);
  // Symmetric graphs have no in-edges of their own.
  EXPECT_EQ(text_of(file_format::gap, {2, {{{0, 1}, {1, 0}}, {}}}),
            "\0\2\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"s + "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"s +
                "\1\0\0\0\0\0\0\0"s);
  EXPECT_EQ(text_of(file_format::gap, {2, {{{0, 1}}, {5}}}),
            "\1\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"s + "\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"s +
                "\1\0\0\0\5\0\0\0"s + "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0"s +
                "\0\0\0\0\5\0\0\0"s);
}

TEST(graph_writer, says_what_a_format_cannot_hold) {
  EXPECT_EQ(refusal_of(file_format::metis, {2, {{{0, 1}}, {}}}),
            "F: metis has undirected graphs only, but some edge has no reverse of the same weight; pass "
            "--symmetrize");
  EXPECT_NE(refusal_of(file_format::metis, {2, {{{0, 1}, {1, 0}}, {1, 2}}}), "");
  EXPECT_EQ(refusal_of(file_format::metis, {2, {{{0, 1}, {1, 0}}, {2, 2}}}), "");
  EXPECT_EQ(refusal_of(file_format::metis, {2, {{{1, 1}, {1, 1}}, {}}}),
            "F: metis has no self-loops, but these edges have 2; pass --remove_self_loops");
  EXPECT_EQ(refusal_of(file_format::metis, {2, {{{0, 1}, {1, 0}}, {0, 0}}}),
            "F: metis has weights from 1 on, but 2 of these are less");
  EXPECT_EQ(refusal_of(file_format::dimacs, small),
            "F: dimacs has whole weights, but 1 of these 3 are not; use edge_list, matrix_market, adjacency "
            "or graph500");
  EXPECT_EQ(refusal_of(file_format::gap, {2, {{{0, 1}}, {3e9f}}}),
            "F: gap has weights of 32 bits, but 1 of these 1 do not fit");
  EXPECT_EQ(refusal_of(file_format::gap, {2, {{{0, 1}}, {3}}}, "F.sg"),
            "F.sg: a .sg has no weights, but these edges do; name it .wsg");
  EXPECT_EQ(refusal_of(file_format::edge_list, {2, {}}),
            "F: an edge list without edges is not a graph; use another format");
  graph_traits large = traits_of({2, {{{0, 1}}, {}}});
  large.vertices = (std::uint64_t{1} << 31) + 1;
  EXPECT_FALSE(graph_writer(file_format::gap, large).refused("F").ok());
  graph_traits sparse = traits_of({2, {{{0, 1}}, {}}});
  sparse.numbered = false;
  sparse.largest_id = 77;
  for (const auto& [format, vertices] : {std::pair(file_format::adjacency, "adjacency has vertices 0 to 1"),
                                         {file_format::dimacs, "dimacs has vertices 1 to 2"}})
    EXPECT_EQ(graph_writer(format, sparse).refused("F").message(),
              "F: " + std::string(vertices) +
                  ", but the ids of these 2 are others, up to 77; pass --renumber, which numbers them in "
                  "ascending order");
  EXPECT_NE(refusal_of(file_format::gap, {2, {{{0, 1}}, {}}, {}, {2, 3}}), "");
  EXPECT_EQ(refusal_of(file_format::gap, {2, {{{0, 1}}, {}}, {}, {1, 2}}), "");
  EXPECT_EQ(refusal_of(file_format::graph500, {2, {{{0, 1}}, {}}, {}, {(1ull << 47) - 1, 1ull << 47}}),
            "F: packed edges have ids up to 140737488355327, but one is 140737488355328; pass --renumber");
  EXPECT_TRUE(graph_writer(file_format::edge_list, sparse).refused("F").ok());
}

}  // namespace
}  // namespace orujo::internal::formats
