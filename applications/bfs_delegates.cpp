// Breadth-first search written with tasks and delegates alone: bfs without an engine. It follows the example
// of Nelson et al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015.
#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "applications/harness/tree_search.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo {
namespace {

// One core's part of a search.
struct core_search {
  graph::distributed_graph graph;
  graph::property<harness::place_in_tree> tree;
  std::int64_t level = 0;                               // of the frontier
  std::vector<std::uint32_t> frontier = {}, next = {};  // of this core's vertices
  std::uint64_t vertices = 0, out_edges = 0;            // of the frontiers so far

  // [handler] At its owner a vertex joins the tree, unless it is in it.
  void visit(std::uint64_t vertex, std::uint64_t parent) {
    const auto v = static_cast<std::uint32_t>(vertex - graph.here().first_vertex);
    harness::place_in_tree& place = tree.here()[v];
    if (place.level >= 0) return;
    place = {static_cast<std::int64_t>(parent), level + 1};
    next.push_back(v);
  }
  // [handler] Returns the size of this core's part of the next frontier.
  std::uint64_t advance() {
    frontier = std::exchange(next, {});
    ++level;
    vertices += frontier.size();
    for (const std::uint32_t v : frontier) out_edges += graph.here().out_degree[v];
    return frontier.size();
  }
};
using search = containers::symmetric<core_search>;

// Calls the owners of all out-neighbours of this core's frontier, without waiting for any call.
void expand(search all, delegates::event_ref visited) {
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

harness::search_result run(search all, const graph::locale_graph& g, std::uint64_t source) {
  loops::on_all_cores([=] {
    core_search& mine = all.here();
    mine = {mine.graph, mine.tree, -1};
    std::ranges::fill(mine.graph.here().my_part().of(mine.tree.here()), harness::not_in_tree);
  });
  const auto begin = std::chrono::steady_clock::now();
  delegates::call(g.owners.owner(source), [=] { all.here().visit(source, source); });
  harness::search_result found;
  for (; delegates::sum_of_all([=] { return all.here().advance(); }) > 0; ++found.levels) {
    delegates::completion_event visited;
    loops::on_all_cores([all, event = visited.ref()] { expand(all, event); });
    visited.wait();
  }
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  found.vertices = delegates::sum_of_all([=] { return all.here().vertices; });
  found.out_edges = delegates::sum_of_all([=] { return all.here().out_edges; });
  return found;
}

status run_searches(const graph::loaded_graph& loaded, base::output_file& output, harness::report& report) {
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
}  // namespace orujo

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "bfs_delegates: breadth-first search by tasks and delegates, without the graph engine.\n\n"
      "  bin/orujo run -n 2 bfs_delegates --generate=kronecker:16 --symmetrize --verify",
      [] {
        return orujo::harness::run_on_graph(
            "bfs_delegates", {.in_vectors = false, .out_rows = true, .weights = false}, orujo::run_searches);
      });
}
