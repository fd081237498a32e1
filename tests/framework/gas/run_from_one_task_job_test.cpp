#include <gtest/gtest.h>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::gas {
namespace {

using test_graphs::expected_graph;

// Every vertex shows the smallest id that reaches it, and all count supersteps.
struct smallest_id {
  static constexpr bool incremental = true;
  using value = std::uint64_t;
  static constexpr auto combine = minimum{};
  struct aggregate {
    std::uint64_t changes = 0;
    void operator+=(const aggregate& other) { changes += other.changes; }
  };
  template <class V>
  V gather(V id, V) const {
    return id;
  }
  value start(const vertex& v, aggregate&) { return v.id(); }
  bool apply(const vertex&, value total, value& shown, aggregate& sums) {
    if (total >= shown) return false;
    shown = total;
    ++sums.changes;
    return true;
  }
  bool next(int superstep, const aggregate& last) {
    supersteps = superstep;
    changes += last.changes;
    return true;
  }
  int supersteps = 0;
  std::uint64_t changes = 0;
};

TEST(run_from_one_task, leaves_what_vertices_show_and_what_the_program_has_become) {
  for (const std::size_t g : test_graphs::places_in_turn()) {
    const graph::build_options options{.symmetrize = true, .keep = forms_for<smallest_id>()};
    const expected_graph expected(test_graphs::all()[g], options);
    std::vector<std::uint64_t> ids = expected.ids;
    for (bool changed = true; std::exchange(changed, false);) {
      for (const auto& e : expected.edges) {
        if (ids[e.source] >= ids[e.target]) continue;
        ids[e.target] = ids[e.source];
        changed = true;
      }
    }
    std::uint64_t moved = 0;
    for (std::size_t v = 0; v < ids.size(); ++v) moved += ids[v] != expected.ids[v] ? 1 : 0;

    const graph::distributed_graph handle = test_graphs::build(g, options);
    const auto shown = property<std::uint64_t>::create(handle);
    for (const steps::direction way : {steps::direction::pull, steps::direction::automatic}) {
      smallest_id program;
      const run_report report = run(program, handle, shown, {.direction = {way}});
      EXPECT_TRUE(test_graphs::by_position(handle, shown) == ids) << test_graphs::all()[g].name;
      EXPECT_TRUE(report.ended);
      EXPECT_EQ(program.supersteps, std::max(report.supersteps - 1, 0));
      EXPECT_GE(program.changes, moved);
      if (way == steps::direction::pull) {
        EXPECT_EQ(report.pushed, 0);
      }
    }
    smallest_id cut;
    const run_report report = run(cut, handle, {.most_supersteps = 0});
    EXPECT_EQ(report.supersteps, 0);
    EXPECT_EQ(report.ended, expected.ids.empty());
    shown.destroy();
    handle.destroy();
  }
}

// From a task of any core.
TEST(run_from_one_task, may_be_called_at_another_core) {
  const std::size_t last = test_graphs::all().size() - 1;
  const graph::distributed_graph handle = test_graphs::build(last, {.keep = forms_for<smallest_id>()});
  const auto shown = property<std::uint64_t>::create(handle);
  smallest_id here;
  const run_report report = run(here, handle, shown);
  const std::uint64_t changes = delegates::call_task(cores() - 1, [=] {
    smallest_id there;
    const run_report again = run(there, handle, shown);
    return again.supersteps == report.supersteps ? there.changes : 0;
  });
  EXPECT_EQ(changes, here.changes);
  EXPECT_GT(changes, 0u);
  // Which may stop it, too.
  const bool ended = delegates::call_task(cores() - 1, [=] {
    const std::atomic<bool> stop{true};
    smallest_id there;
    return run(there, handle, {.stop = &stop}).ended;
  });
  EXPECT_FALSE(ended);
  shown.destroy();
  handle.destroy();
}

// A scalar program.
struct in_degrees_by_rows {
  using value = std::uint32_t;
  using aggregate = nothing;
  value start(const vertex&, aggregate&) { return 0; }
  value collect(const vertex&, value, const neighbours<value>& all) { return static_cast<value>(all.size()); }
  bool apply(const vertex&, value total, value& shown, aggregate&) { return shown = total, false; }
};

TEST(run_from_one_task, goes_over_the_edges_that_its_programs_ask_for) {
  constexpr graph::edge_forms pushed = forms_for<smallest_id>(), scalar = forms_for<in_degrees_by_rows>(),
                              both = forms_for<smallest_id, in_degrees_by_rows>();
  static_assert(pushed.in_vectors && !pushed.in_rows && pushed.out_rows);
  static_assert(!scalar.in_vectors && scalar.in_rows && !scalar.out_rows);
  static_assert(both.in_vectors && both.in_rows && both.out_rows);
  const std::size_t last = test_graphs::all().size() - 1;
  const graph::distributed_graph handle = test_graphs::build(last, {.keep = both});
  const auto degrees = property<std::uint32_t>::create(handle);
  in_degrees_by_rows program;
  run(program, handle, degrees);
  smallest_id other;
  run(other, handle);
  std::uint64_t edges = 0;
  for (const std::uint32_t degree : test_graphs::by_vertex_number(degrees)) edges += degree;
  EXPECT_EQ(edges, test_graphs::all()[last].list.edges.size());
  EXPECT_GT(other.changes, 0u);
  degrees.destroy();
  handle.destroy();
}

}  // namespace
}  // namespace orujo::internal::gas
