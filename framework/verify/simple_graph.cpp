#include "framework/verify/simple_graph.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <numeric>

namespace orujo::internal::verify {
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

std::vector<std::uint64_t> ids_from(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> ids(count);
  std::iota(ids.begin(), ids.end(), first);
  return ids;
}

struct weighted_edge {
  edge ends;
  float weight;
  auto operator<=>(const weighted_edge&) const = default;
};

std::vector<weighted_edge> join(const std::vector<edge>& edges, const std::vector<float>& weights) {
  std::vector<weighted_edge> joined;
  joined.reserve(edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k)
    joined.push_back({edges[k], weights.empty() ? 1 : weights[k]});
  return joined;
}

// The edges after the changes of the options, sorted.
void prepare(std::vector<weighted_edge>& edges, const simple_graph_options& options) {
  if (options.remove_self_loops)
    std::erase_if(edges, [](const weighted_edge& e) { return e.ends.source == e.ends.target; });
  if (options.symmetrize) {
    const std::size_t count = edges.size();
    edges.reserve(2 * count);
    for (std::size_t i = 0; i < count; ++i)
      edges.push_back({{edges[i].ends.target, edges[i].ends.source}, edges[i].weight});
  }
  std::sort(edges.begin(), edges.end());
  if (options.symmetrize || options.remove_duplicates) {
    // Edges are sorted by weight, too. The first of equal edges stays.
    for (std::size_t k = edges.size(); options.keep_weight == kept_weight::heaviest && k-- > 1;) {
      if (edges[k - 1].ends == edges[k].ends) edges[k - 1].weight = edges[k].weight;
    }
    double sum = 0;
    for (std::size_t k = 0, first = 0; options.keep_weight == kept_weight::sum && k < edges.size(); ++k) {
      if (k == 0 || edges[first].ends != edges[k].ends) {
        first = k;
        sum = 0;
      }
      sum += static_cast<double>(edges[k].weight);
      edges[first].weight = static_cast<float>(sum);
    }
    const auto same = [](const weighted_edge& a, const weighted_edge& b) { return a.ends == b.ends; };
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
  }
}

}  // namespace

simple_graph::simple_graph(std::vector<edge> edges, const simple_graph_options& options,
                           const std::vector<float>& weights)
    : ids_(!options.ids.empty()   ? options.ids
           : options.vertex_count ? ids_from(options.first_id, *options.vertex_count)
                                  : occurring_ids(edges)) {
  std::vector<weighted_edge> all = join(edges, weights);
  edges = {};
  prepare(all, options);
  const auto index_of = [&](std::uint64_t id) {
    const auto at =
        options.vertex_count
            ? id
            : static_cast<std::uint64_t>(std::lower_bound(ids_.begin(), ids_.end(), id) - ids_.begin());
    CHECK(at < ids_.size()) << "vertex " << id << " of a graph of " << ids_.size();
    return static_cast<std::size_t>(at);
  };
  offsets_.assign(ids_.size() + 1, 0);
  targets_.reserve(all.size());
  if (!weights.empty()) weights_.reserve(all.size());
  for (const weighted_edge& e : all) {
    ++offsets_[index_of(e.ends.source) + 1];
    targets_.push_back(index_of(e.ends.target));
    if (!weights.empty()) weights_.push_back(e.weight);
  }
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
  if (options.vertex_count || !options.ids.empty()) return;
  for (std::uint64_t& id : ids_) id += options.first_id;
}

std::size_t simple_graph::most_in_edges() const {
  std::vector<std::size_t> in_edges(vertex_count());
  for (const std::size_t target : targets_) ++in_edges[target];
  return in_edges.empty() ? 0 : *std::max_element(in_edges.begin(), in_edges.end());
}

}  // namespace orujo::internal::verify
