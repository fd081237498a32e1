// Vertices of which no two are neighbours, as many as fit: a maximal independent set, by edge maps.
#include <orujo/edge_maps.hpp>
#include <orujo/job.hpp>

#include <cinttypes>
#include <cstdio>

using namespace orujo;

std::uint64_t turn(const vertex& v) { return mix64(v.id()); }

// Who hears of a neighbour that comes first waits.
struct waiting {
  using value = std::uint64_t;
  static constexpr auto combine = minimum{};
  value show(const vertex& v) const { return turn(v); }
  bool visit(const vertex& v, value first) const { return first < turn(v); }
};

// Who hears anything at all is beside a member.
struct beside_members {
  using value = std::uint32_t;
  static constexpr auto combine = any{};
  value show(const vertex&) const { return 1; }
  bool visit(const vertex&, value) const { return true; }
};

status choose() {
  const auto loaded = load_from_flags(forms_for_maps);
  if (!loaded.ok()) return loaded.status();
  const auto graph = loaded.value().graph;
  std::uint64_t members = 0;
  int rounds = 0;
  for (vertex_set undecided = vertex_set::all(graph); !undecided.empty(); ++rounds) {
    vertex_set joining = undecided.copy();
    edge_map(undecided, waiting{}, {.out_of = &joining});
    members += joining.size();
    undecided = subtract(undecided, joining);
    edge_map(joining, beside_members{}, {.out_of = &undecided});
  }
  std::printf("independent: %" PRIu64 " of %" PRIu64 " vertices, after %d rounds\n", members,
              graph.here().vertices, rounds);
  return {};
}

int main(int argc, char** argv) {
  return run(argc, argv, "Finds vertices of which no two are neighbours.", &choose);
}
