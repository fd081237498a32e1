#include "framework/generators/kinds.hpp"

namespace orujo::internal::generators {
namespace {

constexpr std::uint64_t most_of_complete = std::uint64_t{1} << 31;

constexpr number_option edge_factor_of_scale[] = {
    {"edgefactor", &generator_spec::edge_factor, 1, most_edges}};
constexpr number_option attached_to[] = {{"edgefactor", &generator_spec::edge_factor, 1, most_per_vertex}};
constexpr number_option ring_degree[] = {{"degree", &generator_spec::degree, 2, most_per_vertex}};
constexpr number_option tree_arity[] = {{"arity", &generator_spec::arity, 1, most_vertices}};

std::uint64_t per_vertex(const generator_spec& s) { return s.edge_factor << s.scale; }
std::uint64_t ring_edges(const generator_spec& s) { return s.vertices * (s.degree / 2); }
std::uint64_t attached_edges(const generator_spec& s) { return (s.vertices - 1) * s.edge_factor; }
std::uint64_t mesh_edges(const generator_spec& s) {
  return (s.width - 1) * s.height * s.depth + s.width * (s.height - 1) * s.depth +
         s.width * s.height * (s.depth - 1);
}
std::uint64_t all_but_one(const generator_spec& s) { return s.vertices - 1; }
std::uint64_t all_pairs(const generator_spec& s) {
  return s.vertices % 2 == 0 ? s.vertices / 2 * (s.vertices - 1) : (s.vertices - 1) / 2 * s.vertices;
}

}  // namespace

std::span<const kind_traits> kinds() {
  using enum graph_kind;
  using enum size_form;
  static constexpr kind_traits all[] = {
      {kronecker, "kronecker", scale, edge_factor_of_scale, false, 0, per_vertex, make_kronecker},
      {uniform, "uniform", scale, edge_factor_of_scale, false, 0, per_vertex, make_uniform},
      {watts_strogatz, "watts_strogatz", vertices, ring_degree, true, most_vertices, ring_edges,
       make_watts_strogatz},
      {barabasi_albert, "barabasi_albert", vertices, attached_to, false, most_vertices, attached_edges,
       make_barabasi_albert},
      {mesh2d, "mesh2d", area, {}, false, 0, mesh_edges, make_mesh},
      {mesh3d, "mesh3d", volume, {}, false, 0, mesh_edges, make_mesh},
      {tree, "tree", vertices, tree_arity, false, most_vertices, all_but_one, make_tree},
      {path, "path", vertices, {}, false, most_vertices, all_but_one, make_path},
      {star, "star", vertices, {}, false, most_vertices, all_but_one, make_star},
      {complete, "complete", vertices, {}, false, most_of_complete, all_pairs, make_complete},
  };
  return all;
}

}  // namespace orujo::internal::generators
