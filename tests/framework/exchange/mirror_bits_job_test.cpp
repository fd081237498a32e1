#include "framework/exchange/mirror_bits.hpp"

#include <gtest/gtest.h>

#include "tests/framework/job_graph.hpp"

namespace orujo::exchange {
namespace {

// The bit of a vertex in a round; about a third are set.
bool bit_of(std::uint64_t vertex, int round) {
  random_stream random(vertex * 8 + static_cast<std::uint64_t>(round));
  return random.below(3) == 0;
}

struct masks {
  std::vector<std::uint64_t> words[2];
};

// Vertices and mirrors of this locale whose bit is wrong.
int wrong_bits(const graph::locale_graph& g, const std::vector<std::uint64_t>& mask, int round) {
  int wrong = 0;
  for (std::uint32_t i = 0; i < g.own + g.mirrors; ++i) {
    const std::uint64_t vertex = i < g.own ? g.first_vertex + i : g.mirrored[i - g.own];
    const bool bit = (mask[i / 64] >> i % 64 & 1) != 0;
    if (bit != bit_of(vertex, round)) ++wrong;
  }
  return wrong;
}

// One core's part: several rounds, in the two masks in turn.
int exchange_bits(const graph::locale_graph& g) {
  const std::size_t words = (std::size_t{g.own} + g.mirrors + 63) / 64;
  const auto shared = loops::share_on_locale<masks>([] { return std::make_shared<masks>(); });
  if (leads_locale()) {
    for (auto& mask : shared->words) mask.resize(words);
  }
  loops::barrier(loops::group::locale);
  mirror_bits bits(g, {std::span(shared->words[0]), std::span(shared->words[1])});
  int wrong = 0;
  for (int round = 0; round < 4; ++round) {
    std::vector<std::uint64_t>& mask = shared->words[round % 2];
    if (leads_locale()) {
      std::fill(mask.begin(), mask.end(), 0);
      for (std::uint32_t v = 0; v < g.own; ++v) {
        if (bit_of(g.first_vertex + v, round)) mask[v / 64] |= std::uint64_t{1} << v % 64;
      }
    }
    loops::barrier();
    bits.send(round % 2);
    bits.await();
    loops::barrier(loops::group::locale);
    wrong += wrong_bits(g, mask, round);
    loops::barrier();
  }
  return loops::all_reduce(wrong);
}

TEST(mirror_bits, brings_every_mirror_its_vertexs_bit) {
  for (std::size_t index = 0; index < test_graphs::all().size(); ++index) {
    graph::build_options build;
    build.keep = {.in_vectors = false, .in_rows = true, .out_rows = true};
    const graph::distributed_graph graph = test_graphs::build(index, build);
    int wrong = -1;
    loops::on_all_cores([graph, to = &wrong] {
      const int mine = exchange_bits(graph.here());
      if (my_core() == 0) *to = mine;
    });
    EXPECT_EQ(wrong, 0) << test_graphs::all()[index].name;
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::exchange
