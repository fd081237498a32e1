// How far every vertex is from one of them, by weights: shortest paths, as a vertex program.
#include <orujo/edge_maps.hpp>
#include <orujo/job.hpp>
#include <orujo/vertex_programs.hpp>

#include <algorithm>
#include <cstdio>
#include <limits>

using namespace orujo;

constexpr double unreached = std::numeric_limits<double>::infinity();

struct routes {
  using value = double;  // what a vertex shows its neighbours: the length of the shortest way so far
  static constexpr auto combine = minimum{};
  static constexpr bool incremental = true, improves = true, monotone = true;
  using aggregate = nothing;
  template <class V>
  V gather(V of_neighbour, V edge) const {
    return of_neighbour + edge;
  }
  bool starts(const vertex& v) const { return v.id() == 0; }
  value start(const vertex& v, aggregate&) { return starts(v) ? 0 : unreached; }
  std::uint64_t priority(const vertex&, value length) const {
    return static_cast<std::uint64_t>(std::min(length / 2, 1e18));
  }
};

status measure() {
  const auto loaded = load_from_flags<routes>();
  if (!loaded.ok()) return loaded.status();
  const auto graph = loaded.value().graph;
  const auto lengths = property<double>::create(graph);
  routes program;
  run(program, graph, lengths);
  const double longest = vertex_reduce(
      vertex_set::all(graph), [lengths](const vertex& v) { return lengths[v] == unreached ? 0 : lengths[v]; },
      [](double a, double b) { return std::max(a, b); });
  std::printf("the longest of the shortest ways from vertex 0: %.17g\n", longest);
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Measures ways from vertex 0.", &measure); }
