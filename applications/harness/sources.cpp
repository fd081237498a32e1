#include "applications/harness/sources.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "system/base/flags.hpp"
#include "system/base/random.hpp"
#include "system/delegates/delegate.hpp"
#include "system/messages/identity.hpp"

DEFINE_string(source, "", "id of the vertex to start from; without it vertices with out-edges are drawn");
DEFINE_uint64(seed, 1, "of the draw of sources");

namespace orujo::harness {
namespace {

std::optional<std::uint64_t> given_source() {
  std::uint64_t id = 0;
  const char* const end = FLAGS_source.data() + FLAGS_source.size();
  const auto [past, error] = std::from_chars(FLAGS_source.data(), end, id);
  if (error != std::errc() || past != end) return {};
  return id;
}

const flag_rule source_rule(
    "source", [] { return FLAGS_source.empty() || given_source().has_value(); }, "a vertex id");

// The own vertices of a core that may be drawn, and the k-th of them.
struct candidates {
  graph::distributed_graph graph;
  bool any_degree;

  template <class Visit>
  void visit(Visit visit) const {
    const graph::locale_graph& g = graph.here();
    for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
      if ((any_degree || g.out_degree[v] > 0) && !visit(g, v)) return;
    }
  }
  std::uint64_t count() const {
    std::uint64_t n = 0;
    visit([&](const graph::locale_graph&, std::uint32_t) { return ++n > 0; });
    return n;
  }
  search_source at(std::uint64_t k) const {
    search_source found{};
    visit([&](const graph::locale_graph& g, std::uint32_t v) {
      found = {g.external_id(v), g.first_vertex + v};
      return k-- > 0;
    });
    return found;
  }
};

// The counts of all cores, one after the other.
std::vector<std::uint64_t> count_by_core(const candidates& of) {
  std::vector<std::uint64_t> counts;
  for (core_id c = 0; c < cores(); ++c) counts.push_back(delegates::call(c, [of] { return of.count(); }));
  return counts;
}

std::vector<search_source> draw(graph::distributed_graph graph, std::uint64_t vertices, int wanted) {
  std::vector<search_source> drawn;
  if (vertices == 0) return drawn;
  candidates of{graph, false};
  std::vector<std::uint64_t> counts = count_by_core(of);
  if (std::all_of(counts.begin(), counts.end(), [](auto n) { return n == 0; })) {
    of.any_degree = true;
    counts = count_by_core(of);
  }
  std::uint64_t all = 0;
  for (const std::uint64_t n : counts) all += n;
  random_stream random(FLAGS_seed);
  while (wanted-- > 0) {
    std::uint64_t k = random.below(all);
    core_id c = 0;
    for (; k >= counts[static_cast<std::size_t>(c)]; ++c) k -= counts[static_cast<std::size_t>(c)];
    drawn.push_back(delegates::call(c, [of, k] { return of.at(k); }));
  }
  return drawn;
}

// Whether the vertex is one of the calling core's, and which.
struct lookup {
  bool found;
  std::uint64_t number;
};
lookup look_up(const graph::locale_graph& g, std::uint64_t id) {
  const graph::core_part& part = g.my_part();
  if (g.external_ids.empty()) {
    const bool own = id >= g.first_vertex + part.first && id < g.first_vertex + part.last;
    return {own, id};
  }
  const auto first = g.external_ids.begin() + part.first, last = g.external_ids.begin() + part.last;
  const auto at = std::lower_bound(first, last, id);
  return {at != last && *at == id, g.first_vertex + static_cast<std::uint64_t>(at - g.external_ids.begin())};
}

}  // namespace

result<std::vector<search_source>> choose_sources(const graph::loaded_graph& loaded, int count) {
  const graph::distributed_graph graph = loaded.graph;
  if (FLAGS_source.empty()) return draw(graph, loaded.vertices, count);
  const std::uint64_t id = given_source().value();
  for (core_id c = 0; c < cores(); ++c) {
    const lookup answer = delegates::call(c, [=] { return look_up(graph.here(), id); });
    if (answer.found) return std::vector<search_source>(static_cast<std::size_t>(count), {id, answer.number});
  }
  return status(exit_status::usage, fmt::format("--source={}: the graph has no such vertex", id));
}

}  // namespace orujo::harness
