// Hubs and authorities.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "framework/gas/run.hpp"
#include "framework/graph/graph_checkpoints.hpp"
#include "framework/graph/property.hpp"

namespace orujo::internal::algorithms {

// The two scores of a vertex.
struct hits_scores {
  double hub, authority;
};

// A vertex program that find_hubs_and_authorities() runs. After Kleinberg, "Authoritative Sources in a
// Hyperlinked Environment", Journal of the ACM 46, 1999. The authority of a vertex is the sum of the hub
// scores of vertices that lead to it. Its hub score is the sum of the authorities of vertices to which it
// leads. One superstep sums one kind of scores along in-edges to the other kind, on the graph or on its
// transpose.
template <double hits_scores::*From, double hits_scores::*To>
struct hits_step {
  using value = double;
  using accumulator = double;  // makes the program scalar, as the transpose has rows only
  static constexpr auto combine = gas::sum{};
  struct aggregate {
    double squares = 0;  // of the new scores
    double common = 0;   // sum of products of new and old scores
    void operator+=(const aggregate& other) {
      squares += other.squares;
      common += other.common;
    }
  };

  double gather(const double& shown, float) const { return shown; }
  double start(const graph::vertex& v, aggregate&) { return scale * (scores.here()[v.local].*From); }
  bool apply(const graph::vertex& v, double total, double&, aggregate& sums) {
    double& mine = scores.here()[v.local].*To;
    sums.squares += total * total;
    sums.common += total * mine;
    mine = total;
    return true;
  }
  bool next(int, const aggregate& sums) {
    last = sums;
    return true;
  }

  graph::property<hits_scores> scores;
  double scale = 1;  // of the scores that are summed
  aggregate last = {};
};

// The step that sums hub scores to authority scores, along in-edges.
using authority_step = hits_step<&hits_scores::hub, &hits_scores::authority>;
// The step that sums authority scores to hub scores, on the transpose.
using hub_step = hits_step<&hits_scores::authority, &hits_scores::hub>;

// The end of find_hubs_and_authorities(), and options of its steps.
struct hits_options {
  double tolerance = 1e-6;  // ends when neither kind of scores changes by more (L2 norm); at least 1e-7
  int most_iterations = 1000;
  gas::run_options run = {};
};
// The figures of a run of find_hubs_and_authorities().
struct hits_report {
  int iterations = 0;
  double seconds = 0;
  double change = 1;  // the larger of the two kinds', in the last iteration
};

namespace detail {

// The content of a checkpoint, beside the scores.
struct hits_progress {
  hits_report report;
  double hubs = 0, authorities = 0;  // norms
};

inline double inverse(double norm) { return norm > 0 ? 1 / norm : 0; }

// Returns the distance between new and old scores, as unit vectors. `old_norm` is the norm of the old ones.
inline double change_of(const auto& sums, double old_norm) {
  const double norms = std::sqrt(sums.squares) * old_norm;
  if (norms == 0) return sums.squares > 0 || old_norm > 0 ? 1 : 0;
  return std::sqrt(std::max(0.0, 2 - 2 * sums.common / norms));
}

// Sums one kind of scores, with norm from_norm, to the other kind. Updates to_norm, the norm of the other
// kind. Returns the change.
template <class Step>
double run_step(graph::distributed_graph graph, graph::property<hits_scores> scores, double from_norm,
                double& to_norm, gas::run_options options) {
  Step step{scores, inverse(from_norm)};
  options.most_supersteps = 1;
  options.checkpoints = false;
  gas::run(step, graph, options);
  const double change = change_of(step.last, to_norm);
  to_norm = std::sqrt(step.last.squares);
  return change;
}

}  // namespace detail

// [task; suspends] Hub and authority scores of all vertices (HITS), in `scores`. All begin equal. In the end
// the squares of the hub scores sum to 1, and so do those of the authority scores, or to 0 without edges.
// `reversed` is the graph's transpose (transposed()). Supports checkpoints.
inline hits_report find_hubs_and_authorities(graph::distributed_graph graph,
                                             graph::distributed_graph reversed,
                                             graph::property<hits_scores> scores, const hits_options& options,
                                             const call_site& at = call_site::current()) {
  scores.require_graph(graph.here(), at);
  scores.require_graph(reversed.here(), at);
  const auto begin = std::chrono::steady_clock::now();
  loops::on_all_cores([=] {
    std::ranges::fill(graph.here().my_part().of(scores.here()), hits_scores{1, 1});
  });
  detail::hits_progress far;
  far.hubs = far.authorities = std::sqrt(static_cast<double>(graph.here().vertices));
  hits_report& report = far.report;
  graph::graph_checkpoint_loop loop(
      graph, [=, at = memory::global_address(my_core(), &far)](graph::program_state& kept) {
        kept.add("scores", scores);
        kept.add("progress", at);
      });
  loop.resume();
  while (report.iterations < options.most_iterations && report.change > options.tolerance) {
    loop.step();
    report.change = detail::run_step<authority_step>(graph, scores, far.hubs, far.authorities, options.run);
    report.change = std::max(
        report.change, detail::run_step<hub_step>(reversed, scores, far.authorities, far.hubs, options.run));
    ++report.iterations;
  }
  loops::on_all_cores([=, hub = detail::inverse(far.hubs), authority = detail::inverse(far.authorities)] {
    for (hits_scores& s : graph.here().my_part().of(scores.here()))
      s = {s.hub * hub, s.authority * authority};
  });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::authority_step&, graph::distributed_graph, const run_options&);
extern template run_report run(algorithms::hub_step&, graph::distributed_graph, const run_options&);

}  // namespace orujo::internal::gas
