#include "applications/graph500/tuples.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "system/base/random.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph500 {
namespace {

constexpr std::uint32_t weight_steps = 1u << 20;
constexpr std::uint64_t tuples_at_a_time = std::uint64_t{1} << 16;
constexpr std::uint64_t root_stream = 1;

index_range my_part(const generators::generator_spec& spec) { return my_part_of_job({0, spec.edge_count()}); }

std::uint64_t count_with_edges(std::span<const std::uint32_t> degrees) {
  return static_cast<std::uint64_t>(
      std::count_if(degrees.begin(), degrees.end(), [](std::uint32_t d) { return d > 0; }));
}

// [task; suspends] Returns whether a vertex, which the core's locale owns, has an edge.
template <class Graph>
bool has_edge_at(core_id owner, Graph graph, std::uint64_t v) {
  return delegates::call(owner, [=] {
    const auto& g = graph.here();
    return g.out_degree[v - g.first_vertex] > 0;
  });
}

// Samples `count` different vertices with an edge, of which there are enough.
template <class HasEdge>
std::vector<std::uint64_t> draw_vertices(std::uint64_t vertices, std::uint64_t count, std::uint64_t seed,
                                         HasEdge has_edge) {
  std::vector<std::uint64_t> roots;
  std::unordered_set<std::uint64_t> drawn;
  random_stream random(seed, root_stream);
  while (roots.size() < count) {
    const std::uint64_t v = random.below(vertices);
    if (drawn.insert(v).second && has_edge(v)) roots.push_back(v);
  }
  return roots;
}

}  // namespace

generators::generator_spec describe_tuples(unsigned scale, std::uint64_t edge_factor, std::uint64_t seed,
                                           bool weighted) {
  generators::generator_spec spec;
  spec.scale = scale;
  spec.edge_factor = edge_factor;
  spec.seed = seed;
  spec.weighted = weighted;
  spec.weight_low = 1;
  spec.weight_high = weight_steps - 1;
  return spec;
}

formats::edge_list make_tuples(const generators::generator_spec& spec, std::uint64_t first,
                               std::uint64_t last) {
  formats::edge_list tuples = generators::generate(spec, first, last);
  for (float& weight : tuples.weights) weight /= weight_steps;
  return tuples;
}

graph::input_edges make_my_tuples(const generators::generator_spec& spec) {
  graph::input_edges input;
  const index_range mine = my_part(spec);
  input.mine = make_tuples(spec, mine.first, mine.last);
  input.vertex_count = spec.vertex_count();
  input.weighted = spec.weighted;
  return input;
}

void visit_my_tuples(const generators::generator_spec& spec, const graph::input_edges::visitor& visit) {
  const index_range mine = my_part(spec);
  for (std::uint64_t first = mine.first; first < mine.last; first += tuples_at_a_time) {
    const formats::edge_list tuples =
        make_tuples(spec, first, std::min<std::uint64_t>(first + tuples_at_a_time, mine.last));
    visit(tuples.edges, tuples.weights);
  }
}

tuple_ends count_tuple_ends(const generators::generator_spec& spec) {
  const tuple_ends ends = tuple_ends::create(spec.vertex_count());
  delegates::completion_event counted;
  loops::on_all_cores([=, event = counted.ref()] {
    visit_my_tuples(spec, [&](std::span<const edge> edges, std::span<const float>) {
      for (const edge& e : edges) {
        delegates::async_increment(event, ends[e.source]);
        delegates::async_increment(event, ends[e.target]);
      }
      tasks::yield();
    });
  });
  counted.wait();
  return ends;
}

std::vector<std::uint64_t> draw_roots(graph::distributed_graph graph, std::size_t count, std::uint64_t seed) {
  const std::uint64_t candidates = delegates::sum_of_all([=] {
    const graph::locale_graph& g = graph.here();
    return count_with_edges(g.my_part().of(std::span(g.out_degree.data(), g.own)));
  });
  return draw_vertices(graph.here().vertices, std::min<std::uint64_t>(count, candidates), seed,
                       [=](std::uint64_t id) {
                         const std::uint64_t v = graph.here().numbers.number(id);
                         return has_edge_at(graph.here().owners.owner(v), graph, v);
                       });
}

std::vector<std::uint64_t> draw_roots(graph::grid_graph graph, std::size_t count, std::uint64_t seed) {
  const std::uint64_t candidates = delegates::sum_of_all([=] {
    const graph::locale_grid& g = graph.here();
    return leads_locale() ? count_with_edges(std::span(g.out_degree.data(), g.own)) : 0;
  });
  const graph::grid_shape grid = graph.here().shape;
  return draw_vertices(grid.vertices, std::min<std::uint64_t>(count, candidates), seed, [=](std::uint64_t v) {
    return has_edge_at(shape().first_core_of(grid.owner(v)), graph, v);
  });
}

}  // namespace orujo::internal::graph500
