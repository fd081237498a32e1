// Single-source shortest paths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "framework/algorithms/path_lengths.hpp"
#include "framework/algorithms/weight_facts.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::internal::algorithms {

// [task or handler] The forms of edges that shortest_paths requires, for load_from_flags(): rows of
// out-edges, and on several locales of in-edges, too.
graph::edge_forms shortest_paths_forms(bool on_several_locales = locales() > 1);

// The figures of one run of shortest_paths.
struct paths_report {
  double seconds = 0;
  int rounds = 0;  // of all cores together
};

// The precision of distances. `exact` is single precision where that is exact, else double. `single` rounds
// to single precision after every edge.
enum class path_precision { exact, single };

// Shortest paths from one source along weighted edges, by delta-stepping (path_lengths.hpp). One task on
// every core constructs its part and runs it. A path's length is summed from its start. A distance is the
// least length of all paths, or infinity if there is none. Distances are the same to the bit for any number
// of locales and cores and any delta. No weight may be negative.
//
// Distances are exact where weights are whole numbers and distances are at most 2^53, or where weights are
// multiples of 2^-k and distances at most 2^(53-k). Others are rounded to double precision after every edge:
// the relative error is at most 2^-53 for each edge of a path but the first.
//
// A run begins in single precision where that can be exact, which takes half the memory. If a distance
// reaches the end of what single precision holds, the run begins again in double precision, and later runs
// begin in it. Distances take 4 bytes per own vertex and mirror (ghost vertex) in single precision, 8 in
// double, and 12 after both.
class shortest_paths {
 public:
  // [task; suspends; collective over the job] `delta` is the width of bins; 0 derives it from weights and
  // degrees.
  explicit shortest_paths(graph::locale_graph& g, float delta = 0,
                          path_precision precision = path_precision::exact);

  // [task; suspends; collective over the job] Finds the distances from the vertex of this number, the same at
  // every core. It may be called any number of times.
  paths_report run(std::uint64_t source);

  float delta() const { return delta_; }
  const weight_facts& weights() const { return weights_; }

  // [task] The distance of one of this core's vertices, by local index, after a run.
  double distance(std::uint32_t own) const {
    return in_double_ ? (*doubles_)[own] : static_cast<double>((*singles_)[own]);
  }
  // [task] Writes the distances of this core's vertices, by own vertex of the locale.
  template <class Distance>
  void write(std::span<Distance> distances) const {
    (void)graph_.own_values(distances);
    for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v)
      distances[v] = static_cast<Distance>(distance(v));
  }
  // The locale's distances, by own vertex, in path_precision::single.
  std::span<const float> singles() const { return of(singles_).first(graph_.own); }

 private:
  template <class Distance>
  using array = std::shared_ptr<machine::huge_array<Distance>>;

  template <class Distance>
  static std::span<Distance> of(const array<Distance>& distances) {
    return {distances->data(), distances->size()};
  }
  template <class Distance>
  void prepare(std::optional<delta_stepping<Distance>>& stepping, array<Distance>& distances);
  template <class Distance>
  bool search(delta_stepping<Distance>& stepping, std::span<Distance> distances, std::uint64_t source,
              Distance end);

  graph::locale_graph& graph_;
  const path_precision precision_;
  const weight_facts weights_;
  const float delta_;
  bool in_double_ = false;
  array<float> singles_;  // the locale's, by local index
  array<double> doubles_;
  std::optional<delta_stepping<float>> single_stepping_;
  std::optional<delta_stepping<double>> double_stepping_;
};

}  // namespace orujo::internal::algorithms
