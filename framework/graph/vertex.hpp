// A vertex, as programs and visitors see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::internal::graph {

// A vertex, as programs, visitors and closures get it. It is valid at the locale that owns the vertex, while
// the graph exists. Its functions cost nothing unless they are called.
struct vertex {
  std::uint32_t local;              // index among the locale's own vertices, as in properties
  std::uint32_t out_degree;         // after --symmetrize and the like
  const graph::locale_graph* part;  // of the locale

  // The number of the vertex among all vertices, from 0 on, in the order of the graph.
  std::uint64_t number() const { return part->first_vertex + local; }
  // The id of the vertex in the file or of the generator. If vertices have names, the rank of its name.
  std::uint64_t id() const { return part->external_id(local); }
  // The number of in-edges.
  std::uint32_t in_degree() const { return part->in_degree(local); }
};

// An own vertex of a locale's part.
inline vertex vertex_at(const graph::locale_graph& g, std::uint32_t own_vertex) {
  return {own_vertex, g.out_degree[own_vertex], &g};
}

// The value of vertex programs and edge maps with combine = any{} that need to know only which in-neighbour
// has reached a vertex. Between locales it takes at most a bit per vertex.
struct source {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  std::uint32_t local = nobody;               // index of a vertex or a mirror at the receiving locale
  const graph::locale_graph* part = nullptr;  // of the locale

  // As `vertex::number()`. Costs a memory access where the vertex lives at another locale.
  std::uint64_t number() const { return part->number_of(local); }
  friend bool operator==(const source& a, const source& b) { return a.local == b.local; }
};

// Programs and visitors that can be copied to every core. A class with references is trivially copyable, too,
// but cannot be assigned.
template <class T>
concept travels = std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>;

}  // namespace orujo::internal::graph
