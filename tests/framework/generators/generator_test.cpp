// Synthetic graphs: the specification text, independence of splits, and the distributions that are promised.
#include "framework/generators/generator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/generators/draws.hpp"

namespace orujo::internal::generators {
namespace {

formats::edge_list edges_of(const std::string& text) {
  const generator_spec spec = parse_generator(text).value();
  return generate(spec, 0, spec.edge_count());
}

TEST(generator, reads_specifications) {
  generator_spec expected{.kind = graph_kind::kronecker, .scale = 20};
  EXPECT_EQ(parse_generator("kronecker:20").value(), expected);
  EXPECT_EQ(expected.vertex_count(), 1048576u);
  EXPECT_EQ(expected.edge_count(), 16777216u);
  expected = {.kind = graph_kind::uniform, .scale = 3, .edge_factor = 5, .seed = 18446744073709551615u};
  EXPECT_EQ(parse_generator("uniform:3:seed=18446744073709551615:edgefactor=5").value(), expected);
  expected = {.kind = graph_kind::uniform, .weighted = true, .weight_low = 1, .weight_high = 255};
  EXPECT_EQ(parse_generator("uniform:0:weights=1..255").value(), expected);
  expected = {.kind = graph_kind::watts_strogatz, .vertices = 1000, .degree = 6, .rewire = 0.25, .seed = 2};
  EXPECT_EQ(parse_generator("watts_strogatz:1000:seed=2:degree=6:rewire=0.25").value(), expected);
  EXPECT_EQ(expected.vertex_count(), 1000u);
  EXPECT_EQ(expected.edge_count(), 3000u);
  expected = {.kind = graph_kind::mesh2d, .width = 7, .height = 5, .seed = 4};
  EXPECT_EQ(parse_generator("mesh2d:7x5:seed=4").value(), expected);
  EXPECT_EQ(expected.vertex_count(), 35u);
  EXPECT_EQ(expected.edge_count(), 6u * 5 + 7 * 4);
  EXPECT_EQ(parse_generator("kronecker:40").value().edge_count(), std::uint64_t{1} << 44);
}

TEST(generator, says_what_is_wrong_with_a_specification) {
  const struct {
    std::string text, what;
  } cases[] = {
      {"", "unknown kind ''"},
      {"kroneker:20", "unknown kind 'kroneker'"},
      {"rmat:10", "unknown kind 'rmat', did you mean kronecker?"},
      {"kronecker", "scale '' is not a whole number of 0..40"},
      {"kronecker:x", "scale 'x' is not a whole number of 0..40"},
      {"kronecker:-1", "scale '-1' is not a whole number of 0..40"},
      {"uniform:41", "scale '41' is not a whole number of 0..40"},
      {"uniform:4:16", "unknown option '16'"},
      {"uniform:4::seed=1", "unknown option ''"},
      {"uniform:4:edges=16", "unknown option 'edges=16'"},
      {"uniform:4:edgefactor=0", "edgefactor '0' is not a whole number of 1..9223372036854775807"},
      {"uniform:4:edgefactor", "edgefactor '' is not a whole number of 1..9223372036854775807"},
      {"uniform:4:seed=1x", "seed '1x' is not a whole number of 0..18446744073709551615"},
      {"path:0", "'0' is not a number of vertices, 1..1099511627776"},
      {"star:1e6", "'1e6' is not a number of vertices, 1..1099511627776"},
      {"complete:2147483649", "'2147483649' is not a number of vertices, 1..2147483648"},
      {"tree:9:arity=0", "arity '0' is not a whole number of 1..1099511627776"},
      {"tree:9:degree=2", "unknown option 'degree=2'"},
      {"mesh3d:3x3", "size '3x3' is not WIDTHxHEIGHTxDEPTH with whole numbers of 1..1048576"},
      {"watts_strogatz:9:degree=3", "degree 3 is not even, or not below the number of vertices"},
      {"watts_strogatz:4", "degree 4 is not even, or not below the number of vertices"},
      {"watts_strogatz:9:rewire=1.5", "rewire '1.5' is not a probability, 0 to 1"},
      {"watts_strogatz:9:rewire=nan", "rewire 'nan' is not a probability, 0 to 1"},
      {"path:9:rewire=0", "unknown option 'rewire=0'"},
      {"uniform:40:edgefactor=8388608",
       "2^40 vertices times edgefactor 8388608 are more than 9223372036854775807 edges"},
      {"mesh2d:5", "size '5' is not WIDTHxHEIGHT with whole numbers of 1..1073741824"},
      {"mesh2d:0x5", "size '0x5' is not WIDTHxHEIGHT with whole numbers of 1..1073741824"},
      {"mesh2d:3x3x3", "size '3x3x3' is not WIDTHxHEIGHT with whole numbers of 1..1073741824"},
      {"mesh2d:3x3:edgefactor=4", "unknown option 'edgefactor=4'"},
      {"uniform:4:weights=9..1", "weights '9..1' is not LOW..HIGH with whole 0 <= LOW <= HIGH <= 16777216"},
      {"uniform:4:weights=5", "weights '5' is not LOW..HIGH with whole 0 <= LOW <= HIGH <= 16777216"},
  };
  for (const auto& [text, what] : cases) {
    const status wrong = parse_generator(text).status();
    EXPECT_EQ(wrong.code(), exit_status::usage);
    EXPECT_EQ(wrong.message(),
              "--generate=" + text + ": " + what + "; known: " + std::string(generator_specifications));
  }
}

TEST(generator, gives_the_same_graph_for_any_split) {
  for (const char* kind :
       {"kronecker:7", "uniform:7", "mesh2d:9x5", "mesh3d:4x3x5", "watts_strogatz:99:degree=6",
        "barabasi_albert:50:edgefactor=3", "tree:100:arity=3", "path:77", "star:60", "complete:23"}) {
    const std::string text = std::string(kind) + ":weights=1..9";
    const generator_spec spec = parse_generator(text).value();
    const formats::edge_list whole = edges_of(text);
    ASSERT_EQ(whole.edges.size(), spec.edge_count());
    ASSERT_EQ(whole.weights.size(), spec.edge_count());
    for (std::uint64_t parts = 2; parts <= 9; ++parts) {
      formats::edge_list joined;
      for (std::uint64_t k = 0; k < parts; ++k) {
        const formats::edge_list part =
            generate(spec, spec.edge_count() * k / parts, spec.edge_count() * (k + 1) / parts);
        joined.edges.insert(joined.edges.end(), part.edges.begin(), part.edges.end());
        joined.weights.insert(joined.weights.end(), part.weights.begin(), part.weights.end());
      }
      EXPECT_EQ(joined, whole) << text << " in " << parts;
    }
  }
}

TEST(generator, depends_on_kind_and_seed) {
  EXPECT_EQ(edges_of("kronecker:8"), edges_of("kronecker:8:seed=1"));
  EXPECT_NE(edges_of("kronecker:8"), edges_of("kronecker:8:seed=2"));
  EXPECT_NE(edges_of("uniform:8"), edges_of("uniform:8:seed=2"));
  EXPECT_NE(edges_of("kronecker:8"), edges_of("uniform:8"));
}

TEST(generator, leaves_edges_as_they_are_when_weights_are_added) {
  EXPECT_EQ(edges_of("kronecker:8:weights=1..9").edges, edges_of("kronecker:8").edges);
  EXPECT_TRUE(edges_of("kronecker:8").weights.empty());
}

// With one level the two vertices are the two halves of the adjacency matrix; scrambling may swap them.
//
//            to 0   to 1
//   from 0  [ .57    .19 ]
//   from 1  [ .19    .05 ]
TEST(generator, draws_kronecker_quadrants_with_the_parameters_of_graph500) {
  constexpr double edges = 2 * 200000;
  double share[2][2] = {};
  for (const edge& e : edges_of("kronecker:1:edgefactor=200000").edges)
    share[e.source][e.target] += 1 / edges;
  if (share[0][0] < share[1][1]) std::swap(share[0][0], share[1][1]);
  EXPECT_NEAR(share[0][0], .57, .005);
  EXPECT_NEAR(share[0][1], .19, .005);
  EXPECT_NEAR(share[1][0], .19, .005);
  EXPECT_NEAR(share[1][1], .05, .005);
}

// A vertex whose unscrambled label has k ones is the source of a share .76^(scale-k) * .24^k of the edges.
TEST(generator, gives_kronecker_vertices_the_degrees_of_the_model) {
  for (const unsigned scale : {2, 3, 5, 6, 9}) {  // 1 to 3 draws per edge, some levels of them left over
    std::vector<double> expected, sources(std::size_t{1} << scale), targets(std::size_t{1} << scale);
    for (std::uint64_t label = 0; label < sources.size(); ++label) {
      const int ones = __builtin_popcountll(label);
      expected.push_back(std::pow(.76, static_cast<int>(scale) - ones) * std::pow(.24, ones));
    }
    const generator_spec spec{.scale = scale, .edge_factor = 400000u >> scale};
    const formats::edge_list list = generate(spec, 0, spec.edge_count());
    for (const edge& e : list.edges) {
      ASSERT_LT(std::max(e.source, e.target), spec.vertex_count());
      sources[e.source] += 1 / static_cast<double>(spec.edge_count());
      targets[e.target] += 1 / static_cast<double>(spec.edge_count());
    }
    for (auto* shares : {&expected, &sources, &targets})
      std::sort(shares->begin(), shares->end(), std::greater<>());
    for (std::size_t v = 0; v < expected.size(); ++v) {
      EXPECT_NEAR(sources[v], expected[v], .004) << "scale " << scale << " vertex " << v;
      EXPECT_NEAR(targets[v], expected[v], .004) << "scale " << scale << " vertex " << v;
    }
  }
}

TEST(generator, scrambles_kronecker_labels_by_a_bijection) {
  // There are enough edges that every vertex of the model occurs. Then every label does, unless two vertices
  // share one.
  for (const unsigned scale : {1, 2, 3, 4, 5}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const generator_spec spec{.scale = scale, .edge_factor = 4000, .seed = seed};
      std::vector<bool> seen(spec.vertex_count());
      const formats::edge_list list = generate(spec, 0, spec.edge_count());
      for (const edge& e : list.edges) seen[e.source] = true;
      EXPECT_EQ(std::count(seen.begin(), seen.end(), true), static_cast<std::ptrdiff_t>(seen.size()))
          << scale;
    }
  }
}

TEST(generator, keeps_hubs_away_from_low_labels) {
  // Unscrambled, vertex 0 would be the hub of every seed.
  int hub_at_zero = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const generator_spec spec{.scale = 10, .seed = seed};
    std::vector<int> degree(spec.vertex_count());
    const formats::edge_list list = generate(spec, 0, spec.edge_count());
    for (const edge& e : list.edges) ++degree[e.source];
    hub_at_zero += std::max_element(degree.begin(), degree.end()) == degree.begin();
  }
  EXPECT_LE(hub_at_zero, 1);
}

TEST(generator, draws_uniform_ends_evenly) {
  constexpr double each = 10000;
  std::vector<double> sources(16), targets(16);
  for (const edge& e : edges_of("uniform:4:edgefactor=10000").edges) {
    ++sources.at(e.source);
    ++targets.at(e.target);
  }
  for (const double count : sources) EXPECT_NEAR(count, each, 600);  // six standard deviations
  for (const double count : targets) EXPECT_NEAR(count, each, 600);
}

TEST(generator, draws_whole_weights_of_the_whole_range) {
  std::vector<int> seen(8);
  for (const float weight : edges_of("uniform:10:weights=3..7").weights) {
    ASSERT_EQ(weight, std::floor(weight));
    ASSERT_GE(weight, 3);
    ASSERT_LE(weight, 7);
    ++seen[static_cast<std::size_t>(weight)];
  }
  for (std::size_t w = 3; w <= 7; ++w) EXPECT_GT(seen[w], 3000) << w;
}

//   0 - 1 - 2
//   |   |   |
//   3 - 4 - 5
TEST(generator, makes_meshes_row_by_row) {
  EXPECT_EQ(edges_of("mesh2d:3x2").edges,
            (std::vector<edge>{{0, 1}, {1, 2}, {0, 3}, {1, 4}, {2, 5}, {3, 4}, {4, 5}}));
  EXPECT_EQ(edges_of("mesh2d:1x3").edges, (std::vector<edge>{{0, 1}, {1, 2}}));
  EXPECT_EQ(edges_of("mesh2d:3x1").edges, (std::vector<edge>{{0, 1}, {1, 2}}));
  EXPECT_TRUE(edges_of("mesh2d:1x1").edges.empty());
}

TEST(generator, makes_graphs_of_one_vertex) {
  for (const char* text : {"kronecker:0", "uniform:0"}) {
    EXPECT_EQ(edges_of(text).edges, std::vector<edge>(16, edge{0, 0}));
  }
}

TEST(generator, reaches_ids_of_the_largest_scale) {
  for (const char* text : {"kronecker:40", "uniform:40"}) {
    const generator_spec spec = parse_generator(text).value();
    const formats::edge_list list = generate(spec, spec.edge_count() - 10000, spec.edge_count());
    std::uint64_t bits = 0;
    for (const edge& e : list.edges) bits |= e.source | e.target;
    EXPECT_EQ(bits, spec.vertex_count() - 1) << text;
  }
}

//   0 - 1     4 - 5
//   |   |  to |   |  as 0 to 4, ..
//   2 - 3     6 - 7
TEST(generator, makes_meshes_plane_by_plane) {
  EXPECT_EQ(
      edges_of("mesh3d:2x2x2").edges,
      (std::vector<edge>{
          {0, 1}, {0, 2}, {1, 3}, {2, 3}, {0, 4}, {1, 5}, {2, 6}, {3, 7}, {4, 5}, {4, 6}, {5, 7}, {6, 7}}));
  EXPECT_EQ(edges_of("mesh3d:5x4x1").edges, edges_of("mesh2d:5x4").edges);
  EXPECT_EQ(edges_of("mesh3d:1x1x4").edges, edges_of("path:4").edges);
}

TEST(generator, makes_trees_paths_stars_and_complete_graphs) {
  EXPECT_EQ(edges_of("tree:8:arity=3").edges,
            (std::vector<edge>{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {1, 6}, {2, 7}}));
  EXPECT_EQ(edges_of("tree:4:arity=1").edges, edges_of("path:4").edges);
  EXPECT_EQ(edges_of("tree:4:arity=9").edges, edges_of("star:4").edges);
  EXPECT_EQ(edges_of("path:4").edges, (std::vector<edge>{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(edges_of("star:4").edges, (std::vector<edge>{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_EQ(edges_of("complete:4").edges,
            (std::vector<edge>{{2, 3}, {1, 2}, {1, 3}, {0, 1}, {0, 2}, {0, 3}}));
  for (const char* one : {"tree:1", "path:1", "star:1", "complete:1", "barabasi_albert:1"})
    EXPECT_TRUE(edges_of(one).edges.empty()) << one;
}

TEST(generator, finds_any_edge_of_a_large_complete_graph) {
  const generator_spec spec = parse_generator("complete:2147483648").value();
  const std::uint64_t last = spec.vertex_count() - 1;
  EXPECT_EQ(generate(spec, spec.edge_count() - 1, spec.edge_count()).edges, (std::vector<edge>{{0, last}}));
  for (const std::uint64_t row : {1u << 20, 94906265u, 94906266u, 2147483000u}) {
    const std::uint64_t first = std::uint64_t{row} * (row + 1) / 2;
    EXPECT_EQ(generate(spec, first - 1, first + 1).edges,
              (std::vector<edge>{{last - row, last}, {last - 1 - row, last - row}}));
  }
}

TEST(generator, rewires_rings_as_often_as_it_is_told) {
  EXPECT_EQ(
      edges_of("watts_strogatz:5:rewire=0").edges,
      (std::vector<edge>{{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}, {2, 4}, {3, 4}, {3, 0}, {4, 0}, {4, 1}}));
  for (const double probability : {0.1, 0.5, 1.0}) {
    constexpr std::uint64_t n = 20000;
    std::vector<int> as_target(n);
    double elsewhere = 0;
    for (const edge& e :
         edges_of("watts_strogatz:20000:degree=10:rewire=" + std::to_string(probability)).edges) {
      ASSERT_NE(e.source, e.target);
      ++as_target.at(e.target);
      elsewhere += (e.target + n - e.source) % n > 5;
    }
    EXPECT_NEAR(elsewhere / 100000, probability, .01);
    EXPECT_LT(*std::max_element(as_target.begin(), as_target.end()),
              25);  // 5 on average, anywhere on the ring
  }
}

// With the list of places that the generator does without.
TEST(generator, attaches_vertices_as_the_list_of_places_says) {
  for (const std::uint64_t each : {1, 2, 5}) {
    const draws random(7, edge_stream);
    std::vector<std::uint64_t> places{0};
    std::vector<edge> expected;
    for (std::uint64_t v = 1; v <= 300; ++v) {
      const std::size_t before = places.size();
      for (std::uint64_t k = 0; k < each; ++k) {
        const std::uint64_t target = places.at(random.below(expected.size(), before));
        places.insert(places.end(), {v, target});
        expected.push_back({v, target});
      }
    }
    EXPECT_EQ(edges_of("barabasi_albert:301:seed=7:edgefactor=" + std::to_string(each)).edges, expected);
  }
}

// The share of vertices of degree d or more is about (m / d)^2.
TEST(generator, gives_preferential_attachment_its_tail) {
  std::vector<int> degree(100000);
  for (const edge& e : edges_of("barabasi_albert:100000:edgefactor=4").edges) {
    ASSERT_LT(e.target, e.source);
    ++degree[e.source];
    ++degree[e.target];
  }
  for (const int d : {8, 16, 32}) {
    const auto more = std::count_if(degree.begin(), degree.end(), [&](int of) { return of >= d; });
    EXPECT_NEAR(static_cast<double>(more) / 100000, 20.0 / (d * (d + 1.0)), .15 * 20 / (d * (d + 1.0))) << d;
  }
}

}  // namespace
}  // namespace orujo::internal::generators
