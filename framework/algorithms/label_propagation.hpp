// Communities by label propagation: every vertex takes the label that most of its neighbours have.
#pragma once

#include <cstdint>
#include <span>

#include "framework/gas/most_frequent.hpp"
#include "framework/gas/run.hpp"

namespace orujo::internal::algorithms {

// Communities by label propagation, a vertex program: every vertex takes the label that most of its
// neighbours have. Run it on every core.
//
// After Raghavan, Albert, Kumara, "Near linear time algorithm to detect community structures in large-scale
// networks", Physical Review E 76, 2007. Unlike there, the result is deterministic for any number of locales
// and cores, as in the LDBC Graphalytics benchmark. Labels begin as positions of the vertices' ids, all
// labels change at once, and the smallest of several most frequent ones wins. The run ends after the given
// number of iterations, converged or not.
//
// In a directed graph in- and out-neighbours count, so that a mutual edge counts twice. A vertex without
// edges keeps its label; a repeated edge counts as often as it occurs.
//
// If Weighted, the label whose edges have the largest sum of weights wins in place of the most frequent one.
// Weights are not negative, and are added in ascending order in double precision, so sums are the same on any
// process layout. Edges of weight 0 do not count.
template <class Label,  // std::uint32_t for graphs of fewer than 2^32 vertices, or std::uint64_t
          bool Weighted = false>
struct label_propagation {
  using value = Label;
  static constexpr bool incremental = true;
  struct aggregate {
    std::uint64_t changes = 0;
    void operator+=(const aggregate& other) { changes += other.changes; }
  };

  // The labels are the locale's, by own vertex.
  label_propagation(const graph::locale_graph& g, std::span<Label> labels, int iterations)
      : graph_(&g), labels_(g.own_values(labels).data()), iterations_(iterations) {}

  Label start(const graph::vertex& v, aggregate&) {
    return labels_[v.local] = static_cast<Label>(graph_->position_of(v.local));
  }

  Label collect(const graph::vertex&, Label own, const gas::neighbours<Label>& in,
                const gas::neighbours<Label>& out) {
    if constexpr (Weighted)
      return graph_->both_ways ? gas::heaviest(own, in) : gas::heaviest(own, in, out);
    else
      return graph_->both_ways ? gas::most_frequent(own, in) : gas::most_frequent(own, in, out);
  }

  bool apply(const graph::vertex& v, Label total, Label& shown, aggregate& sums) {
    const bool changed = total != shown;
    sums.changes += changed ? 1 : 0;
    labels_[v.local] = shown = total;
    return changed;
  }

  bool next(int superstep, const aggregate& last) {
    changes = last.changes;
    return superstep < iterations_;
  }

  void checkpoint(graph::program_state& kept) {
    kept.add_vertices("label", labels_);
    kept.add("changes", changes);
  }
  Label restored(const graph::vertex& v) { return labels_[v.local]; }

  std::uint64_t changes = 0;  // of labels in the last iteration, unless no vertex is active

 private:
  const graph::locale_graph* const graph_;
  Label* const labels_;
  const int iterations_;
};

}  // namespace orujo::internal::algorithms

namespace orujo::internal::gas {

// Compiled once, in the library.
extern template run_report run(algorithms::label_propagation<std::uint32_t>&, graph::locale_graph&,
                               const run_options&);
extern template run_report run(algorithms::label_propagation<std::uint64_t>&, graph::locale_graph&,
                               const run_options&);
extern template run_report run(algorithms::label_propagation<std::uint32_t, true>&, graph::locale_graph&,
                               const run_options&);
extern template run_report run(algorithms::label_propagation<std::uint64_t, true>&, graph::locale_graph&,
                               const run_options&);

}  // namespace orujo::internal::gas
