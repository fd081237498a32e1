// The pull kernel over the wide encoding against a serial loop over the edges, and against its scalar twin.
#include "applications/engine_lab/wide_pull.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/applications/engine_lab/wide_store.hpp"
#include "tests/framework/vectors/pull_programs.hpp"

namespace orujo::internal::vectors {
namespace {

using namespace test_pull;
using test_graphs::encode_wide_rows;

// The kernel over chunks that end at the cuts, the last one first, merged in `mergers` ranges.
template <class Program, class Isa>
std::vector<typename Program::value> totals_by_chunks(const graph::wide_vector_sparse_view& graph,
                                                      const std::vector<typename Program::value>& sources,
                                                      const std::vector<std::size_t>& cuts,
                                                      std::uint32_t mergers = 1,
                                                      source_reads reads = source_reads::near) {
  using T = typename Program::value;
  const auto vertices = static_cast<std::uint32_t>(graph.first_vector.size() - 1);
  const Program program;
  std::vector<T> totals(vertices, Program::combine.template identity<T>());
  // Old values of the slots must not matter.
  std::vector<merge_slot<partial_total<Program>>> slots(cuts.size() - 1, {0, 1});
  const wide_pull_loop<Program, Isa> loop(program, graph, graph.segments[0], sources, totals, slots, reads);
  for (std::size_t chunk = cuts.size() - 1; chunk-- > 0;) {
    loop.run_chunk(cuts[chunk], cuts[chunk + 1], chunk);
  }
  for (std::uint64_t m = 0; m < mergers; ++m) {
    merge(Program::combine, std::span<const merge_slot<partial_total<Program>>>(slots),
          static_cast<std::uint32_t>(vertices * m / mergers),
          static_cast<std::uint32_t>(vertices * (m + 1) / mergers), std::span<T>(totals));
  }
  return totals;
}

template <class Program>
class wide_pull : public testing::Test {
 public:
  using value = typename Program::value;

  // Checks the totals for all these cuts into chunks, by every isa, weighted and not.
  static void expect_right(const row_store& rows, const std::vector<value>& sources,
                           const std::vector<std::vector<std::size_t>>& all_cuts, std::uint32_t mergers = 1,
                           source_reads reads = source_reads::near) {
    for (const bool weighted : {false, true}) {
      const graph::wide_vector_sparse graph = encode_wide_rows(rows, weighted);
      const auto expected = totals_by_edge(Program(), rows, weighted, sources);
      for (const auto& cuts : all_cuts) {
        for_each_isa([&]<class Isa>(Isa, std::string_view name) {
          ASSERT_EQ((totals_by_chunks<Program, Isa>(graph.view(), sources, cuts, mergers, reads)), expected)
              << name << ", weighted " << weighted << ", chunks at " << testing::PrintToString(cuts);
        });
      }
    }
  }
};
TYPED_TEST_SUITE(wide_pull, programs);

TYPED_TEST(wide_pull, is_right_for_every_cut_of_small_graphs) {
  using degrees = std::vector<std::uint64_t>;
  degrees gaps(900, 0);
  gaps[0] = 3, gaps[255] = 5, gaps[256] = 4, gaps[899] = 1;
  const std::vector<degrees> cases = {{},           {0},          {1},     {4},     {20},       {0, 20, 0},
                                      {1, 1, 1, 1}, {5, 5, 5, 5}, {17, 1}, {1, 17}, {4, 8, 12}, gaps};
  random_stream random(5);
  for (const degrees& each : cases) {
    const auto local_indices = static_cast<std::uint32_t>(each.size() + 3);
    const row_store rows = make_rows(random, each, local_indices);
    const auto sources = make_sources<typename TypeParam::value>(random, local_indices);
    const std::size_t vectors = encode_wide_rows(rows).edges.size();
    auto cuts = all_pairs_of_cuts(vectors);
    cuts.push_back(one_vector_chunks(vectors));
    TestFixture::expect_right(rows, sources, cuts);
  }
}

TYPED_TEST(wide_pull, is_right_for_random_cuts_of_random_graphs) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    random_stream random(seed);
    std::vector<std::uint64_t> degrees(1 + random.below(1500));
    for (std::uint64_t& degree : degrees) {
      degree = random.below(3) == 0 ? 0 : random.below(200) == 0 ? random.below(3000) : random.below(30);
    }
    const auto local_indices = static_cast<std::uint32_t>(degrees.size() + random.below(5000));
    const row_store rows = make_rows(random, degrees, local_indices);
    const std::size_t vectors = encode_wide_rows(rows).edges.size();
    std::vector<std::vector<std::size_t>> all_cuts = {one_vector_chunks(vectors)};
    for (int k = 0; k < 12; ++k) {
      std::vector<std::size_t> cuts = {0, vectors};
      for (std::uint64_t i = random.below(40); i > 0; --i) cuts.push_back(random.below(vectors + 1));
      std::sort(cuts.begin(), cuts.end());
      all_cuts.push_back(cuts);
    }
    TestFixture::expect_right(rows, make_sources<typename TypeParam::value>(random, local_indices), all_cuts,
                              static_cast<std::uint32_t>(1 + random.below(5)));
  }
}

TYPED_TEST(wide_pull, is_right_with_prefetched_sources) {
  using T = typename TypeParam::value;
  random_stream random(9);
  const std::uint32_t local_indices = 1 << 12;
  row_store rows = make_rows(random, std::vector<std::uint64_t>(500, 11), local_indices);
  rows.neighbours.back() = local_indices - 1;  // the sources are taken to end behind the largest neighbour
  TestFixture::expect_right(rows, make_sources<T>(random, local_indices), {{0, 1500}, {0, 3, 4, 100, 1500}},
                            1, source_reads::far);
}

// Sums that depend on their order: the instruction sets must take the same one.
TEST(wide_pull_order, is_the_same_on_every_instruction_set) {
  random_stream random(21);
  std::vector<std::uint64_t> degrees(300);
  for (std::uint64_t& degree : degrees) degree = random.below(60);
  const graph::wide_vector_sparse graph = encode_wide_rows(make_rows(random, degrees, 400), false);
  std::vector<double> sources(400);
  for (double& each : sources) each = 1.0 / static_cast<double>(1 + random.below(1'000'000));
  const std::vector<std::size_t> cuts = {0, 50, 51, 200, graph.edges.size()};
  // Unweighted, the products are exact and a fused multiply-add changes nothing.
  const auto totals = [&]<class Isa>(Isa) {
    return totals_by_chunks<sum_of_doubles, Isa>(graph.view(), sources, cuts);
  };
  const auto expected = totals(isa::scalar{});
  for_each_isa([&](auto isa, std::string_view name) { EXPECT_EQ(totals(isa), expected) << name; });
}

}  // namespace
}  // namespace orujo::internal::vectors
