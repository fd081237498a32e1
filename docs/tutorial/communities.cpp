// Communities of a graph, as a vertex program: every vertex takes the label that most of its neighbours have.
#include <orujo/orujo.hpp>
#include <orujo/vertex_programs.hpp>

#include <cinttypes>
#include <cstdio>
#include <utility>

using namespace orujo;

struct label_propagation {
  using value = std::uint64_t;  // what a vertex shows its neighbours: its label
  using aggregate = nothing;
  static constexpr bool incremental = true;  // who sees no new label keeps its own
  value start(const vertex& v, aggregate&) { return v.id(); }
  value collect(const vertex&, value own, const neighbours<value>& all) {
    return most_frequent(own, all);  // the smallest of several
  }
  bool apply(const vertex&, value total, value& shown, aggregate&) {
    return std::exchange(shown, total) != total;  // active as long as its label changes
  }
};

status find_communities() {
  const auto loaded = load_from_flags<label_propagation>();
  if (!loaded.ok()) return loaded.status();
  const auto graph = loaded.value().graph;
  const auto labels = property<std::uint64_t>::create(graph);
  label_propagation program;
  run(program, graph, labels, {.most_supersteps = 10});
  const auto sizes = global_hash_map<std::uint64_t, std::uint64_t>::create(1000);
  finish([&](event_ref event) {
    on_all_cores([=] {
      for (const std::uint64_t label : graph.here().my_part().of(labels.here()))
        sizes.async_update(event, label, [](std::uint64_t& size) { ++size; });
    });
  });
  std::printf("communities: %zu\n", sizes.size());
  std::printf("with the label 0: %" PRIu64 " vertices\n", sizes.lookup(0).value_or(0));
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Finds communities.", &find_communities); }
