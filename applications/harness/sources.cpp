#include "applications/harness/sources.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>

#include "framework/graph/look_up.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/results/by_position.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/numbers.hpp"
#include "system/base/random.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/delegates/delegate.hpp"

DEFINE_string(source, "", "id or name of the vertex to start from; empty: sampled vertices with out-edges");
DEFINE_uint64(seed, 1, "seed of the sample of sources");

namespace orujo::internal::harness {
namespace {

// --sources, for programs that have several.
const base::flag_need draw_need(
    {"seed", "sources"}, [] { return FLAGS_source.empty(); }, "without --source");

std::optional<std::uint64_t> given_source() { return base::number_of<std::uint64_t>(FLAGS_source); }

search_source at_position(const graph::distributed_graph graph, std::uint64_t position) {
  const graph::locale_graph& g = graph.here();
  const std::uint64_t number = g.numbers.number(position);
  const std::uint64_t id = delegates::call(g.owners.owner(number), [=] {
    const graph::locale_graph& there = graph.here();
    return there.external_id(static_cast<std::uint32_t>(number - there.first_vertex));
  });
  return {id, graph.here().names ? graph.here().names->name(position) : "", position, number};
}

// The vertices that may be sampled, in the order of their positions.
class candidates {
 public:
  explicit candidates(graph::distributed_graph graph)
      : out_degrees_(results::by_position<std::uint32_t>(
            graph, [](const graph::locale_graph& g, std::uint32_t v) { return g.out_degree[v]; })) {
    count();
    if (count_ > 0) return;
    any_degree_ = true;
    count();
  }
  ~candidates() { out_degrees_.destroy(); }
  candidates(const candidates&) = delete;

  std::uint64_t size() const { return count_; }
  // The position of the k-th.
  std::uint64_t operator[](std::uint64_t k) const {
    core_id c = 0;
    for (; k >= by_core_[c]; ++c) k -= by_core_[c];
    return delegates::call(c, [degrees = out_degrees_, any = any_degree_, k] {
      const std::span<const std::uint32_t> mine = degrees.local();
      std::size_t i = 0;
      for (std::uint64_t before = 0;; ++i) {
        if ((any || mine[i] > 0) && before++ == k) break;
      }
      return degrees.range_here().first + i;
    });
  }

 private:
  void count() {
    by_core_.resize(cores());
    delegates::call_on_all(
        [degrees = out_degrees_, any = any_degree_] {
          const std::span<const std::uint32_t> mine = degrees.local();
          return static_cast<std::uint64_t>(
              std::count_if(mine.begin(), mine.end(), [any](std::uint32_t d) { return any || d > 0; }));
        },
        [&](core_id c, std::uint64_t here) { by_core_[c] = here; });
    count_ = std::accumulate(by_core_.begin(), by_core_.end(), std::uint64_t{0});
  }

  const containers::global_array<std::uint32_t> out_degrees_;
  bool any_degree_ = false;
  by_core<std::uint64_t> by_core_;
  std::uint64_t count_ = 0;
};

std::vector<search_source> draw(graph::distributed_graph graph, std::uint64_t vertices, int wanted) {
  std::vector<search_source> drawn;
  if (vertices == 0) return drawn;
  const candidates of(graph);
  random_stream random(FLAGS_seed);
  while (wanted-- > 0) drawn.push_back(at_position(graph, of[random.below(of.size())]));
  return drawn;
}

}  // namespace

result<std::vector<search_source>> choose_sources(const graph::loaded_graph& loaded, int count) {
  const graph::distributed_graph graph = loaded.graph;
  if (FLAGS_source.empty()) return draw(graph, loaded.vertices, count);
  const auto no_such = [](const char* what) {
    return status(exit_status::usage, fmt::format("--source={}: {}", FLAGS_source, what));
  };
  const auto from = [&](std::uint64_t number) {
    return std::vector<search_source>(static_cast<std::size_t>(count),
                                      at_position(graph, graph.here().numbers.position(number)));
  };
  if (graph.here().names) {
    const auto number = graph::find_vertex(graph, FLAGS_source);
    if (!number) return no_such("the graph has no vertex of that name");
    return from(*number);
  }
  if (!given_source()) return no_such("expected a vertex id, as this graph's vertices have no names");
  if (const auto number = graph::find_vertex(graph, *given_source())) return from(*number);
  return no_such("the graph has no such vertex");
}

}  // namespace orujo::internal::harness
