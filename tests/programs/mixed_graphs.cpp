// Uses what belongs to one graph with another, for the test of what is said. Compiled without NDEBUG: what a
// closure captures is compared vertex by vertex then.
#include <gflags/gflags.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "framework/algorithms/coloring.hpp"
#include "framework/algorithms/core_numbers.hpp"
#include "framework/algorithms/hits.hpp"
#include "framework/algorithms/maximal_independent_set.hpp"
#include "framework/algorithms/random_walks.hpp"
#include "framework/gas/edge_map.hpp"
#include "framework/gas/load.hpp"
#include "framework/gas/run.hpp"
#include "framework/graph/edge_property.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/graph/vertex_map.hpp"
#include "framework/results/read_values.hpp"
#include "framework/results/write_values.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(mix, "", "what to use with another graph: see `ways`");

namespace {

using namespace orujo;
using namespace orujo::internal;
using gas::edge_map, graph::edge_property, graph::property, graph::vertex, graph::vertex_set;
using graph::distributed_graph;

// Sums of what in-neighbours show.
struct ones {
  using value = std::uint64_t;
  using aggregate = gas::nothing;
  value start(const vertex&, aggregate&) { return 1; }
  value collect(const vertex&, value, const gas::neighbours<value>& all) { return all.size(); }
  bool apply(const vertex&, value total, value& shown, aggregate&) { return shown = total, false; }
};
// A program with state in a member.
struct counted : ones {
  bool apply(const vertex& v, value total, value&, aggregate&) { return counts[v] = total, false; }
  property<std::uint64_t> counts;
};
struct counted_by_edge : ones {
  value collect(const vertex& v, value, const gas::neighbours<value>&) { return counts.of(v).size(); }
  edge_property<std::uint64_t> counts;
};
struct noted {
  using value = std::uint64_t;
  static constexpr auto combine = gas::minimum{};
  value show(const vertex& v) const { return v.number(); }
  bool visit(const vertex&, value) { return true; }
};

struct noted_at_once : noted {
  static constexpr bool asynchronous = true;
};

distributed_graph cycle(std::size_t size) {
  const auto edges = containers::global_array<edge>::create(size);
  loops::forall(edges, [size](std::size_t i, edge& e) { e = {i, (i + 1) % size}; });
  const graph::edge_forms forms{.in_vectors = false, .in_rows = true, .out_rows = true};
  return graph::build_graph({.edges = edges, .vertices = size, .symmetrize = false}, forms).value().graph;
}

const distributed_graph& small() {
  static const distributed_graph made = cycle(100);
  return made;
}
const distributed_graph& large() {
  static const distributed_graph made = cycle(30'000);
  return made;
}
template <class T = std::uint64_t>
property<T> of_small() {
  return property<T>::create(small());
}

// Each is a mistake but for the last.
const std::map<std::string, std::function<void()>> ways = {
    {"run",
     [] {
       ones program;
       gas::run(program, large(), of_small());
     }},
    {"map_large", [] { edge_map(large(), vertex_set::all(small()), noted{}); }},
    {"map_small", [] { edge_map(small(), vertex_set::all(large()), noted{}); }},
    {"map_out_of",
     [] {
       vertex_set others = vertex_set::all(small());
       edge_map(vertex_set::all(large()), noted{}, {.out_of = &others});
     }},
    {"map_out_of_none", [] { edge_map(vertex_set::all(small()), noted_at_once{}); }},
    {"unite", [] { unite(vertex_set::all(large()), vertex_set::all(small())); }},
    {"visit", [] { results::visit_vertices(large(), of_small(), [](const auto&) {}); }},
    {"write", [] { (void)results::write_values(large(), of_small(), "/dev/null"); }},
    {"read", [] { (void)results::read_values(large(), of_small(), "/dev/null"); }},
    {"checkpoint",
     [] {
       checkpoint::state all;
       graph::program_state(all, large().here()).add("counts", of_small());
     }},
    {"walks", [] { const algorithms::random_walks all(large(), of_small()); }},
    {"colors", [] { const algorithms::coloring all(large(), of_small<std::int32_t>()); }},
    {"members", [] { algorithms::maximal_independent_set(large(), of_small<std::uint8_t>()); }},
    {"hits",
     [] {
       algorithms::find_hubs_and_authorities(large(), graph::transposed(small()),
                                             property<algorithms::hits_scores>::create(large()), {});
     }},
    {"values",
     [] {
       loops::on_all_cores([values = of_small<std::uint32_t>(), graph = large()] {
         const algorithms::core_numbers all(graph.here(), values.here());
       });
     }},
    {"closure",
     [] {
       graph::vertex_map(vertex_set::all(large()),
                         [values = of_small()](const vertex& v) { values[v] = v.number(); });
     }},
    {"member",
     [] {
       counted program{{}, of_small()};
       gas::run(program, large());
     }},
    {"edges",
     [] {
       counted_by_edge program{{}, edge_property<std::uint64_t>::create(small())};
       gas::run(program, large());
     }},
    {"edges_of_transpose",
     [] {
       counted_by_edge program{{}, edge_property<std::uint64_t>::create(small())};
       gas::run(program, graph::transposed(small()));
     }},
    {"nothing",
     [] {
       const distributed_graph reversed = graph::transposed(small());
       counted program{{}, of_small()};
       gas::run(program, reversed, of_small());
       vertex_set others = vertex_set::all(small());
       edge_map(reversed, vertex_set::all(small()), noted{}, {.out_of = &others});
       results::visit_vertices(reversed, of_small(), [](const auto&) {});
       counted_by_edge by_edge{{}, edge_property<std::uint64_t>::create(small())};
       gas::run(by_edge, small());
     }},
};

status main_task() {
  ways.at(FLAGS_mix)();
  std::puts("done");
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "what belongs to one graph and another graph", &main_task);
}
