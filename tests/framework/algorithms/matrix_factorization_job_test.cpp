#include "framework/algorithms/matrix_factorization.hpp"

#include <gtest/gtest.h>

#include "framework/verify/matrix_factorization_oracle.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/graphs_in_all_forms.hpp"
#include "tests/framework/hub_graphs.hpp"
#include "tests/framework/job_property.hpp"

namespace orujo::internal::algorithms {
namespace {

using test_graphs::test_graph;

// The errors that a run reports, and the error of the factors that it returns.
struct fit {
  std::vector<double> errors;
  double of_result = 0;
};

fit factorize(graph::distributed_graph handle, const test_graph& whole,
              const factorization_options& options) {
  const auto found = graph::property<matrix_factorization::value>::create(handle);
  fit made;
  loops::on_all_cores([=, to = at_home(made.errors)] {
    matrix_factorization program(handle.here(), found.here(), options);
    gas::run(program, handle.here());
    if (my_core() == 0) *to = program.errors;
  });
  const auto factors = test_graphs::by_vertex_number(found);
  const test_graphs::expected_graph expected(whole, {.symmetrize = true});
  for (const auto& e : expected.edges) {
    double error = static_cast<double>(e.weight);
    for (std::size_t k = 0; k < matrix_factorization::factors; ++k)
      error -= static_cast<double>(factors[e.source][k]) * static_cast<double>(factors[e.target][k]);
    made.of_result += error * error / static_cast<double>(expected.edges.size());
  }
  made.of_result = std::sqrt(made.of_result);
  found.destroy();
  return made;
}
fit factorize(const test_graph& whole, const factorization_options& options) {
  const graph::distributed_graph handle =
      test_graphs::build(whole, {.symmetrize = true, .keep = {.in_vectors = false, .in_rows = true}});
  fit made = factorize(handle, whole, options);
  handle.destroy();
  return made;
}

void expect_errors(const verify::simple_graph& simple, const fit& made,
                   const factorization_options& options) {
  const std::vector<double> expected = verify::factorization_errors(
      simple, {matrix_factorization::factors, options.iterations, options.step, options.lambda});
  ASSERT_EQ(made.errors.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(made.errors[i], expected[i], 1e-4 * expected.front()) << "iteration " << i;
  if (expected.empty()) return;
  EXPECT_NEAR(made.of_result, expected.back(), 1e-4 * expected.front());
}
void expect_errors(const test_graph& whole, const factorization_options& options) {
  SCOPED_TRACE(whole.name);
  const verify::simple_graph simple(
      whole.list.edges, {.vertex_count = whole.vertex_count, .symmetrize = true}, whole.list.weights);
  expect_errors(simple, factorize(whole, options), options);
}

TEST(matrix_factorization, has_the_errors_of_the_oracle) {
  for (const test_graph& whole : test_graphs::in_turn()) expect_errors(whole, {.iterations = 5});
}

TEST(matrix_factorization, has_the_errors_of_the_oracle_at_hubs) {
  for (test_graph whole : test_graphs::hubs()) {
    random_stream random(7);
    for (std::size_t k = 0; k < whole.list.edges.size(); ++k)
      whole.list.weights.push_back(static_cast<float>(1 + random.below(5)));
    expect_errors(whole, {.iterations = 5});
  }
}

// Every third user rates every item, the others a few; ratings from 1 to 5.
TEST(matrix_factorization, fits_ratings_of_items_by_users) {
  random_stream random(3);
  test_graph ratings{"ratings", {}, {}};
  for (std::uint64_t user = 0; user < 200; ++user) {
    for (std::uint64_t item = 0; item < 50; ++item) {
      if (user % 3 != 0 && random.below(10) != 0) continue;
      ratings.list.edges.push_back({user, 1000 + item});
      ratings.list.weights.push_back(static_cast<float>(1 + (user + item) % 5));
    }
  }
  expect_errors(ratings, {.iterations = 30, .step = 0.1, .lambda = 0.01});
  const fit made = factorize(ratings, {.iterations = 100});
  EXPECT_LT(made.errors.back(), 0.5 * made.errors.front());
}

TEST(matrix_factorization, has_the_errors_of_the_oracle_whatever_else_the_graph_keeps) {
  const factorization_options options{.iterations = 3};
  test_graphs::expect_in_all_forms(
      {.in_rows = true}, true, "matrix_factorization",
      [&](const test_graphs::kept_graph& kept) {
        expect_errors(*kept.simple, factorize(kept.handle, *kept.whole, options), options);
      },
      [&](const test_graphs::kept_graph& kept) { matrix_factorization(kept.handle.here(), {}, options); });
}

}  // namespace
}  // namespace orujo::internal::algorithms
