#include "framework/graph/edge_property.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "system/base/random.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::graph {
namespace {

using gas::forms_for, gas::neighbours, gas::nothing, gas::run;

// Belief propagation (Pearl, "Reverend Bayes on Inference Engines", AAAI 1982) in the Ising model. It has
// spins +1 and -1, a field at every vertex, and a coupling of each edge's weight. A message says how much
// more its sender's spin wants the receiver's to be +1, as half the logarithm of odds. It leaves out the
// receiver's own message to the sender. Both ends keep the messages of both directions.
struct belief_propagation {
  using value = float;  // the belief: the messages of all neighbours, and the field
  using accumulator = float;
  using aggregate = nothing;
  struct messages {
    float here, back;
  };

  static float field(std::uint64_t number) { return static_cast<float>(mix64(number) % 200) / 100 - 1; }
  static float message(float belief, float told_by_receiver, float coupling) {
    return std::atanh(std::tanh(coupling) * std::tanh(belief - told_by_receiver));
  }

  value start(const vertex& v, aggregate&) { return field(v.number()); }
  accumulator collect(const vertex& v, const value& own, const neighbours<value>& all) {
    float sum = 0;
    const std::span<messages> kept = edges.of(v);
    std::size_t k = 0;
    for (const auto& [theirs, coupling] : all) {
      const messages before = kept[k];
      kept[k] = {message(theirs, before.back, coupling), message(own, before.here, coupling)};
      sum += kept[k++].here;
    }
    return sum;
  }
  bool apply(const vertex& v, accumulator total, value& shown, aggregate&) {
    shown = field(v.number()) + total;
    return true;
  }

  edge_property<messages> edges;
};

// A tree, on which messages come to the marginal probabilities.
test_graphs::test_graph random_tree(std::uint64_t vertices, std::uint64_t seed) {
  test_graphs::test_graph tree{"tree", {}, vertices};
  random_stream random(seed);
  for (std::uint64_t v = 1; v < vertices; ++v) {
    tree.list.edges.push_back({random.below(v), v});
    tree.list.weights.push_back(static_cast<float>(random.below(200)) / 100 - 1);
  }
  return tree;
}

// By going through all states.
std::vector<double> half_log_odds(const test_graphs::test_graph& g) {
  const std::uint64_t n = *g.vertex_count;
  std::vector<double> up(n), down(n);
  for (std::uint64_t state = 0; state < std::uint64_t{1} << n; ++state) {
    const auto spin = [&](std::uint64_t v) { return (state >> v & 1) != 0 ? 1.0 : -1.0; };
    double energy = 0;
    for (std::uint64_t v = 0; v < n; ++v)
      energy += spin(v) * static_cast<double>(belief_propagation::field(v));
    for (std::size_t e = 0; e < g.list.edges.size(); ++e)
      energy += static_cast<double>(g.list.weights[e]) * spin(g.list.edges[e].source) *
                spin(g.list.edges[e].target);
    for (std::uint64_t v = 0; v < n; ++v) (spin(v) > 0 ? up : down)[v] += std::exp(energy);
  }
  for (std::uint64_t v = 0; v < n; ++v) up[v] = std::log(up[v] / down[v]) / 2;
  return up;
}

TEST(edge_property, keeps_the_messages_of_belief_propagation) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const test_graphs::test_graph tree = random_tree(11, seed);
    graph::build_options options{.symmetrize = true};
    options.keep = forms_for<belief_propagation>();
    const graph::distributed_graph graph = test_graphs::build(tree, options);
    const auto edges = edge_property<belief_propagation::messages>::create(graph);
    const auto beliefs = property<float>::create(graph);
    belief_propagation program{edges};
    run(program, graph, beliefs, {.most_supersteps = 12});
    const std::vector<double> right = half_log_odds(tree);
    const std::vector<float> found = test_graphs::by_vertex_number(beliefs);
    for (std::size_t v = 0; v < right.size(); ++v)
      EXPECT_NEAR(static_cast<double>(found[v]), right[v], 1e-4) << v;
    beliefs.destroy();
    edges.destroy();
    graph.destroy();
  }
}

}  // namespace
}  // namespace orujo::internal::graph
