// The kinds of graphs that can be generated. Adding one is a function that makes its edges, a line in
// kinds.cpp and a value of graph_kind.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "framework/generators/generator.hpp"

namespace orujo::internal::generators {

// Limits of any graph, and of graphs that are given by a number of vertices and edges per vertex.
inline constexpr std::uint64_t most_edges = std::numeric_limits<std::int64_t>::max();
inline constexpr std::uint64_t most_vertices = std::uint64_t{1} << 40;
inline constexpr std::uint64_t most_per_vertex = std::uint64_t{1} << 20;

// The size after the kind's name: SCALE, VERTICES, WIDTHxHEIGHT or WIDTHxHEIGHTxDEPTH.
enum class size_form { scale, vertices, area, volume };

// A whole number, NAME=VALUE, that a kind takes beside seed and weights.
struct number_option {
  std::string_view name;
  std::uint64_t generator_spec::*value;
  std::uint64_t least, most;
};

struct kind_traits {
  graph_kind kind;
  std::string_view name;
  size_form size;
  std::span<const number_option> options;
  bool has_rewire;
  std::uint64_t most_vertices;  // of size_form::vertices
  std::uint64_t (*edges)(const generator_spec&);
  // Edges first, first + 1, ..., as many as there is room for.
  void (*make)(const generator_spec&, std::uint64_t first, std::span<edge>);
};

// By graph_kind.
std::span<const kind_traits> kinds();
inline const kind_traits& traits_of(graph_kind kind) { return kinds()[static_cast<std::size_t>(kind)]; }

void make_kronecker(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_uniform(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_watts_strogatz(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_barabasi_albert(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_mesh(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_tree(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_path(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_star(const generator_spec& spec, std::uint64_t first, std::span<edge> out);
void make_complete(const generator_spec& spec, std::uint64_t first, std::span<edge> out);

}  // namespace orujo::internal::generators
