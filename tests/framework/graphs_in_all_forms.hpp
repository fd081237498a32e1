// A few small graphs that keep their edges in every combination of forms: what a graph also keeps must not
// change what an algorithm finds.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "framework/gas/check_graph.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/store/orj/write.hpp"
#include "framework/verify/simple_graph.hpp"
#include "system/base/fatal.hpp"
#include "tests/framework/graph/store/orj/orj_files.hpp"
#include "tests/framework/job_graph.hpp"

namespace orujo::internal::test_graphs {

// A graph in one combination of forms.
struct kept_graph {
  const test_graph* whole;
  bool symmetrized;
  std::shared_ptr<const verify::simple_graph> simple;  // what oracles take
  graph::edge_forms forms;
  bool from_file;  // .orj, on one locale used in place; otherwise built of edges
  graph::distributed_graph handle;

  bool weighted() const { return !whole->list.weights.empty(); }
  // Returns whether the requested graph has these forms, as graph::require_forms() must find.
  bool keeps(const graph::needed_forms& needed) const {
    const bool in_rows = forms.in_rows || (symmetrized && forms.out_rows);
    const bool out_rows = forms.out_rows || (symmetrized && forms.in_rows);
    const bool wants_rows = needed.in_rows || needed.out_rows;
    return (!needed.in_vectors || forms.in_vectors) && (!needed.in_rows || in_rows) &&
           (!needed.out_rows || out_rows) && !(wants_rows && needed.in_arrays && forms.arcs && weighted());
  }
  std::string name() const {
    std::string all = whole->name + (symmetrized ? ", symmetrized" : ", directed") +
                      (from_file ? ", from a file" : "") + ", keeps";
    if (forms.in_vectors) all += " in_vectors";
    if (forms.in_rows) all += " in_rows";
    if (forms.out_rows) all += " out_rows";
    if (forms.arcs) all += " arcs";
    return all;
  }
};

namespace detail {

inline void add_weights(test_graph& to) {
  for (std::size_t k = 0; k < to.list.edges.size(); ++k)
    to.list.weights.push_back(static_cast<float>(1 + k * 7 % 9));
}

//   0 -- 1 -- 2 ..     Few edges lead to other locales and there are no hubs, so that triangles are counted
//   in |  / |  / |        the rows as they are. Ids are large and have gaps. 12 - 13 - 14 ..
inline test_graph triangulated_mesh() {
  test_graph mesh{"triangulated mesh", {}, {}};
  constexpr std::uint64_t width = 12, height = 40;
  const auto id = [](std::uint64_t v) { return (std::uint64_t{1} << 40) + 977 * v; };
  for (std::uint64_t v = 0; v < width * height; ++v) {
    const bool right = v % width + 1 < width, below = v + width < width * height;
    if (right) mesh.list.edges.push_back({id(v), id(v + 1)});
    if (below) mesh.list.edges.push_back({id(v + width), id(v)});
    if (below && v % width > 0) mesh.list.edges.push_back({id(v), id(v + width - 1)});
  }
  add_weights(mesh);
  return mesh;
}

// Few ids have most of the edges; there are loops and parallel edges, also such as weigh 0.
inline test_graph hubs() { return {"hubs", random_edges(11, 200, 1500, true, 0x1234567890abu), {}}; }

// Vertex 100 has edges with all others, every second one from it, and these are a ring. Without weights.
inline test_graph wheel() {
  test_graph wheel{"wheel", {}, 201};
  for (std::uint64_t v = 0; v < 201; ++v) {
    if (v == 100) continue;
    wheel.list.edges.push_back(v % 2 == 0 ? edge{100, v} : edge{v, 100});
    wheel.list.edges.push_back({v, (v + (v == 99 ? 2 : 1)) % 201});
  }
  return wheel;
}

inline std::vector<graph::edge_forms> all_forms() {
  std::vector<graph::edge_forms> all;
  for (const bool in_vectors : {false, true}) {
    for (const bool in_rows : {false, true}) {
      for (const bool out_rows : {false, true}) {
        for (const bool arcs : {false, true}) {
          if (!arcs || in_rows || out_rows)
            all.push_back({.in_vectors = in_vectors, .in_rows = in_rows, .out_rows = out_rows, .arcs = arcs});
        }
      }
    }
  }
  return all;
}

// [task; suspends]
inline graph::distributed_graph load_kept(const std::string& path, const graph::build_options& options) {
  const graph::orj_files::loaded made = graph::orj_files::load_file(path, options);
  EXPECT_TRUE(made.failure.ok()) << made.failure.message();
  return made.graph.value();
}

// [task; suspends] Every second combination is read from a file. With the next graph these are the others.
inline void add_in_all_forms(const test_graph& whole, bool symmetrized, bool begins_with_file,
                             std::vector<kept_graph>& to) {
  graph::build_options options{.symmetrize = symmetrized, .keep = graph::forms_to_write};
  const graph::distributed_graph written = build(whole, options);
  const graph::orj_files::orj_path path;
  EXPECT_TRUE(graph::write_orj(written, path.name()).ok());
  written.destroy();
  const auto simple = std::make_shared<const verify::simple_graph>(
      whole.list.edges,
      verify::simple_graph_options{.vertex_count = whole.vertex_count, .symmetrize = symmetrized},
      whole.list.weights);
  bool from_file = begins_with_file;
  for (const graph::edge_forms& forms : all_forms()) {
    options.keep = forms;
    to.push_back({&whole, symmetrized, simple, forms, from_file,
                  from_file ? load_kept(path.name(), options) : build(whole, options)});
    from_file = !from_file;
  }
}

struct kept_graphs : testing::Environment {
  std::vector<test_graph> wholes{triangulated_mesh(), hubs(), wheel()};
  std::vector<kept_graph> all;

  // [task; suspends]
  void make() {
    bool from_file = false;
    for (const test_graph& whole : wholes) {
      for (const bool symmetrized : {false, true})
        add_in_all_forms(whole, symmetrized, from_file = !from_file, all);
    }
  }
  // [task; suspends] At the end of the tests.
  void TearDown() override {
    for (const kept_graph& kept : all) kept.handle.destroy();
    all.clear();
  }
};
inline kept_graphs* const all_kept =
    static_cast<kept_graphs*>(testing::AddGlobalTestEnvironment(new kept_graphs));

}  // namespace detail

// [task at core 0; suspends] Made once, for all tests of a process.
inline const std::vector<kept_graph>& in_all_forms() {
  if (detail::all_kept->all.empty()) detail::all_kept->make();
  return detail::all_kept->all;
}

// [task] The message with which the job would end if `f`, which does not suspend before, failed.
inline std::string refusal_of(const std::function<void()>& f) {
  const base::failures_are_thrown instead_of_ending;
  try {
    f();
  } catch (const job_error& why) {
    return why.code() == exit_status::usage ? why.what() : "another status";
  }
  return "nothing";
}

// [task] Returns whether `f` fails with the sentence about the graph's missing forms.
inline testing::AssertionResult is_refused(const std::string& who, const std::function<void()>& f) {
  const std::string said = refusal_of(f);
  if (said.starts_with(who + ": ") && said.find("the graph keeps no ") != said.npos &&
      said.find("edge_forms.") != said.npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "it said: " << said;
}

// [task at core 0; suspends] Calls expect(graph) for each graph, directed or symmetrized, that keeps the
// needed forms. For each other one use(graph), which is what `who` does with it first, has to be refused.
template <class Expect, class Use>
void expect_in_all_forms(const graph::needed_forms& needed, bool symmetrized, const std::string& who,
                         Expect expect, Use use) {
  int kept_count = 0;
  for (std::size_t k = 0; k < in_all_forms().size(); ++k) {
    const kept_graph& kept = in_all_forms()[k];
    if (kept.symmetrized != symmetrized || !is_in_turn(k)) continue;
    SCOPED_TRACE(kept.name());
    if (kept.keeps(needed)) {
      expect(kept);
      ++kept_count;
    } else {
      EXPECT_TRUE(is_refused(who, [&] { use(kept); }));
    }
  }
  EXPECT_GT(kept_count, 0);
}

// [task at core 0; suspends] The same for a vertex program.
template <class Program, class Expect>
void expect_program_in_all_forms(bool symmetrized, Expect expect) {
  const gas::detail::wanted_edges wanted = gas::detail::wanted_edges_of<Program>(locales() > 1);
  expect_in_all_forms(wanted.forms, symmetrized, "gas::run", expect, [=](const kept_graph& kept) {
    gas::detail::check_graph(kept.handle.here(), wanted, steps::direction::automatic);
  });
}

}  // namespace orujo::internal::test_graphs
