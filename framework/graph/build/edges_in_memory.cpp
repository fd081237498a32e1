#include "framework/graph/build/edges_in_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <utility>

#include "framework/graph/build/build.hpp"
#include "system/base/check.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::graph {
namespace {

static_assert(std::is_trivially_copyable_v<edges_in_memory>);  // it travels

// `first` is the place of the first of them in the array.
status check_ids(std::span<const edge> edges, std::size_t first, std::uint64_t vertices) {
  const auto wrong = std::ranges::find_if(
      edges, [&](const edge& e) { return e.source >= vertices || e.target >= vertices; });
  if (wrong == edges.end()) return {};
  return {exit_status::bad_data,
          fmt::format("edge {} in memory goes from {} to {}; expected vertices below {}, the number given",
                      first + static_cast<std::size_t>(wrong - edges.begin()), wrong->source, wrong->target,
                      vertices)};
}

status check_weights(std::span<const float> weights, std::size_t first) {
  const auto wrong = std::ranges::find_if_not(weights, [](float w) { return std::isfinite(w); });
  if (wrong == weights.end()) return {};
  return {exit_status::bad_data,
          fmt::format("edge {} in memory has the weight {}; expected a finite number",
                      first + static_cast<std::size_t>(wrong - weights.begin()), *wrong)};
}

// The calling core's edges.
result<input_edges> copy_edges(const edges_in_memory& request, bool weighted) {
  input_edges input;
  const auto edges = request.edges.local();
  const std::size_t first = request.edges.range_here().first;
  if (request.vertices) {
    if (status s = check_ids(edges, first, *request.vertices); !s.ok()) return s;
  }
  input.mine.edges.assign(edges.begin(), edges.end());
  if (weighted) {
    const auto weights = request.weights->local();
    if (status s = check_weights(weights, first); !s.ok()) return s;
    input.mine.weights.assign(weights.begin(), weights.end());
  }
  input.vertex_count = request.vertices;
  input.weighted = weighted;
  return input;
}

build_options options_of(const edges_in_memory& request, const edge_forms& keep) {
  build_options options;
  options.symmetrize = request.symmetrize;
  options.remove_self_loops = request.remove_self_loops;
  options.remove_duplicates = request.remove_duplicates;
  options.keep_weight = request.keep_weight;
  options.keep = keep;
  return options;
}

// [task; suspends; collective over the job]
result<std::shared_ptr<locale_graph>> build_part(const edges_in_memory& request, const edge_forms& keep) {
  auto input = copy_edges(request, request.weights && keep.weights);
  if (status s = loops::first_failure(input.status()); !s.ok()) return s;
  return build(std::move(input).value(), options_of(request, keep));
}

}  // namespace

result<loaded_graph> build_graph(const edges_in_memory& request, const edge_forms& keep,
                                 const call_site& at) {
  if (request.weights && request.weights->size() != request.edges.size()) {
    misuse(fmt::format("build_graph() of {} edges and {} weights: there is a weight for each edge, or none",
                       request.edges.size(), request.weights->size()),
           at);
  }
  return detail::load("edges in memory", [=](detail::graph_parts parts, detail::load_outcome* outcome) {
    const memory::global_address<detail::load_outcome> to(my_core(), outcome);
    loops::on_all_cores([=] {
      const auto built = build_part(request, keep);
      if (my_core() == 0) *to.local() = {built.status(), "memory", 0, request.edges.size(), 0};
      if (built.ok()) parts.emplace_here(built.value());
    });
  });
}

}  // namespace orujo::graph
