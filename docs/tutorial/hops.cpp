// How far every vertex is from one of them: breadth-first search, as a vertex program.
#include <orujo/edge_maps.hpp>
#include <orujo/job.hpp>
#include <orujo/vertex_programs.hpp>

#include <algorithm>
#include <cinttypes>
#include <cstdio>

using namespace orujo;

struct hops {
  using value = std::uint32_t;  // what a vertex shows its neighbours: how far it is
  static constexpr auto combine = any{};
  using aggregate = nothing;
  template <class V>
  V gather(V of_neighbour, V) const {
    return of_neighbour + V{1};
  }
  bool starts(const vertex& v) const { return v.id() == 0; }
  value start(const vertex&, aggregate&) { return 0; }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    shown = total;
    return true;
  }
};

status measure() {
  const auto loaded = load_from_flags<hops>();
  if (!loaded.ok()) return loaded.status();
  const auto graph = loaded.value().graph;
  const auto far = property<std::uint32_t>::create(graph);
  hops program;
  run(program, graph, far);
  const vertex_set reached = vertex_filter(
      vertex_set::all(graph), [far](const vertex& v) { return far[v] != any::identity<std::uint32_t>(); });
  const std::uint64_t sum = vertex_reduce(reached, [far](const vertex& v) { return std::uint64_t{far[v]}; });
  const std::uint32_t farthest = vertex_reduce(
      reached, [far](const vertex& v) { return far[v]; },
      [](std::uint32_t a, std::uint32_t b) { return std::max(a, b); });
  std::printf("reached: %" PRIu64 " vertices, the farthest after %u hops\n", reached.size(), farthest);
  std::printf("on average: %.3f hops\n", static_cast<double>(sum) / static_cast<double>(reached.size()));
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Measures a graph from vertex 0.", &measure); }
