#include "applications/graph500/kernels.hpp"

#include <chrono>
#include <limits>

#include "applications/graph500/tuples.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/shortest_path_tree.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/gas/property.hpp"
#include "framework/grid/grid_search.hpp"

namespace orujo::graph500 {
namespace {

using verify::tree_places;

search_figures figures_of(const algorithms::search_report& found) {
  const engine::search_times& t = found.times;
  return {found.seconds,
          {{"push", t.push}, {"pull", t.pull}, {"exchange", t.exchange}, {"reduction", t.reduction}},
          {{"push", found.pushed}, {"exchange", found.exchanged}}};
}
search_figures figures_of(const algorithms::grid_search_report& found) {
  const algorithms::grid_search_times& t = found.times;
  return {found.seconds,
          {{"expansion", t.expansion}, {"row", t.row}, {"column", t.column}, {"reduction", t.reduction}},
          {{"row", found.row}, {"column", found.column}, {"parent", found.parents}}};
}

// With either kind of search, which has one part per core.
template <class Graph, class Search>
class bfs_kernel final : public kernel {
 public:
  explicit bfs_kernel(Graph graph) : graph_(graph) {
    loops::on_all_cores(
        [graph, parts = parts_] { parts.emplace_here(std::make_shared<Search>(graph.here())); });
  }
  ~bfs_kernel() override {
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
  }

  search_figures run(std::uint64_t root) override {
    decltype(std::declval<Search&>().run(root)) found;
    loops::on_all_cores([parts = parts_, root, to = &found] {
      const auto mine = parts.here()->run(root);
      if (my_core() == 0) *to = mine;
    });
    return figures_of(found);
  }

  void write(tree_places tree) override {
    delegates::completion_event written;
    loops::on_all_cores([parts = parts_, graph = graph_, tree, event = written.ref()] {
      const std::uint64_t first = graph.here().first_vertex;
      parts.here()->for_each_reached([&](std::uint32_t v, std::uint64_t parent, std::size_t level) {
        delegates::async_write(event, tree[first + v],
                               {static_cast<std::int64_t>(parent), static_cast<float>(level)});
      });
    });
    written.wait();
  }

  std::vector<std::uint64_t> roots(std::size_t count, std::uint64_t seed) const override {
    return draw_roots(graph_, count, seed);
  }

 private:
  using search_parts = memory::symmetric<std::shared_ptr<Search>>;
  const Graph graph_;
  const search_parts parts_ = search_parts::reserve();
};

// One core's part.
struct paths_and_tree {
  paths_and_tree(graph::locale_graph& g, std::span<float> distances)
      : paths(g, distances), tree(g, distances) {}
  algorithms::shortest_paths paths;
  algorithms::shortest_path_tree tree;
};

class sssp_kernel final : public kernel {
 public:
  explicit sssp_kernel(graph::distributed_graph graph)
      : graph_(graph),
        distances_(gas::property<float>::create(graph)),
        parents_(gas::property<std::int64_t>::create(graph)) {
    loops::on_all_cores([graph, parts = parts_, distances = distances_] {
      parts.emplace_here(std::make_shared<paths_and_tree>(graph.here(), distances.here()));
    });
  }
  ~sssp_kernel() override {
    loops::on_all_cores([parts = parts_] { parts.erase_here(); });
    parents_.destroy();
    distances_.destroy();
  }

  search_figures run(std::uint64_t root) override {
    struct {
      double paths, tree;
    } seconds;
    loops::on_all_cores([parts = parts_, parents = parents_, root, to = &seconds] {
      const double paths = parts.here()->paths.run(root).seconds;
      const auto begin = std::chrono::steady_clock::now();
      parts.here()->tree.write(parents.here());
      const auto end = std::chrono::steady_clock::now();
      if (my_core() == 0) *to = {paths, std::chrono::duration<double>(end - begin).count()};
    });
    return {seconds.paths + seconds.tree, {{"paths", seconds.paths}, {"tree", seconds.tree}}, {}};
  }

  void write(tree_places tree) override {
    delegates::completion_event written;
    loops::on_all_cores(
        [graph = graph_, distances = distances_, parents = parents_, tree, event = written.ref()] {
          const graph::locale_graph& g = graph.here();
          for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
            if (distances.here()[v] == std::numeric_limits<float>::infinity()) continue;
            delegates::async_write(event, tree[g.first_vertex + v], {parents.here()[v], distances.here()[v]});
          }
        });
    written.wait();
  }

  std::vector<std::uint64_t> roots(std::size_t count, std::uint64_t seed) const override {
    return draw_roots(graph_, count, seed);
  }

 private:
  using path_parts = memory::symmetric<std::shared_ptr<paths_and_tree>>;
  const graph::distributed_graph graph_;
  const path_parts parts_ = path_parts::reserve();
  const gas::property<float> distances_;
  const gas::property<std::int64_t> parents_;
};

}  // namespace

graph::edge_forms bfs_forms() { return {.in_vectors = false, .in_rows = true, .out_rows = true}; }
std::unique_ptr<kernel> make_bfs(graph::distributed_graph graph) {
  return std::make_unique<bfs_kernel<graph::distributed_graph, algorithms::breadth_first_search>>(graph);
}
std::unique_ptr<kernel> make_grid_bfs(graph::grid_graph graph) {
  return std::make_unique<bfs_kernel<graph::grid_graph, algorithms::grid_search>>(graph);
}

graph::edge_forms sssp_forms() { return algorithms::shortest_paths_forms(); }
std::unique_ptr<kernel> make_sssp(graph::distributed_graph graph) {
  return std::make_unique<sssp_kernel>(graph);
}

}  // namespace orujo::graph500
