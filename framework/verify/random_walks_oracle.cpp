#include "framework/verify/random_walks_oracle.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "system/base/random.hpp"

namespace orujo::internal::verify {
namespace {

std::vector<std::size_t> find_starts(const simple_graph& graph, const walk_plan& plan) {
  std::vector<std::size_t> starts;
  for (std::size_t v = 0; v < graph.vertex_count(); ++v)
    if (plan.types.empty() || plan.types[v] == plan.metapath[0]) starts.push_back(v);
  return starts;
}

std::uint64_t count_walks(const simple_graph& graph, const walk_plan& plan) {
  const std::size_t starts = find_starts(graph, plan).size();
  if (starts == 0) return 0;
  return plan.walks > 0 ? plan.walks : starts * plan.per_vertex;
}

double share_of(random_stream& random, double whole) {
  return static_cast<double>(random() >> 11) * 0x1p-53 * whole;
}

bool is_by_weight(const simple_graph& graph, const walk_plan& plan, std::size_t v) {
  return plan.weighted && !graph.out_weights(v).empty();
}

double weight_of(const simple_graph& graph, const walk_plan& plan, std::size_t v, std::size_t edge) {
  return is_by_weight(graph, plan, v) ? static_cast<double>(graph.out_weights(v)[edge]) : 1;
}

bool has_edge(const simple_graph& graph, std::size_t from, std::size_t to) {
  return std::ranges::binary_search(graph.out_neighbors(from), to);
}

// The sum of the weights of edges to `to`, or of all.
double sum_of_weights(const simple_graph& graph, const walk_plan& plan, std::size_t v,
                      std::optional<std::size_t> to) {
  if (!to && !is_by_weight(graph, plan, v)) return static_cast<double>(graph.out_degree(v));
  double sum = 0;
  for (std::size_t k = 0; k < graph.out_degree(v); ++k)
    if (!to || graph.out_neighbors(v)[k] == *to) sum += weight_of(graph, plan, v, k);
  return sum;
}

// Draws an edge that does not lead to `except`; returns where it leads. `sum`: of the weights of these edges.
std::size_t draw(random_stream& random, const simple_graph& graph, const walk_plan& plan, std::size_t v,
                 std::optional<std::size_t> except, double sum) {
  const bool by_weight = is_by_weight(graph, plan, v);
  const double share =
      by_weight ? share_of(random, sum) : static_cast<double>(random.below(static_cast<std::uint64_t>(sum)));
  if (!by_weight && !except) return graph.out_neighbors(v)[static_cast<std::size_t>(share)];
  double so_far = 0;
  std::size_t last = v;
  for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
    if (graph.out_neighbors(v)[k] == except) continue;
    so_far += weight_of(graph, plan, v, k);
    last = graph.out_neighbors(v)[k];
    if (so_far > share) break;
  }
  return last;
}

// Some edges of a vertex, with times or weights.
struct some_edges {
  std::vector<std::size_t> targets;
  std::vector<float> weights;
};

// The edges to vertices of a type that are not before a time.
some_edges find_edges(const simple_graph& graph, const walk_plan& plan, std::size_t v,
                      std::optional<std::uint32_t> type, float time) {
  std::vector<std::pair<float, std::size_t>> found;  // by time, and which edge
  for (std::size_t k = 0; k < graph.out_degree(v); ++k) {
    const float its_time = plan.timed && !graph.out_weights(v).empty() ? graph.out_weights(v)[k] : 0;
    if ((!type || plan.types[graph.out_neighbors(v)[k]] == *type) && (!plan.timed || its_time >= time))
      found.emplace_back(its_time, k);
  }
  std::ranges::sort(found);
  some_edges edges;
  for (const auto& [its_time, k] : found) {
    edges.targets.push_back(graph.out_neighbors(v)[k]);
    edges.weights.push_back(plan.timed || !is_by_weight(graph, plan, v) ? its_time : graph.out_weights(v)[k]);
  }
  return edges;
}

// A walk by types or times.
std::vector<std::size_t> find_restricted_walk(const simple_graph& graph, const walk_plan& plan,
                                              std::size_t first, random_stream random) {
  std::vector<std::size_t> walk{first};
  float time = -std::numeric_limits<float>::infinity();
  std::size_t next_type = 1;
  while (walk.size() <= plan.length) {
    std::optional<std::uint32_t> type;
    if (!plan.metapath.empty()) type = plan.metapath[next_type];
    if (++next_type >= plan.metapath.size()) next_type = 1;
    const some_edges edges = find_edges(graph, plan, walk.back(), type, time);
    std::size_t drawn = 0;
    if (is_by_weight(graph, plan, walk.back())) {
      double sum = 0;
      for (const float weight : edges.weights) sum += static_cast<double>(weight);
      if (sum <= 0) break;
      const double share = share_of(random, sum);
      double so_far = 0;
      for (drawn = 0; drawn + 1 < edges.targets.size(); ++drawn)
        if ((so_far += static_cast<double>(edges.weights[drawn])) > share) break;
    } else {
      if (edges.targets.empty()) break;
      drawn = random.below(edges.targets.size());
    }
    walk.push_back(edges.targets[drawn]);
    if (plan.timed) time = edges.weights[drawn];
  }
  return walk;
}

std::vector<std::size_t> find_walk_from(const simple_graph& graph, const walk_plan& plan,
                                        const std::vector<std::size_t>& starts, std::uint64_t w) {
  random_stream random(plan.seed, w);
  const std::size_t first = starts[plan.walks > 0 ? random.below(starts.size()) : w / plan.per_vertex];
  if (!plan.types.empty() || plan.timed) return find_restricted_walk(graph, plan, first, random);
  std::vector<std::size_t> walk{first};
  const bool biased = plan.p != 1 || plan.q != 1;
  const double most = std::max(1.0, 1 / plan.q);
  while (walk.size() <= plan.length) {
    const std::size_t at = walk.back();
    const double all = sum_of_weights(graph, plan, at, std::nullopt);
    if (all <= 0) break;
    if (walk.size() == 1 || !biased) {
      walk.push_back(draw(random, graph, plan, at, std::nullopt, all));
      continue;
    }
    const std::size_t before = walk[walk.size() - 2];
    const double back = sum_of_weights(graph, plan, at, before), others = (all - back) * most;
    std::optional<std::size_t> next;
    while (!next) {
      if (share_of(random, others + back / plan.p) >= others) {
        next = before;
      } else {
        const std::size_t drawn = draw(random, graph, plan, at, before, all - back);
        if (share_of(random, most) < (has_edge(graph, drawn, before) ? 1 : 1 / plan.q)) next = drawn;
      }
    }
    walk.push_back(*next);
  }
  return walk;
}

}  // namespace

std::vector<std::size_t> find_walk(const simple_graph& graph, const walk_plan& plan, std::uint64_t w) {
  return find_walk_from(graph, plan, find_starts(graph, plan), w);
}

std::vector<std::uint64_t> count_visits(const simple_graph& graph, const walk_plan& plan) {
  std::vector<std::uint64_t> visits(graph.vertex_count(), 0);
  const std::vector<std::size_t> starts = find_starts(graph, plan);
  const std::uint64_t walks = count_walks(graph, plan);
  for (std::uint64_t w = 0; w < walks; ++w)
    for (const std::size_t v : find_walk_from(graph, plan, starts, w)) ++visits[v];
  return visits;
}

std::vector<double> step_probabilities(const simple_graph& graph, const walk_plan& plan, std::size_t at,
                                       std::optional<std::size_t> before) {
  std::vector<double> shares(graph.vertex_count(), 0);
  double sum = 0;
  for (std::size_t k = 0; k < graph.out_degree(at); ++k) {
    const std::size_t next = graph.out_neighbors(at)[k];
    double share = weight_of(graph, plan, at, k);
    if (before && next == *before) {
      share /= plan.p;
    } else if (before && !has_edge(graph, next, *before)) {
      share /= plan.q;
    }
    shares[next] += share;
    sum += share;
  }
  if (sum == 0) return {};
  for (double& share : shares) share /= sum;
  return shares;
}

walk_comparison::walk_comparison(const simple_graph& graph, const walk_plan& plan)
    : graph_(graph), plan_(plan), starts_(find_starts(graph, plan)), expected_(count_walks(graph, plan)) {}

void walk_comparison::add(std::span<const std::int64_t> walk) {
  const std::uint64_t w = seen_++;
  if (w >= expected_) return;
  const std::vector<std::size_t> known = find_walk_from(graph_, plan_, starts_, w);
  bool same = walk.size() == std::size_t{plan_.length} + 1;
  for (std::size_t k = 0; same && k < walk.size(); ++k)
    same = walk[k] == (k < known.size() ? static_cast<std::int64_t>(known[k]) : -1);
  if (!same && different_++ == 0) first_ = w;
}

std::string walk_comparison::describe() const {
  if (agrees() && seen_ == 1) return "the walk is the serial oracle's";
  if (agrees()) return "all " + std::to_string(seen_) + " walks are the serial oracle's";
  if (different_ == 0)
    return std::to_string(seen_) + " walks are there where the serial oracle has " +
           std::to_string(expected_);
  return std::to_string(different_) + " of " + std::to_string(seen_) +
         " walks are not the serial oracle's; the first is walk " + std::to_string(first_);
}

}  // namespace orujo::internal::verify
