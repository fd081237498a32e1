// A vertex, as programs and visitors see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// What a program is told of the vertex that it is called for. What the functions tell costs only who calls
// them.
struct vertex {
  std::uint32_t local;              // index among the locale's own vertices, as in properties
  std::uint32_t out_degree;         // after --symmetrize and the like
  const graph::locale_graph* part;  // of the locale

  // Among all vertices of the job, from 0 on; in whatever order the graph has them.
  std::uint64_t number() const { return part->first_vertex + local; }
  // As the graph's file has it, or the generator. Of vertices with names, the place of the name among all.
  std::uint64_t id() const { return part->external_id(local); }
  std::uint32_t in_degree() const { return part->in_degree(local); }
};

// What a vertex shows that shows which one it is and no more: between locales that takes a bit at most. The
// value of vertex programs and edge maps with combine = any.
struct source {
  static constexpr std::uint32_t nobody = ~std::uint32_t{0};
  std::uint32_t local = nobody;               // index at the locale that is told: of a vertex or a mirror
  const graph::locale_graph* part = nullptr;  // of the locale

  // As vertex::number(). Costs a memory access where the vertex lives at another locale.
  std::uint64_t number() const { return part->number_of(local); }
  friend bool operator==(const source& a, const source& b) { return a.local == b.local; }
};

// Programs and visitors that can be copied to every core. A class with references is trivially copyable, too,
// but cannot be assigned.
template <class T>
concept travels = std::is_trivially_copyable_v<T> && std::is_copy_assignable_v<T>;

}  // namespace orujo::graph
