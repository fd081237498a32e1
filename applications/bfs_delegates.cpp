// Breadth-first search written with tasks, delegates and collectives alone: bfs without an engine. It follows
// the example of Nelson et al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "applications/harness/tree_search.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::internal {
namespace {

struct frontier_size {
  std::uint64_t vertices = 0, out_edges = 0;
  frontier_size& operator+=(const frontier_size& more) {
    vertices += more.vertices;
    out_edges += more.out_edges;
    return *this;
  }
};

// One core's part of a search.
struct core_search {
  graph::distributed_graph graph;
  graph::property<harness::place_in_tree> tree;
  std::int64_t level = 0;                               // of the frontier
  std::vector<std::uint32_t> frontier = {}, next = {};  // of this core's vertices
  std::vector<std::uint64_t> in_frontier = {};          // a bit for each vertex of the graph

  bool is_in_tree(std::uint32_t v) const { return tree.here()[v].level >= 0; }
  void join(std::uint32_t v, std::uint64_t parent) {
    tree.here()[v] = {static_cast<std::int64_t>(parent), level + 1};
    next.push_back(v);
  }
  // [handler] At its owner a vertex joins the tree, unless it is in it.
  void visit(std::uint64_t vertex, std::uint64_t parent) {
    const auto v = static_cast<std::uint32_t>(vertex - graph.here().first_vertex);
    if (!is_in_tree(v)) join(v, parent);
  }
  // [handler] Returns the size of this core's part of the next frontier.
  frontier_size advance() {
    frontier = std::exchange(next, {});
    ++level;
    frontier_size mine{frontier.size(), 0};
    for (const std::uint32_t v : frontier) mine.out_edges += graph.here().out_degree[v];
    return mine;
  }
};
using search = containers::symmetric<core_search>;

// Top-down: calls the owners of all out-neighbours of this core's frontier, without waiting for any call.
void call_neighbours(search all, delegates::event_ref visited) {
  const std::vector<std::uint32_t>& frontier = all.here().frontier;
  const graph::locale_graph& g = all.here().graph.here();
  loops::forall_here({0, frontier.size()}, [&](std::size_t k) {
    const std::uint64_t parent = g.first_vertex + frontier[k];
    for (const std::uint32_t out : g.out_rows->of(frontier[k])) {
      const std::uint64_t vertex = g.number_of(out);
      delegates::async_call(visited, g.owners.owner(vertex), [=] { all.here().visit(vertex, parent); });
    }
  });
}

// [collective] Bottom-up: every core learns the whole frontier, and its vertices look for an in-neighbour
// there.
void look_for_parents(core_search& mine) {
  const graph::locale_graph& g = mine.graph.here();
  std::vector<std::uint64_t>& bits = mine.in_frontier;
  bits.assign(g.vertices / 64 + 1, 0);
  for (const std::uint32_t v : mine.frontier) {
    const std::uint64_t vertex = g.first_vertex + v;
    bits[vertex / 64] |= std::uint64_t{1} << vertex % 64;
  }
  collectives::all_reduce(bits, std::bit_or<>());
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    if (mine.is_in_tree(v)) continue;
    for (const std::uint32_t in : g.in_rows->of(v)) {
      const std::uint64_t vertex = g.number_of(in);
      if (!(bits[vertex / 64] >> vertex % 64 & 1)) continue;
      mine.join(v, vertex);
      break;
    }
  }
}

// Chooses the direction of each step (Beamer, Asanović, Patterson: "Direction-Optimizing Breadth-First
// Search", SC 2012, with its constants).
class direction {
 public:
  explicit direction(const graph::locale_graph& g) : vertices_(g.vertices), unexplored_(g.edges) {}
  bool is_bottom_up_from(const frontier_size& frontier) {
    unexplored_ -= frontier.out_edges;
    bottom_up_ = bottom_up_ ? 24 * frontier.vertices >= vertices_ : 14 * frontier.out_edges > unexplored_;
    return bottom_up_;
  }

 private:
  const std::uint64_t vertices_;
  std::uint64_t unexplored_;
  bool bottom_up_ = false;
};

harness::search_result run(search all, const graph::locale_graph& g, std::uint64_t source) {
  loops::on_all_cores([=] {
    core_search& mine = all.here();
    mine = {mine.graph, mine.tree, -1};
    std::ranges::fill(mine.graph.here().my_part().of(mine.tree.here()), harness::not_in_tree);
  });
  const auto begin = std::chrono::steady_clock::now();
  delegates::call(g.owners.owner(source), [=] { all.here().visit(source, source); });
  harness::search_result found;
  direction choice(g);
  for (;; ++found.levels) {
    const auto frontier = delegates::sum_of_all([=] { return all.here().advance(); });
    if (frontier.vertices == 0) break;
    found.vertices += frontier.vertices;
    found.out_edges += frontier.out_edges;
    if (choice.is_bottom_up_from(frontier)) {
      loops::on_all_cores([all] { look_for_parents(all.here()); });
    } else {
      delegates::completion_event visited;
      loops::on_all_cores([all, event = visited.ref()] { call_neighbours(all, event); });
      visited.wait();
    }
  }
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return found;
}

status run_searches(const graph::loaded_graph& loaded, files::output_file& output, harness::report& report) {
  const auto tree = graph::property<harness::place_in_tree>::create(loaded.graph);
  const auto all = search::create_by([tree, graph = loaded.graph] { return core_search{graph, tree}; });
  const auto search_from = [&](std::uint64_t source) { return run(all, loaded.graph.here(), source); };
  const status done =
      harness::run_searches("bfs_delegates", loaded, {search_from, [&] { return tree; }}, output, report);
  all.destroy();
  tree.destroy();
  return done;
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "bfs_delegates: breadth-first search by tasks and delegates, without the graph engine.\n\n"
      "  bin/orujo run -n 2 bfs_delegates --generate=kronecker:16 --symmetrize --verify",
      [] {
        return orujo::harness::run_on_graph(
            "bfs_delegates", {.in_vectors = false, .in_rows = true, .out_rows = true, .weights = false},
            orujo::internal::run_searches);
      });
}
