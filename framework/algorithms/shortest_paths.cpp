#include "framework/algorithms/shortest_paths.hpp"

#include <chrono>
#include <limits>

#include "framework/gas/run.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::algorithms {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

// What a vertex shows is its distance so far.
struct relaxation {
  using value = float;
  static constexpr auto combine = gas::minimum{};
  struct aggregate {
    void operator+=(const aggregate&) {}
  };

  template <class V>
  V gather(V distance, V weight) const {
    return distance + weight;
  }
  value start(const gas::vertex& v, aggregate&) {
    return distances[v.local] = first_vertex + v.local == source ? 0 : unreached;
  }
  bool apply(const gas::vertex& v, value total, value& shown, aggregate&) {
    if (total >= distances[v.local]) return false;
    distances[v.local] = shown = total;
    return true;
  }
  bool next(int, const aggregate&) { return true; }

  float* distances;
  std::uint64_t first_vertex;
  std::uint64_t source;
};

float choose_delta(const graph::locale_graph&) { return 32; }

}  // namespace

graph::edge_forms shortest_paths_forms() {
  const bool rows = locales() == 1;
  return {.in_vectors = !rows, .in_rows = false, .out_rows = rows, .non_negative_weights = true};
}

shortest_paths::shortest_paths(graph::locale_graph& g, std::span<float> distances, float delta)
    : graph_(g), distances_(distances), delta_(delta) {
  if (locales() > 1) return;
  if (delta_ == 0) delta_ = choose_delta(g);
  on_one_locale_.emplace(g, distances, delta_);
}

paths_report shortest_paths::run(std::uint64_t source) {
  const auto start = std::chrono::steady_clock::now();
  paths_report report;
  if (on_one_locale_) {
    report.rounds = static_cast<int>(on_one_locale_->run(static_cast<std::uint32_t>(source)).rounds);
    loops::barrier();
  } else {
    relaxation program{distances_.data(), graph_.first_vertex, source};
    report.rounds = gas::run(program, graph_).supersteps;
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace orujo::algorithms
