#include "framework/graph/build/edges_in_memory.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "framework/formats/rounded_weight.hpp"
#include "framework/graph/build/build.hpp"
#include "system/base/check.hpp"
#include "system/base/counted.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::internal::graph {
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

// Checks a core's edges. `first` edges precede them in the job.
status check_edges(std::span<const edge> edges, std::span<const float> weights, std::size_t first,
                   const std::optional<std::uint64_t>& vertices) {
  if (vertices) {
    if (status s = check_ids(edges, first, *vertices); !s.ok()) return s;
  }
  return check_weights(weights, first);
}

// The calling core's edges.
result<input_edges> copy_edges(const edges_in_memory& request, bool weighted) {
  input_edges input;
  const auto edges = request.edges.local();
  const auto weights = weighted ? request.weights->local() : std::span<float>();
  if (status s = check_edges(edges, weights, request.edges.range_here().first, request.vertices); !s.ok())
    return s;
  input.mine.edges.assign(edges.begin(), edges.end());
  input.mine.weights.assign(weights.begin(), weights.end());
  input.vertex_count = request.vertices;
  input.weighted = weighted;
  return input;
}

template <class Request>
build_options options_of(const Request& request, const edge_forms& keep) {
  build_options options;
  options.symmetrize = request.symmetrize;
  options.remove_self_loops = request.remove_self_loops;
  options.remove_duplicates = request.remove_duplicates;
  options.keep_weight = request.keep_weight;
  options.keep = keep;
  return options;
}

// [task; suspends; collective over the job] The number of vertices if they are 0 to the largest id. Far more
// vertices than edges reach are a mistake, such as ids that are hashes.
result<std::uint64_t> vertices_up_to_largest(std::span<const edge> edges) {
  struct size {
    std::uint64_t largest = 0, count = 0;
  };
  size all{0, edges.size()};
  for (const edge& e : edges) all.largest = std::max({all.largest, e.source, e.target});
  all = collectives::all_reduce(all, [](size a, const size& b) {
    a.largest = std::max(a.largest, b.largest);
    a.count += b.count;
    return a;
  });
  if (all.count == 0) return std::uint64_t{0};
  constexpr std::uint64_t most_per_edge = 64, always = 1 << 24;
  if (all.largest >= always && all.largest / most_per_edge >= all.count) {
    return status(exit_status::bad_data,
                  fmt::format("{} edges in memory go to vertices up to {}; expected most numbers up to the "
                              "largest to occur: build the graph of the vertices that occur only",
                              all.count, all.largest));
  }
  return all.largest + 1;
}

// [task; suspends; collective over the job]
result<std::shared_ptr<locale_graph>> build_part(const edges_in_memory& request, const edge_forms& keep) {
  auto input = copy_edges(request, request.weights && keep.weights);
  if (status s = collectives::first_failure(input.status()); !s.ok()) return s;
  return build(std::move(input).value(), options_of(request, keep));
}

result<edges_from> bring_if_there_is_room(edge_bringer bring) {
  try {
    return bring();
  } catch (const std::bad_alloc&) {
    return status(exit_status::no_resource, "no room for the edges: use more nodes or a smaller graph");
  }
}

// [task; suspends; collective over the job] Collects and checks the edges of all cores.
result<input_edges> take_brought(edge_bringer bring, const brought_edges& request, bool weighted) {
  result<edges_from> brought = bring_if_there_is_room(bring);
  if (status s = collectives::first_failure(brought.status()); !s.ok()) return s;
  input_edges input;
  input.mine = std::move(brought.value().mine);
  input.weighted = weighted;
  input.vertex_count = request.vertices;
  if (request.up_to_largest) {
    const auto vertices = vertices_up_to_largest(input.mine.edges);
    if (!vertices.ok()) return vertices.status();
    input.vertex_count = vertices.value();
  }
  if (!weighted) input.mine.weights = {};
  status checked =
      check_edges(input.mine.edges, input.mine.weights, brought.value().first, input.vertex_count);
  if (checked.ok() && weighted && input.mine.weights.size() != input.mine.edges.size())
    checked = {exit_status::bad_data, "some edges in memory have weights and others have none"};
  if (status s = collectives::first_failure(checked); !s.ok()) return s;
  const std::uint64_t rounded = collectives::all_reduce(weighted ? input.mine.rounded_weight : 0,
                                                        [](auto a, auto b) { return std::max(a, b); });
  if (rounded > 0 && my_core() == 0) LOG(WARNING) << formats::describe_rounded("edges in memory", rounded);
  return input;
}

}  // namespace

result<std::shared_ptr<locale_graph>> detail::build_brought(edge_bringer bring, const brought_edges& request,
                                                            const edge_forms& keep, load_outcome* outcome) {
  auto input = take_brought(bring, request, request.weighted && keep.weights);
  const std::uint64_t edges =
      collectives::all_reduce(input.ok() ? std::uint64_t{input.value().mine.edges.size()} : 0);
  auto built = input.ok() ? build(std::move(input).value(), options_of(request, keep)) : input.status();
  if (outcome) *outcome = {built.status(), "memory", 0, edges, 0};
  return built;
}

result<loaded_graph> build_graph(const edges_in_memory& request, const edge_forms& keep,
                                 const call_site& at) {
  if (request.weights && request.weights->size() != request.edges.size()) {
    base::misuse(fmt::format("build_graph() of {} and {}: there is a weight for each edge, or none",
                             base::counted(request.edges.size(), "edge"),
                             base::counted(request.weights->size(), "weight")),
                 at);
  }
  return detail::load("edges in memory", [=](detail::graph_parts parts, detail::load_outcome* outcome) {
    const memory::global_address<detail::load_outcome> to(my_core(), outcome);
    // Fetched: an optional of it without a value may hold an old address, which is taken for a reference.
    const memory::global_address<const edges_in_memory> asked(my_core(), &request);
    loops::on_all_cores([=] {
      using bytes = std::array<std::byte, sizeof(edges_in_memory)>;  // it has no default constructor
      const auto mine = std::bit_cast<edges_in_memory>(
          delegates::call(asked.core(), [asked] { return std::bit_cast<bytes>(*asked.local()); }));
      const auto built = build_part(mine, keep);
      if (my_core() == 0) *to.local() = {built.status(), "memory", 0, mine.edges.size(), 0};
      if (built.ok()) parts.emplace_here(built.value());
    });
  });
}

}  // namespace orujo::internal::graph
