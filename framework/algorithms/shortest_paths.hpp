// Single-source shortest paths.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "framework/algorithms/delta_stepping.hpp"
#include "framework/algorithms/weight_facts.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"
#include "system/base/identity.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

// [task or handler] The forms of edges that shortest_paths needs, for load_from_flags(): rows of out-edges,
// and on several locales of in-edges, too.
graph::edge_forms shortest_paths_forms(bool on_several_locales = locales() > 1);

// The figures of one run of shortest_paths.
struct paths_report {
  double seconds = 0;
  int rounds = 0;  // of all cores together
};

// The precision of distances. exact: single precision where that is exact, else double. single: rounded to
// single precision after every edge.
enum class path_precision { exact, single };

// Shortest paths from one source along weighted edges. One task on every core makes its part and runs it. A
// path's length is summed from its start. The distances are the least over all paths, infinity where there is
// none. They are the same to the bit for any number of locales and cores and any delta. No weight may be
// negative. By delta-stepping (delta_stepping.hpp).
//
// Distances are exact where weights are whole numbers and distances are at most 2^53, or where weights are
// multiples of 2^-k and distances at most 2^(53-k). Others are rounded to double precision after every edge:
// the relative error is at most 2^-53 for each edge of a path but the first. A run begins in single precision
// where that can be exact, which takes half the memory. When a distance comes to its end, the run begins
// again in double precision, in which the next ones begin. Distances take 4 bytes per own vertex and mirror,
// in double 8 or both.
class shortest_paths {
 public:
  // [task; suspends; collective over the job] delta: the width of bins; 0: chosen by the weights and degrees.
  explicit shortest_paths(graph::locale_graph& g, float delta = 0,
                          path_precision precision = path_precision::exact);

  // [task; suspends; collective over the job] Finds the distances from the vertex of this number, the same at
  // every core. Call it any number of times.
  paths_report run(std::uint64_t source);

  float delta() const { return delta_; }
  const weight_facts& weights() const { return weights_; }

  // [task] The distance of one of this core's vertices, by local index, after a run.
  double distance(std::uint32_t own) const {
    return in_double_ ? (*doubles_)[own] : static_cast<double>((*singles_)[own]);
  }
  // [task] Writes those of this core's vertices, by own vertex of the locale.
  template <class Distance>
  void write(std::span<Distance> distances) const {
    (void)graph_.own_values(distances);
    for (std::uint32_t v = graph_.my_part().first; v < graph_.my_part().last; ++v)
      distances[v] = static_cast<Distance>(distance(v));
  }
  // The locale's, by own vertex, in path_precision::single.
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

}  // namespace orujo::algorithms
