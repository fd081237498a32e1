#include "framework/verify/simple_graph.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <numeric>

namespace orujo::verify {
namespace {

void remove_repetitions(auto& sorted) {
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

std::vector<std::uint64_t> occurring_ids(const std::vector<edge>& edges) {
  std::vector<std::uint64_t> ids;
  ids.reserve(2 * edges.size());
  for (const edge& e : edges) {
    ids.push_back(e.source);
    ids.push_back(e.target);
  }
  std::sort(ids.begin(), ids.end());
  remove_repetitions(ids);
  return ids;
}

std::vector<std::uint64_t> ids_below(std::uint64_t count) {
  std::vector<std::uint64_t> ids(count);
  std::iota(ids.begin(), ids.end(), std::uint64_t{0});
  return ids;
}

// The edges as the options want them, sorted.
void prepare(std::vector<edge>& edges, const simple_graph_options& options) {
  if (options.remove_self_loops) std::erase_if(edges, [](const edge& e) { return e.source == e.target; });
  if (options.symmetrize) {
    const std::size_t count = edges.size();
    edges.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i) edges.push_back({edges[i].target, edges[i].source});
  }
  std::sort(edges.begin(), edges.end());
  if (options.symmetrize || options.remove_duplicates) remove_repetitions(edges);
}

}  // namespace

simple_graph::simple_graph(std::vector<edge> edges, const simple_graph_options& options)
    : ids_(options.vertex_count ? ids_below(*options.vertex_count) : occurring_ids(edges)) {
  prepare(edges, options);
  const auto index_of = [&](std::uint64_t id) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
    CHECK(at != ids_.end()) << "vertex " << id << " of a graph of " << ids_.size();
    return static_cast<std::size_t>(at - ids_.begin());
  };
  offsets_.assign(ids_.size() + 1, 0);
  targets_.reserve(edges.size());
  for (const edge& e : edges) {
    ++offsets_[index_of(e.source) + 1];
    targets_.push_back(index_of(e.target));
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
}

}  // namespace orujo::verify
