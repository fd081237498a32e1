// PageRank and similar algorithms.
#include <algorithm>
#include <array>
#include <string>
#include <type_traits>
#include <vector>

#include "algorithms.hpp"
#include "framework/algorithms/hits.hpp"
#include "framework/algorithms/pagerank.hpp"
#include "framework/algorithms/personalized_pagerank.hpp"
#include "framework/algorithms/spectral_centrality.hpp"
#include "framework/device/selection.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/property.hpp"
#include "framework/graph/transposed.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::python {

void require_weights(const graph_handle& g, const std::string& name) {
  if (!g.facts().weighted)
    throw job_error(
        {exit_status::usage, name + "(weighted=True) requires a graph with weights, made without keep="});
  if (g.facts().negative)
    throw job_error({exit_status::bad_data,
                     name + "(weighted=True) of a graph with negative weights: expected all from 0 on"});
}

namespace {

// The graph, with the edges that a program needs whose forms are `forms`.
graph::distributed_graph graph_for_ranks(const graph_handle& g, const graph::edge_forms& forms,
                                         const char* name, bool weighted) {
  if (weighted) {
    require_weights(g, name);
    if (!g.facts().out_rows)
      throw job_error({exit_status::usage, std::string(name) +
                                               "(weighted=True) requires out-edges, which this graph does "
                                               "not keep: make it without keep="});
  }
  return g.with(weighted ? algorithms::by_weight(forms) : forms, name);
}

// [task at core 0; suspends] Returns work(shares), a result<>.
template <class Real, class Work>
auto with_shares(graph::distributed_graph graph, bool weighted, const Work& work)
    -> decltype(work(algorithms::equal_shares{})) {
  if (!weighted) return work(algorithms::equal_shares{});
  const auto weights = algorithms::sum_weights<Real>(graph);
  if (sizeof(Real) == sizeof(float) && !weights.fit_single_precision())
    return status(exit_status::usage,
                  "pagerank(): the sum of a vertex's weights is beyond the range from 1e-20 to 1e20 of "
                  "precision=\"single\"; use precision=\"double\"");
  auto found = work(algorithms::shares_by_weight<Real>{weights.sums});
  weights.sums.destroy();
  return found;
}

}  // namespace

template <class Real>
one_column<Real, convergence> pagerank(const graph_handle& g, const pagerank_request& request) {
  const device::selection device = device::device_from_flags();
  const graph::edge_forms pulled = gas::forms_for<algorithms::pagerank<Real>>();
  const graph::distributed_graph graph = graph_for_ranks(
      g, request.weighted ? pulled : device::forms_on(device, pulled), "pagerank", request.weighted);
  const call as_called = call("pagerank")
                             .with("damping", request.damping)
                             .with("tolerance", request.tolerance)
                             .with("max_iterations", request.max_iterations)
                             .with("iterations", request.iterations)
                             .with("dangling", std::string(request.redistribute ? "redistribute" : "ignore"))
                             .with("precision", std::string(sizeof(Real) == 4 ? "single" : "double"))
                             .with("weighted", request.weighted);
  const auto rank = [&](const auto& shares) -> result<one_column<Real, convergence>> {
    using program_of = algorithms::pagerank<Real, std::decay_t<decltype(shares)>>;
    const auto ranks = graph::property<Real>::create(graph);
    const algorithms::pagerank_settings settings{request.damping, request.tolerance, request.iterations,
                                                 request.redistribute};
    const int most = request.iterations > 0 ? request.iterations : request.max_iterations;
    const convergence of_core_0 = loops::on_all_cores([=, stop = loops::stop_flag(stop_word())] {
      graph::locale_graph& here = graph.here();
      program_of program(here, ranks.here(), settings, shares);
      const gas::run_report run =
          gas::run(program, here, {.most_supersteps = most, .stop = stop, .device = device});
      return convergence{run.supersteps, program.change,
                         settings.iterations > 0 || (run.ended && program.reaches_tolerance())};
    });
    return one_column<Real, convergence>{values<Real>::of(graph, ranks), of_core_0};
  };
  return together(g, as_called, [&] { return with_shares<Real>(graph, request.weighted, rank); });
}

template one_column<float, convergence> pagerank<float>(const graph_handle&, const pagerank_request&);
template one_column<double, convergence> pagerank<double>(const graph_handle&, const pagerank_request&);

one_column<double, convergence> personalized_pagerank(const graph_handle& g,
                                                      const std::vector<vertex_key>& sources,
                                                      const std::vector<double>& shares,
                                                      const personalized_request& request) {
  const graph::distributed_graph graph = graph_for_ranks(
      g, gas::forms_for<algorithms::personalized_pagerank>(), "personalized_pagerank", request.weighted);
  const call as_called = call("personalized_pagerank")
                             .with("sources", sources)
                             .with("shares", shares)
                             .with("damping", request.damping)
                             .with("tolerance", request.tolerance)
                             .with("max_iterations", request.max_iterations)
                             .with("weighted", request.weighted);
  const auto rank = [&](const auto& of_edges) -> result<one_column<double, convergence>> {
    const auto numbers = numbers_of(g.facts(), sources);
    if (!numbers.ok()) return numbers.status();
    std::vector<algorithms::restart> all;
    for (std::size_t k = 0; k < sources.size(); ++k) all.push_back({numbers.value()[k], shares[k]});
    const auto restarts = algorithms::restarts_at(graph, all);
    const auto ranks = graph::property<double>::create(graph);
    algorithms::personalized_pagerank_by<std::decay_t<decltype(of_edges)>> program{
        ranks, restarts, request.damping, request.tolerance, 0, 0, of_edges};
    const gas::run_report run =
        gas::run(program, graph, {.most_supersteps = request.max_iterations, .stop = stop_word()});
    restarts.destroy();
    return one_column<double, convergence>{values<double>::of(graph, ranks),
                                           {run.supersteps, program.change, run.ended}};
  };
  return together(g, as_called, [&] { return with_shares<double>(graph, request.weighted, rank); });
}

many_columns<double, convergence> personalized_pageranks(const graph_handle& g,
                                                         const std::vector<vertex_key>& sources,
                                                         const personalized_request& request) {
  using algorithms::rank_lanes;
  const graph::distributed_graph graph = graph_for_ranks(
      g, gas::forms_for<algorithms::personalized_pageranks>(), "personalized_pageranks", request.weighted);
  const call as_called = call("personalized_pageranks")
                             .with("sources", sources)
                             .with("damping", request.damping)
                             .with("tolerance", request.tolerance)
                             .with("max_iterations", request.max_iterations)
                             .with("weighted", request.weighted);
  const auto rank = [&](const auto& shares) -> result<many_columns<double, convergence>> {
    const auto found_numbers = numbers_of(g.facts(), sources);
    if (!found_numbers.ok()) return found_numbers.status();
    std::array<std::uint64_t, rank_lanes::count> numbers{};
    std::ranges::copy(found_numbers.value(), numbers.begin());
    const auto ranks = graph::property<rank_lanes>::create(graph);
    algorithms::personalized_pageranks_by<std::decay_t<decltype(shares)>> program{
        ranks, numbers, sources.size(), request.damping, request.tolerance, 0, {}, shares};
    const gas::run_report run =
        gas::run(program, graph, {.most_supersteps = request.max_iterations, .stop = stop_word()});
    many_columns<double, convergence> found{{}, {run.supersteps, program.change, run.ended}};
    for (std::size_t k = 0; k < sources.size(); ++k) {
      const auto of_source = graph::property<double>::create(graph);
      algorithms::copy_ranks(graph, ranks, k, of_source);
      found.columns.push_back(values<double>::of(graph, of_source));
    }
    ranks.destroy();
    return found;
  };
  return together(g, as_called, [&] { return with_shares<double>(graph, request.weighted, rank); });
}

two_columns<double, double, convergence> hits(const graph_handle& g, double tolerance, int max_iterations) {
  const graph::distributed_graph graph =
      g.with({.in_vectors = false, .in_rows = true, .out_rows = true}, "hits");
  const call as_called = call("hits").with("tolerance", tolerance).with("max_iterations", max_iterations);
  return together(g, as_called, [&]() -> result<two_columns<double, double, convergence>> {
    const graph::distributed_graph reversed = graph::transposed(graph);
    const auto scores = graph::property<algorithms::hits_scores>::create(graph);
    const algorithms::hits_report run = algorithms::find_hubs_and_authorities(
        graph, reversed, scores, {tolerance, max_iterations, {.stop = stop_word()}});
    const auto hubs = graph::property<double>::create(graph),
               authorities = graph::property<double>::create(graph);
    loops::on_all_cores([=] {
      for (std::uint32_t v = graph.here().my_part().first; v < graph.here().my_part().last; ++v) {
        hubs.here()[v] = scores.here()[v].hub;
        authorities.here()[v] = scores.here()[v].authority;
      }
    });
    scores.destroy();
    reversed.destroy();
    return two_columns<double, double, convergence>{values<double>::of(graph, hubs),
                                                    values<double>::of(graph, authorities),
                                                    {run.iterations, run.change, run.change <= tolerance}};
  });
}

namespace {

// `find(graph, scores, options)` returns a spectral_report.
template <class Find>
one_column<double, convergence> find_spectral(const graph_handle& g, const call& as_called, const char* name,
                                              double tolerance, int max_iterations, const Find& find) {
  const graph::distributed_graph graph = g.with(gas::forms_for<algorithms::eigenvector_centrality>(), name);
  if (g.facts().negative)
    throw job_error({exit_status::bad_data,
                     std::string(name) + "() of a graph with negative weights: expected all from 0 on"});
  return together(g, as_called, [&]() -> result<one_column<double, convergence>> {
    const auto scores = graph::property<double>::create(graph);
    const algorithms::spectral_report found =
        find(graph, scores, algorithms::spectral_options{tolerance, max_iterations, {.stop = stop_word()}});
    return one_column<double, convergence>{values<double>::of(graph, scores),
                                           {found.iterations, found.change, found.converged}};
  });
}

}  // namespace

one_column<double, convergence> katz_centrality(const graph_handle& g, double alpha, double beta,
                                                bool normalized, double tolerance, int max_iterations) {
  const call as_called = call("katz_centrality")
                             .with("alpha", alpha)
                             .with("beta", beta)
                             .with("normalized", normalized)
                             .with("tolerance", tolerance)
                             .with("max_iterations", max_iterations);
  return find_spectral(
      g, as_called, "katz_centrality", tolerance, max_iterations,
      [&](const auto& graph, const auto& scores, const auto& options) {
        return algorithms::find_katz_centrality(graph, scores, {alpha, beta, normalized}, options);
      });
}

one_column<double, convergence> eigenvector_centrality(const graph_handle& g, double tolerance,
                                                       int max_iterations) {
  const call as_called =
      call("eigenvector_centrality").with("tolerance", tolerance).with("max_iterations", max_iterations);
  return find_spectral(g, as_called, "eigenvector_centrality", tolerance, max_iterations,
                       [](const auto& graph, const auto& scores, const auto& options) {
                         return algorithms::find_eigenvector_centrality(graph, scores, options);
                       });
}

}  // namespace orujo::internal::python
