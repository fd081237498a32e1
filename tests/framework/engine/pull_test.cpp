// The pull kernel against a serial loop over the edges: every program, instruction set and cut into chunks.
#include "framework/engine/pull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "system/base/random.hpp"

namespace orujo::engine {
namespace {

// Values and weights are small integers throughout, so sums of floats are exact in any order.

struct sum_of_floats {
  using value = float;
  static constexpr auto combine = gas::sum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value * factor + edge_weight;
  }
  float factor = 2;
};

struct sum_of_doubles {
  using value = double;
  static constexpr auto combine = gas::sum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value * edge_weight;
  }
};

struct smallest_label {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
};

struct shortest_path {
  using value = float;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value + edge_weight;
  }
};

// Adding to the identity wraps to a small number: lanes without an edge must not count.
struct shortest_path_in_integers {
  using value = std::uint32_t;
  static constexpr auto combine = gas::minimum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value + edge_weight;
  }
};

struct union_of_sets {
  using value = std::uint32_t;
  static constexpr auto combine = gas::bit_or{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value | 1024u;
  }
};

struct union_of_large_sets {
  using value = std::uint64_t;
  static constexpr auto combine = gas::bit_or{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
};

struct largest_integer {
  using value = std::int32_t;
  static constexpr auto combine = gas::maximum{};
  template <class V>
  V gather(V source_value, V edge_weight) const {
    return source_value - edge_weight;
  }
};

struct edge {
  std::uint32_t vertex, neighbour;
  float weight;
};

struct test_graph {
  std::uint32_t own_vertices = 0;
  std::uint32_t local_indices = 0;
  std::vector<edge> edges;
  std::vector<graph::edge_vector> vectors;
  std::vector<graph::weight_vector> weights;
  std::vector<std::uint32_t> top_level_at;

  graph::vector_sparse_view view(bool weighted) const {
    return {vectors, weighted ? std::span(weights) : std::span<const graph::weight_vector>(), top_level_at};
  }
};

// degrees: of the own vertices; the neighbours are random among local_indices. Encoded in `slices` slices.
test_graph make_graph(random_stream& random, const std::vector<std::uint64_t>& degrees,
                      std::uint32_t local_indices, std::uint32_t slices) {
  test_graph result;
  result.own_vertices = static_cast<std::uint32_t>(degrees.size());
  result.local_indices = local_indices;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  std::vector<float> weights;
  for (std::uint32_t v = 0; v < degrees.size(); ++v) {
    for (std::uint64_t i = 0; i < degrees[v]; ++i) {
      neighbours.push_back(static_cast<std::uint32_t>(random.below(local_indices)));
      weights.push_back(static_cast<float>(1 + random.below(9)));
      result.edges.push_back({v, neighbours.back(), weights.back()});
    }
    offsets.push_back(neighbours.size());
  }
  const auto rows = [&](std::size_t slice) -> graph::in_edge_rows {
    const std::size_t first = degrees.size() * slice / slices, last = degrees.size() * (slice + 1) / slices;
    return {static_cast<std::uint32_t>(first), std::span(offsets).subspan(first, last - first + 1),
            neighbours, weights};
  };
  std::size_t vectors = 0;
  for (std::uint32_t s = 0; s < slices; ++s) vectors += graph::count_vectors(rows(s));
  result.vectors.resize(vectors);
  result.weights.resize(vectors);
  result.top_level_at.resize(graph::count_index_entries(vectors));
  const graph::vector_sparse_buffer buffer{result.vectors, result.weights, result.top_level_at};
  std::size_t at = 0;
  for (std::uint32_t s = 0; s < slices; ++s) {
    graph::encode(rows(s), at, buffer);
    at += graph::count_vectors(rows(s));
  }
  return result;
}

template <class T>
std::vector<T> make_sources(random_stream& random, std::uint32_t count) {
  std::vector<T> sources(count);
  for (T& each : sources) each = static_cast<T>(100 + random.below(900));
  return sources;
}

// The oracle: edge by edge, no packs.
template <class Program>
std::vector<typename Program::value> totals_by_edge(const Program& program, const test_graph& graph,
                                                    bool weighted,
                                                    const std::vector<typename Program::value>& sources) {
  using T = typename Program::value;
  std::vector<T> totals(graph.own_vertices, Program::combine.template identity<T>());
  for (const edge& e : graph.edges) {
    const T weight = weighted ? static_cast<T>(e.weight) : T{1};
    totals[e.vertex] = Program::combine(totals[e.vertex], program.gather(sources[e.neighbour], weight));
  }
  return totals;
}

enum class driver { whole_chunks, vector_by_vector };

// The kernel over chunks [cuts[i], cuts[i + 1]), the last one first, merged in `mergers` ranges.
template <class Program, class Isa>
std::vector<typename Program::value> totals_by_chunks(const Program& program, const test_graph& graph,
                                                      bool weighted,
                                                      const std::vector<typename Program::value>& sources,
                                                      const std::vector<std::size_t>& cuts, driver how,
                                                      std::uint32_t mergers = 1) {
  using T = typename Program::value;
  std::vector<T> totals(graph.own_vertices, Program::combine.template identity<T>());
  // Whatever the slots hold from the superstep before must not matter.
  std::vector<merge_slot<T>> slots(cuts.size() - 1, {0, T{1}});
  pull_loop<Program, Isa> loop(program, graph.view(weighted), sources, totals, slots);
  for (std::size_t chunk = cuts.size() - 1; chunk-- > 0;) {
    const std::size_t first = cuts[chunk], last = cuts[chunk + 1];
    if (how == driver::whole_chunks || first == last) {
      loop.run_chunk(first, last, chunk);
    } else {
      loop.start_chunk(first, chunk);
      for (std::size_t vector = first; vector < last; ++vector) loop.body(vector);
      loop.finish_chunk(last, chunk);
    }
  }
  for (std::uint32_t m = 0; m < mergers; ++m) {
    const auto bound = [&](std::uint64_t i) {
      return static_cast<std::uint32_t>(graph.own_vertices * i / mergers);
    };
    merge(Program::combine, std::span<const merge_slot<T>>(slots), bound(m), bound(m + 1),
          std::span<T>(totals));
  }
  return totals;
}

template <class Program>
class pull : public testing::Test {
 public:
  using value = typename Program::value;

  // Calls check(totals of these chunks by one isa, one driver, ...) for all of them.
  static void expect_right(const test_graph& graph, const std::vector<value>& sources,
                           const std::vector<std::vector<std::size_t>>& all_cuts, std::uint32_t mergers = 1) {
    const Program program;
    for (const bool weighted : {false, true}) {
      const auto expected = totals_by_edge(program, graph, weighted, sources);
      for (const auto& cuts : all_cuts) {
        for (const driver how : {driver::whole_chunks, driver::vector_by_vector}) {
          ASSERT_EQ(
              (totals_by_chunks<Program, isa::scalar>(program, graph, weighted, sources, cuts, how, mergers)),
              expected)
              << "scalar, weighted " << weighted << ", chunks at " << testing::PrintToString(cuts);
#if defined(__AVX2__) && defined(__FMA__)
          ASSERT_EQ(
              (totals_by_chunks<Program, isa::avx2>(program, graph, weighted, sources, cuts, how, mergers)),
              expected)
              << "avx2, weighted " << weighted << ", chunks at " << testing::PrintToString(cuts);
#endif
        }
      }
    }
  }
};

using programs =
    testing::Types<sum_of_floats, sum_of_doubles, smallest_label, shortest_path, shortest_path_in_integers,
                   union_of_sets, union_of_large_sets, largest_integer>;
TYPED_TEST_SUITE(pull, programs);

// Every way to cut this many vectors into three chunks, some of them empty.
std::vector<std::vector<std::size_t>> all_pairs_of_cuts(std::size_t vectors) {
  std::vector<std::vector<std::size_t>> all;
  for (std::size_t a = 0; a <= vectors; ++a) {
    for (std::size_t b = a; b <= vectors; ++b) all.push_back({0, a, b, vectors});
  }
  return all;
}

std::vector<std::size_t> one_vector_chunks(std::size_t vectors) {
  std::vector<std::size_t> cuts;
  for (std::size_t i = 0; i <= vectors; ++i) cuts.push_back(i);
  return cuts;
}

TYPED_TEST(pull, is_right_for_every_cut_of_small_graphs) {
  using degrees = std::vector<std::uint64_t>;
  degrees gaps(900, 0);
  gaps[0] = 3, gaps[255] = 9, gaps[256] = 8, gaps[512] = 17, gaps[899] = 1;
  const std::vector<degrees> cases = {{},
                                      {0},
                                      {1},
                                      {8},
                                      {40},
                                      {0, 40, 0},
                                      {1, 1, 1, 1},
                                      {9, 9, 9, 9},
                                      {33, 1},
                                      {1, 33},
                                      {8, 16, 24},
                                      {0, 0, 5, 0, 12, 0, 0, 30},
                                      {20, 0, 20, 0, 20},
                                      gaps};
  random_stream random(5);
  for (const degrees& each : cases) {
    for (const std::uint32_t slices : {1u, 3u}) {
      const auto local_indices = static_cast<std::uint32_t>(each.size() + 3);
      const test_graph graph = make_graph(random, each, local_indices, slices);
      const auto sources = make_sources<typename TypeParam::value>(random, local_indices);
      auto cuts = all_pairs_of_cuts(graph.vectors.size());
      cuts.push_back(one_vector_chunks(graph.vectors.size()));
      TestFixture::expect_right(graph, sources, cuts);
    }
  }
}

TYPED_TEST(pull, is_right_for_random_cuts_of_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    std::vector<std::uint64_t> degrees(1 + random.below(1500));
    for (std::uint64_t& degree : degrees) {
      degree = random.below(3) == 0 ? 0 : random.below(200) == 0 ? random.below(3000) : random.below(30);
    }
    if (seed % 4 == 0) std::fill_n(degrees.begin() + degrees.size() / 3, degrees.size() / 3, 0);
    const auto local_indices = static_cast<std::uint32_t>(degrees.size() + random.below(5000));
    const test_graph graph =
        make_graph(random, degrees, local_indices, static_cast<std::uint32_t>(1 + seed % 4));
    const auto sources = make_sources<typename TypeParam::value>(random, local_indices);
    std::vector<std::vector<std::size_t>> all_cuts = {one_vector_chunks(graph.vectors.size())};
    for (int k = 0; k < 12; ++k) {
      std::vector<std::size_t> cuts = {0, graph.vectors.size()};
      for (std::uint64_t i = random.below(40); i > 0; --i)
        cuts.push_back(random.below(graph.vectors.size() + 1));
      std::sort(cuts.begin(), cuts.end());
      all_cuts.push_back(cuts);
    }
    TestFixture::expect_right(graph, sources, all_cuts, static_cast<std::uint32_t>(1 + random.below(5)));
  }
}

TYPED_TEST(pull, is_right_with_prefetched_sources) {
  using T = typename TypeParam::value;
  random_stream random(9);
  const auto local_indices = static_cast<std::uint32_t>(prefetch_sources_above / sizeof(T) + 1);
  const test_graph graph = make_graph(random, std::vector<std::uint64_t>(500, 11), local_indices, 2);
  const auto sources = make_sources<T>(random, local_indices);
  ASSERT_GT(sources.size() * sizeof(T), prefetch_sources_above);
  const std::size_t vectors = graph.vectors.size();
  TestFixture::expect_right(graph, sources, {{0, vectors}, {0, 3, 4, 100, vectors}});
}

#if defined(__AVX2__) && defined(__FMA__)
// Sums that depend on their order: the instruction sets must take the same one.
TEST(pull_order, is_the_same_on_every_instruction_set) {
  random_stream random(21);
  std::vector<std::uint64_t> degrees(300);
  for (std::uint64_t& degree : degrees) degree = random.below(60);
  const test_graph graph = make_graph(random, degrees, 400, 1);
  std::vector<double> sources(400);
  for (double& each : sources) each = 1.0 / static_cast<double>(1 + random.below(1'000'000));
  const std::vector<std::size_t> cuts = {0, 50, 51, 200, graph.vectors.size()};
  // Unweighted, the products are exact and a fused multiply-add changes nothing.
  const auto scalar =
      totals_by_chunks<sum_of_doubles, isa::scalar>({}, graph, false, sources, cuts, driver::whole_chunks);
  const auto avx2 =
      totals_by_chunks<sum_of_doubles, isa::avx2>({}, graph, false, sources, cuts, driver::whole_chunks);
  EXPECT_EQ(scalar, avx2);
}
#endif

}  // namespace
}  // namespace orujo::engine
