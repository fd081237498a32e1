#include "applications/graph500/kernels.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "applications/graph500/tuples.hpp"
#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/algorithms/shortest_path_tree.hpp"
#include "framework/algorithms/shortest_paths.hpp"
#include "framework/graph/property.hpp"
#include "framework/grid/grid_search.hpp"
#include "system/collectives/collectives.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::graph500 {
namespace {

using verify::tree_places;

using clock = std::chrono::steady_clock;

double seconds_since(clock::time_point begin) {
  return std::chrono::duration<double>(clock::now() - begin).count();
}

using named_seconds = std::vector<std::pair<std::string, double>>;

// [task; suspends; collective over the job] The maximum over all cores, because a core that gets its CPU late
// begins late.
double longest(double seconds) {
  return collectives::all_reduce(seconds, [](double a, double b) { return std::max(a, b); });
}

// [task; suspends; collective over the job] Every core passes the same names, in the same order.
std::vector<part_seconds> over_cores(const named_seconds& mine) {
  std::vector<part_seconds> parts;
  for (const auto& [name, seconds] : mine) {
    parts.push_back(
        {name, collectives::all_reduce(seconds) / static_cast<double>(cores()), longest(seconds)});
  }
  return parts;
}

named_seconds parts_of(const algorithms::search_report& found) {
  const steps::search_times& t = found.times;
  return {{"push", t.push}, {"pull", t.pull}, {"exchange", t.exchange}, {"reduction", t.reduction}};
}
named_seconds parts_of(const algorithms::grid_search_report& found) {
  const algorithms::grid_search_times& t = found.times;
  return {{"expansion", t.expansion},
          {"copies", t.copies},
          {"row", t.row},
          {"column", t.column},
          {"reduction", t.reduction}};
}
std::vector<std::pair<std::string, exchange::byte_counts>> bytes_of(const algorithms::search_report& found) {
  return {{"exchange", found.exchanged}};
}
std::vector<std::pair<std::string, exchange::byte_counts>> bytes_of(
    const algorithms::grid_search_report& found) {
  return {{"row", found.row}, {"column", found.column}, {"parent", found.parents}};
}

// Users name a vertex by its id. It is the vertex's position, because all ids from 0 on exist.
std::uint64_t number_of(const graph::locale_graph& g, std::uint64_t id) { return g.numbers.number(id); }
std::uint64_t number_of(const graph::locale_grid&, std::uint64_t id) { return id; }
std::uint64_t id_of(const graph::locale_graph& g, std::uint32_t own) { return g.position_of(own); }
std::uint64_t id_of(const graph::locale_grid& g, std::uint32_t own) { return g.first_vertex + own; }

// A kernel with either kind of search, which has one part per core.
template <class Graph, class Search>
class bfs_kernel final : public kernel {
 public:
  explicit bfs_kernel(Graph graph) : graph_(graph) {
    loops::on_all_cores(
        [graph, parts = parts_] { parts.emplace_here(std::make_shared<part>(graph.here())); });
  }
  ~bfs_kernel() override { parts_.destroy(); }

  search_figures run(std::uint64_t root) override {
    return loops::on_all_cores([graph = graph_, parts = parts_, root] {
      part& p = *parts.here();
      const auto found = p.search.run(number_of(graph.here(), root));
      collectives::barrier();
      const auto begin = clock::now();
      p.search.write_parents({p.parents->data(), p.parents->size()});
      const double mine = seconds_since(begin);
      collectives::barrier();
      const double all = seconds_since(begin);
      named_seconds times = parts_of(found);
      times.emplace_back("parents", mine);
      std::vector<part_seconds> parts_of_all = over_cores(times);
      const double seconds = longest(found.seconds + all);
      return search_figures{seconds, std::move(parts_of_all), bytes_of(found)};
    });
  }

  void write(tree_places tree) override {
    delegates::completion_event written;
    loops::on_all_cores([parts = parts_, graph = graph_, tree, event = written.ref()] {
      const auto& g = graph.here();
      const part& p = *parts.here();
      p.search.for_each_reached([&](std::uint32_t v, std::uint64_t, std::size_t level) {
        delegates::async_write(event, tree[id_of(g, v)], {(*p.parents)[v], static_cast<float>(level)});
      });
    });
    written.wait();
  }

  std::vector<std::uint64_t> roots(std::size_t count, std::uint64_t seed) const override {
    return draw_roots(graph_, count, seed);
  }

 private:
  // One core's.
  struct part {
    template <class LocaleGraph>
    explicit part(const LocaleGraph& g)
        : search(g), parents(collectives::share_on_locale<machine::huge_array<std::int64_t>>([&] {
            return std::make_shared<machine::huge_array<std::int64_t>>(g.own);
          })) {
      // Allocated here, so that no search is the first to touch the memory.
      const index_range mine = my_part_of_locale({0, g.own});
      std::fill_n(parents->data() + mine.first, mine.size(), -1);
    }
    Search search;
    const std::shared_ptr<machine::huge_array<std::int64_t>> parents;  // by own vertex of the locale, as ids
  };
  using search_parts = containers::symmetric<std::shared_ptr<part>>;
  const Graph graph_;
  const search_parts parts_ = search_parts::reserve();
};

// One core's part.
struct paths_and_tree {
  explicit paths_and_tree(graph::locale_graph& g)
      : paths(g, 0, algorithms::path_precision::single), tree(g, paths.singles()) {}
  algorithms::shortest_paths paths;
  algorithms::shortest_path_tree<float> tree;
};

class sssp_kernel final : public kernel {
 public:
  explicit sssp_kernel(graph::distributed_graph graph)
      : graph_(graph), parents_(graph::property<std::int64_t>::create(graph)) {
    loops::on_all_cores(
        [graph, parts = parts_] { parts.emplace_here(std::make_shared<paths_and_tree>(graph.here())); });
  }
  ~sssp_kernel() override {
    parts_.destroy();
    parents_.destroy();
  }

  search_figures run(std::uint64_t root) override {
    return loops::on_all_cores([graph = graph_, parts = parts_, parents = parents_, root] {
      const graph::locale_graph& g = graph.here();
      const double paths = parts.here()->paths.run(number_of(g, root)).seconds;
      collectives::barrier();
      const auto begin = clock::now();
      parts.here()->tree.write(parents.here());
      const double tree = seconds_since(begin);
      write_ids(g, g.my_part().of(parents.here()));
      const double mine = seconds_since(begin);
      collectives::barrier();
      const double all = seconds_since(begin);
      std::vector<part_seconds> parts_of_all =
          over_cores({{"paths", paths}, {"tree", tree}, {"parents", mine - tree}});
      const double seconds = longest(paths + all);
      return search_figures{seconds, std::move(parts_of_all), {}};
    });
  }

  void write(tree_places tree) override {
    delegates::completion_event written;
    loops::on_all_cores([graph = graph_, parts = parts_, parents = parents_, tree, event = written.ref()] {
      const graph::locale_graph& g = graph.here();
      const std::span<const float> distances = parts.here()->paths.singles();
      for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
        if (distances[v] == std::numeric_limits<float>::infinity()) continue;
        delegates::async_write(event, tree[id_of(g, v)], {parents.here()[v], distances[v]});
      }
    });
    written.wait();
  }

  std::vector<std::uint64_t> roots(std::size_t count, std::uint64_t seed) const override {
    return draw_roots(graph_, count, seed);
  }

 private:
  // Replaces the parents of the calling core's vertices, which are numbers, by ids.
  static void write_ids(const graph::locale_graph& g, std::span<std::int64_t> parents) {
    if (g.numbers.is_identity()) return;
    for (std::int64_t& parent : parents) {
      if (parent >= 0)
        parent = static_cast<std::int64_t>(g.numbers.position(static_cast<std::uint64_t>(parent)));
    }
  }

  using path_parts = containers::symmetric<std::shared_ptr<paths_and_tree>>;
  const graph::distributed_graph graph_;
  const path_parts parts_ = path_parts::reserve();
  const graph::property<std::int64_t> parents_;
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

}  // namespace orujo::internal::graph500
