// A vertex, as programs and visitors see it.
#pragma once

#include <cstdint>
#include <type_traits>

#include "framework/graph/distributed_graph.hpp"

namespace orujo::graph {

// The vertex that a program is called for. The functions cost time only if they are called.
struct vertex {
  std::uint32_t local;              // index among the locale's own vertices, as in properties
  std::uint32_t out_degree;         // after --symmetrize and the like
  const graph::locale_graph* part;  // of the locale

  // Among all vertices of the job, from 0 on; in whatever order the graph has them.
  std::uint64_t number() const { return part->first_vertex + local; }
  // The id in the graph's file or of the generator. For vertices with names it is the rank of the name among
  // all.
  std::uint64_t id() const { return part->external_id(local); }
  std::uint32_t in_degree() const { return part->in_degree(local); }
};

// The value of a vertex that shows which one it is and no more. Between locales it takes a bit at most. For
// vertex programs and edge maps with combine = any.
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
