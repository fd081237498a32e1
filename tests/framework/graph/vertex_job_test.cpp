// The view that a vertex program has of its vertices.
#include <gtest/gtest.h>

#include "framework/gas/run.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::graph {
namespace {

using gas::minimum, gas::neighbours, gas::nothing, gas::run;
using test_graphs::expected_graph;

// The facts about a vertex that a program can read.
struct known {
  std::uint64_t number, id;
  std::uint32_t out_degree, in_degree;
  friend bool operator==(const known&, const known&) = default;
};
known known_of(const vertex& v) { return {v.number(), v.id(), v.out_degree, v.in_degree()}; }

// Notes in one superstep what start(), starts(), settled() and apply() receive for each vertex.
struct asks_on_vectors {
  static constexpr bool incremental = true, settles = true;
  using value = std::uint32_t;
  static constexpr auto combine = minimum{};
  using aggregate = nothing;
  template <class V>
  V gather(V shown, V) const {
    return shown;
  }
  value start(const vertex& v, aggregate&) {
    found.here()[v.local] = known_of(v);
    return 0;
  }
  bool starts(const vertex& v) const { return found.here()[v.local] == known_of(v); }
  bool settled(const vertex& v) const { return !starts(v); }
  bool apply(const vertex& v, value, value&, aggregate&) {
    if (!(found.here()[v.local] == known_of(v))) found.here()[v.local] = {};
    return false;
  }
  property<known> found;
};

// The same check for collect().
struct asks_on_rows {
  using value = std::uint32_t;
  using aggregate = nothing;
  value start(const vertex&, aggregate&) { return 0; }
  value collect(const vertex& v, value own, const neighbours<value>& all) {
    found.here()[v.local] = known_of(v);
    if (all.size() != v.in_degree()) found.here()[v.local].in_degree = ~0u;
    return own;
  }
  bool apply(const vertex&, value, value&, aggregate&) { return false; }
  property<known> found;
};

template <class Program>
void expect_known(std::size_t index, graph::build_options options, const graph::edge_forms& keep) {
  options.keep = keep;
  const graph::distributed_graph handle = test_graphs::build(index, options);
  const auto found = property<known>::create(handle);
  loops::on_all_cores([=] {
    Program program{found};
    run(program, handle.here());
  });
  const expected_graph expected(test_graphs::all()[index], options);
  std::vector<known> right(expected.ids.size());
  for (std::size_t v = 0; v < right.size(); ++v)
    right[v] = {handle.here().numbers.number(v), expected.ids[v], 0, 0};
  for (const auto& e : expected.edges) ++right[e.source].out_degree, ++right[e.target].in_degree;
  EXPECT_TRUE(test_graphs::by_position(handle, found) == right) << test_graphs::all()[index].name;
  found.destroy();
  handle.destroy();
}

TEST(vertex, tells_its_number_id_and_degrees) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    for (const bool symmetrize : {false, true}) {
      for (const bool hash : {false, true}) {
        const graph::build_options options{.symmetrize = symmetrize, .partition = {.hash = hash}};
        expect_known<asks_on_vectors>(g, options, {.out_rows = true});
        expect_known<asks_on_rows>(g, options, {.in_vectors = false, .in_rows = true});
      }
    }
  }
}

}  // namespace
}  // namespace orujo::internal::graph
