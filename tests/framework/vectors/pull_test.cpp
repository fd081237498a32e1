// The pull kernel against a serial loop over the edges: every program, instruction set and cut into chunks.
#include "framework/vectors/pull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "framework/vectors/sum_rounding.hpp"
#include "tests/framework/vectors/pull_programs.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::vectors {
namespace {

using namespace test_pull;

struct settling_path : shortest_path {
  static constexpr bool settles = true;
};

using test_graphs::encoded;
using test_graphs::encoding;

// The cuts of vertices into even parts of this number of cores.
std::vector<std::size_t> even_cuts(std::size_t vertices, std::size_t cores) {
  std::vector<std::size_t> cuts;
  for (std::size_t k = 0; k <= cores; ++k) cuts.push_back(vertices * k / cores);
  return cuts;
}

// The kernel, segment after segment, over chunks that end at the cuts, the last one first, merged in
// `mergers` ranges.
template <class Program, class Isa>
std::vector<typename Program::value> totals_by_chunks(const Program& program, const encoded& graph,
                                                      std::uint32_t own_vertices, bool weighted,
                                                      const std::vector<typename Program::value>& sources,
                                                      const std::vector<std::size_t>& cuts,
                                                      std::uint32_t mergers = 1,
                                                      source_reads reads = source_reads::near,
                                                      std::span<const std::uint64_t> settled = {}) {
  using T = typename Program::value;
  std::vector<T> totals(own_vertices, Program::combine.template identity<T>());
  const std::size_t chunks = cuts.size() - 1;
  // Old values of the slots must not matter.
  std::vector<merge_slot<partial_total<Program>>> slots(chunks * graph.segments.size(), {0, 1});
  for (std::size_t s = 0; s < graph.segments.size(); ++s) {
    const graph::edge_segment& segment = graph.segments[s];
    const pull_loop<Program, Isa> loop(program, graph.view(weighted), segment, sources, totals, slots, reads,
                                       settled);
    for (std::size_t chunk = chunks; chunk-- > 0;) {
      const std::size_t first = std::clamp(cuts[chunk], segment.first, segment.last);
      const std::size_t last = std::clamp(cuts[chunk + 1], segment.first, segment.last);
      loop.run_chunk(first, last, s * chunks + chunk);
    }
  }
  for (std::uint32_t m = 0; m < mergers; ++m) {
    const auto bound = [&](std::uint64_t i) {
      return static_cast<std::uint32_t>(own_vertices * i / mergers);
    };
    merge(Program::combine, std::span<const merge_slot<partial_total<Program>>>(slots), bound(m),
          bound(m + 1), std::span<T>(totals));
  }
  return totals;
}

template <class Program>
class pull : public testing::Test {
 public:
  using value = typename Program::value;

  // Checks the totals for all these cuts into chunks, by every isa, weighted and not.
  static void expect_right(const row_store& rows, const encoded& graph, const std::vector<value>& sources,
                           const std::vector<std::vector<std::size_t>>& all_cuts, std::uint32_t mergers = 1,
                           source_reads reads = source_reads::near) {
    for (const bool weighted : {false, true}) {
      const auto expected = totals_by_edge(Program(), rows, weighted, sources);
      for (const auto& cuts : all_cuts) {
        for_each_isa([&]<class Isa>(Isa, std::string_view name) {
          ASSERT_EQ((totals_by_chunks<Program, Isa>({}, graph, rows.vertices(), weighted, sources, cuts,
                                                    mergers, reads)),
                    expected)
              << name << ", weighted " << weighted << ", chunks at " << testing::PrintToString(cuts);
        });
      }
    }
  }
};

TYPED_TEST_SUITE(pull, programs);

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
    const auto local_indices = static_cast<std::uint32_t>(each.size() + 3);
    const row_store rows = make_rows(random, each, local_indices);
    const auto sources = make_sources<typename TypeParam::value>(random, local_indices);
    for (const std::size_t slices : {1u, 3u}) {
      for (const std::uint32_t depth : {0u, 9u}) {
        for (const auto& bounds : {std::vector<std::uint32_t>{0, local_indices}, {0, 2, local_indices}}) {
          const encoded graph = encode(rows, {even_cuts(each.size(), slices), bounds, depth});
          auto cuts = all_pairs_of_cuts(graph.edges.size());
          cuts.push_back(one_vector_chunks(graph.edges.size()));
          TestFixture::expect_right(rows, graph, sources, cuts);
        }
      }
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
    const row_store rows = make_rows(random, degrees, local_indices);
    encoding how{.cuts = even_cuts(degrees.size(), 1 + seed % 4)};
    if (seed % 3 != 0) how.source_bounds = test_graphs::random_bounds(random, local_indices);
    if (seed % 2 == 0) how.bundle_depth = static_cast<std::uint32_t>(random.below(64));
    const encoded graph = encode(rows, how);
    const auto sources = make_sources<typename TypeParam::value>(random, local_indices);
    std::vector<std::vector<std::size_t>> all_cuts = {one_vector_chunks(graph.edges.size())};
    for (int k = 0; k < 12; ++k) {
      std::vector<std::size_t> cuts = {0, graph.edges.size()};
      for (std::uint64_t i = random.below(40); i > 0; --i)
        cuts.push_back(random.below(graph.edges.size() + 1));
      std::sort(cuts.begin(), cuts.end());
      all_cuts.push_back(cuts);
    }
    TestFixture::expect_right(rows, graph, sources, all_cuts, static_cast<std::uint32_t>(1 + random.below(5)),
                              seed % 2 == 0 ? source_reads::near : source_reads::in_runs);
  }
}

TYPED_TEST(pull, is_right_with_prefetched_sources) {
  using T = typename TypeParam::value;
  random_stream random(9);
  const std::uint32_t local_indices = 1 << 12;
  const row_store rows = make_rows(random, std::vector<std::uint64_t>(500, 11), local_indices);
  const auto sources = make_sources<T>(random, local_indices);
  for (const std::uint32_t depth : {0u, 11u}) {
    const encoded graph = encode(rows, {even_cuts(500, 2), {0, local_indices}, depth});
    const std::size_t vectors = graph.edges.size();
    TestFixture::expect_right(rows, graph, sources, {{0, vectors}, {0, 3, 4, 100, vectors}}, 1,
                              source_reads::far);
  }
}

// Sources that are all alike, so that roundings add up, and such that are not.
struct sum_of_sources {
  using value = float;
  static constexpr auto combine = gas::sum{};
  template <class V>
  V gather(V source_value, V) const {
    return source_value;
  }
};

// Vertices have from one in-edge to very many. The error of a total does not depend on how many.
TEST(pull_sums, are_as_exact_of_many_floats_as_of_few) {
  constexpr std::uint64_t most = sanitized ? 1 << 15 : 1 << 19;
  std::vector<std::uint64_t> degrees{7, 40, 128, 136, 300, most};
  for (std::uint64_t d = 1000; d < most; d *= 3) degrees.push_back(d + d % 7);
  random_stream random(21);
  const std::uint32_t local_indices = 1 << 16;
  const row_store rows = make_rows(random, degrees, local_indices);
  for (const bool alike : {false, true}) {
    std::vector<float> sources(local_indices, 0.1f / 3);
    if (!alike) {
      for (float& each : sources) each = static_cast<float>(1 + random.below(1u << 20)) * 0x1.23456p-30f;
    }
    std::vector<long double> exact(degrees.size(), 0);
    for (const auto& [vertex, neighbour, weight] : rows.edges()) exact[vertex] += sources[neighbour];
    for (const std::size_t segments : {1u, 4u}) {
      std::vector<std::uint32_t> bounds;
      for (std::size_t s = 0; s <= segments; ++s)
        bounds.push_back(static_cast<std::uint32_t>(local_indices * s / segments));
      const encoded graph = encode(rows, {even_cuts(degrees.size(), 2), bounds, 32});
      const std::size_t vectors = graph.edges.size();
      std::vector<std::size_t> many{0};
      while (many.back() < vectors) many.push_back(std::min(vectors, many.back() + 1 + many.back() / 50));
      for (const std::vector<std::size_t>& cuts : {std::vector<std::size_t>{0, vectors}, many}) {
        const auto expected =
            totals_by_chunks<sum_of_sources, isa::scalar>({}, graph, rows.vertices(), false, sources, cuts);
        const double allowed = pull_roundings<float>({segments, 32}, most) * 0x1p-24;
        for (std::size_t v = 0; v < degrees.size(); ++v) {
          ASSERT_NEAR(expected[v], static_cast<double>(exact[v]), allowed * static_cast<double>(exact[v]))
              << degrees[v] << " edges, " << segments << " segments, " << cuts.size() << " cuts, alike "
              << alike;
        }
        for_each_isa([&]<class Isa>(Isa, std::string_view name) {
          EXPECT_EQ((totals_by_chunks<sum_of_sources, Isa>({}, graph, rows.vertices(), false, sources, cuts)),
                    expected)
              << name;
        });
      }
    }
  }
}

// In-neighbours of a band of vertices: a few near ones each, of some a long row of them, of some none.
row_store make_band(std::uint32_t vertices, std::uint32_t width) {
  row_store rows;
  for (std::uint32_t v = 0; v < vertices; ++v) {
    std::uint32_t next = v;
    const std::uint64_t degree = v % 50 == 49 ? 0 : v % 100 == 25 ? 77 : 4;
    rows.add_vertex(degree, [&] { return degree > 4 ? next++ : std::exchange(next, next + width); });
  }
  return rows;
}

TYPED_TEST(pull, is_right_where_vectors_name_runs) {
  using T = typename TypeParam::value;
  random_stream random(14);
  const std::uint32_t local_indices = 700 + 4 * 90;
  const row_store rows = make_band(700, 90);
  const auto sources = make_sources<T>(random, local_indices);
  for (const std::uint32_t depth : {0u, 4u, 255u}) {
    const encoded graph = encode(rows, {even_cuts(700, 3), {0, local_indices}, depth});
    const std::size_t vectors = graph.edges.size();
    const std::vector<std::vector<std::size_t>> cuts = {
        {0, vectors}, {0, 3, 4, 100, vectors}, one_vector_chunks(vectors)};
    TestFixture::expect_right(rows, graph, sources, cuts, 2, source_reads::in_runs);
  }
}

TEST(source_reads, are_in_runs_where_most_vectors_name_some) {
  random_stream random(15);
  const row_store band = make_band(5000, 90);
  const row_store other = make_rows(random, std::vector<std::uint64_t>(5000, 4), 5400);
  constexpr std::uint64_t far_from = std::uint64_t{1} << 30;
  const auto chosen = [](const row_store& rows, std::uint32_t depth, std::uint64_t value_bytes) {
    const encoded graph = encode(rows, {{0, rows.vertices()}, {}, depth});
    return choose_reads(graph.view(), graph.segments[0], value_bytes, far_from);
  };
  EXPECT_EQ(chosen(band, 32, 4), source_reads::in_runs);
  EXPECT_EQ(chosen(band, 0, 4), source_reads::near) << "four edges to a vector";
  EXPECT_EQ(chosen(other, 32, 4), source_reads::near);
  EXPECT_EQ(chosen(other, 32, std::uint64_t{1} << 40), source_reads::far);
  EXPECT_EQ(chosen(row_store(), 32, 4), source_reads::near);
  const graph::edge_segment segment{100, 300, 0, 0, 0, 0};
  EXPECT_EQ(choose_reads(segment, 4, 800), source_reads::far);
  EXPECT_EQ(choose_reads(segment, 4, 801), source_reads::near);
}

TEST(source_reads, are_told_with_their_reason) {
  const encoded graph = encode(make_band(5000, 90), {{0, 5000}, {}, 32});
  const std::vector<source_reads> chosen{source_reads::in_runs};
  const std::string text = reads_text(graph.view(), graph.segments, 4, chosen);
  EXPECT_EQ(text.find("in runs in 1 segments, prefetched in 0, one by one in 0: of 256 vectors looked at 2"),
            0u)
      << text;
}

// Sums that depend on their order: the instruction sets must take the same one.
TEST(pull_order, is_the_same_on_every_instruction_set) {
  random_stream random(21);
  std::vector<std::uint64_t> degrees(300);
  for (std::uint64_t& degree : degrees) degree = random.below(60);
  const row_store rows = make_rows(random, degrees, 400);
  const encoded graph = encode(rows, {{0, 300}, {0, 150, 400}, 20});
  std::vector<double> sources(400);
  for (double& each : sources) each = 1.0 / static_cast<double>(1 + random.below(1'000'000));
  const std::vector<std::size_t> cuts = {0, 50, 51, 200, graph.edges.size()};
  // Unweighted, the products are exact and a fused multiply-add changes nothing.
  const auto totals = [&]<class Isa>(Isa) {
    return totals_by_chunks<sum_of_doubles, Isa>({}, graph, 300, false, sources, cuts);
  };
  const auto expected = totals(isa::scalar{});
  for_each_isa([&](auto isa, std::string_view name) { EXPECT_EQ(totals(isa), expected) << name; });
}

// A third of the vertices, and all of a stretch, is settled: nothing is gathered for those that are alone,
// the others' totals do not notice.
TEST(pull_settled, passes_over_settled_vertices_only) {
  random_stream random(12);
  std::vector<std::uint64_t> degrees;
  for (int v = 0; v < 1500; ++v) degrees.push_back(random.below(3) == 0 ? random.below(60) : random.below(5));
  const row_store rows = make_rows(random, degrees, 900);
  const std::vector<float> sources = make_sources<float>(random, 900);
  std::vector<std::uint64_t> settled((rows.vertices() + 63) / 64);
  for (std::uint32_t v = 0; v < rows.vertices(); ++v) {
    if (random.below(3) == 0 || (v >= 600 && v < 1000)) settled[v / 64] |= std::uint64_t{1} << v % 64;
  }
  const auto all = totals_by_edge(settling_path(), rows, true, sources);
  const float nothing = gas::minimum::identity<float>();
  for (const std::uint32_t depth : {0u, 4u, 32u}) {
    const encoded graph = encode(rows, {even_cuts(rows.vertices(), 2), {0, 400, 900}, depth});
    for_each_isa([&]<class Isa>(Isa, std::string_view) {
      const std::vector<std::size_t> cuts{0, 101, 102, graph.edges.size() / 2, graph.edges.size()};
      const auto totals = totals_by_chunks<settling_path, Isa>({}, graph, rows.vertices(), true, sources,
                                                               cuts, 1, source_reads::in_runs, settled);
      std::size_t passed_over = 0;
      for (std::uint32_t v = 0; v < rows.vertices(); ++v) {
        const bool is_settled = (settled[v / 64] >> v % 64 & 1) != 0;
        if (is_settled && all[v] != nothing && totals[v] == nothing) {
          ++passed_over;
        } else if (!is_settled || depth == 0) {
          ASSERT_EQ(totals[v], is_settled ? nothing : all[v]) << "vertex " << v << ", depth " << depth;
        }
      }
      EXPECT_GT(passed_over, 100u);
    });
  }
}

}  // namespace
}  // namespace orujo::internal::vectors
