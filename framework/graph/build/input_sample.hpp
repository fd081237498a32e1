// A sample of a graph's edges as they come in: the same for any number of locales and cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/formats/edge.hpp"
#include "framework/generators/generator.hpp"
#include "framework/graph/build/input.hpp"

namespace orujo::internal::graph {

// Every n-th edge of the job's input, or run of generated edges, which are made together. An edge that stands
// for its reverse, too, is one. The input must not change meanwhile.
class input_sample {
 public:
  // [task; suspends; collective over the job] Has at least so many edges, or all. at_a_time: generated edges
  // of a run. Edges of files are taken one by one, because those of a vertex lie side by side.
  input_sample(const input_edges& input, std::uint64_t edges, std::uint64_t at_a_time);

  // Any thread. Calls visit(edge) for those of the calling core's edges that the sample has.
  template <class Visit>
  void visit(Visit visit) const {
    std::vector<edge> made(input_.generated ? run_ : 0);
    std::vector<float> weights(input_.generated && input_.generated->spec.weighted ? run_ : 0);
    const std::uint64_t period = run_ * step_;
    for (std::uint64_t first = first_ / period * period; first < last_; first += period) {
      const std::uint64_t from = std::max(first, first_), to = std::min(first + run_, last_);
      if (from >= to) continue;
      if (!input_.generated) {
        visit(input_.mine.edges[from - first_]);
        continue;
      }
      const auto some = std::span(made).first(to - from);
      generators::generate(input_.generated->spec, from, some, weights);
      for (const edge& e : some) visit(e);
    }
  }

 private:
  const input_edges& input_;
  std::uint64_t first_ = 0, last_ = 0;  // the calling core's edges among those of the job
  std::uint64_t run_ = 1, step_ = 1;    // the sample has the first of every `step_` runs
};

}  // namespace orujo::internal::graph
