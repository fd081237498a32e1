// How far every vertex is from one of them: breadth-first search, as a vertex program.
#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "framework/gas/load.hpp"
#include "framework/gas/property.hpp"
#include "framework/gas/run.hpp"
#include "system/runtime/runtime.hpp"

using orujo::gas::vertex;

struct hops {
  using value = std::uint32_t;  // what a vertex shows its neighbours: how far it is
  static constexpr auto combine = orujo::gas::any{};
  using aggregate = orujo::gas::nothing;
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

struct distances {
  std::uint64_t reached = 0, sum = 0;
  std::uint32_t farthest = 0;
};

orujo::status measure() {
  const auto loaded = orujo::gas::load_from_flags<hops>();
  if (!loaded.ok()) return loaded.status();
  const auto graph = loaded.value().graph;
  const auto far = orujo::gas::property<std::uint32_t>::create(graph);
  hops program;
  orujo::gas::run(program, graph, far);
  distances all;
  orujo::loops::on_all_cores([=, here = orujo::my_core(), to = &all] {
    distances mine;
    for (const std::uint32_t d : graph.here().my_part().of(far.here())) {
      if (d == orujo::gas::any::identity<std::uint32_t>()) continue;  // not reached
      mine = {mine.reached + 1, mine.sum + d, std::max(mine.farthest, d)};
    }
    mine = orujo::loops::all_reduce(mine, [](const distances& a, const distances& b) {
      return distances{a.reached + b.reached, a.sum + b.sum, std::max(a.farthest, b.farthest)};
    });
    if (orujo::my_core() == here) *to = mine;
  });
  std::printf("reached: %" PRIu64 " vertices, the farthest after %u hops\n", all.reached, all.farthest);
  std::printf("on average: %.3f hops\n", static_cast<double>(all.sum) / static_cast<double>(all.reached));
  return {};
}

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "Measures a graph from vertex 0.", &measure);
}
