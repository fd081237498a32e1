// Exact counting of triangles, by intersecting neighbourhoods that are ordered by degree: Chiba, Nishizeki,
// "Arboricity and Subgraph Listing Algorithms", SIAM Journal on Computing 14, 1985.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/machine/huge_array.hpp"

namespace orujo::algorithms {

namespace detail {

// What the cores of a locale share.
struct oriented_rows;

}  // namespace detail

struct triangle_report {
  double seconds = 0;
  std::uint64_t triangles = 0;  // of the whole graph, each once
};

// One core's part, made and used by one task per core. The graph is symmetric and has out_rows; self-loops do
// not count. An edge is kept at its end of the lower degree (of the lower number where they are equal): 8
// bytes per undirected edge and per own vertex of a locale, so no row has more than sqrt(2 * edges) entries.
// Rows travel to the owners of their members, once to a core: at most 8 bytes for every edge and core of
// another locale. A core holds one row of each other core meanwhile.
class triangle_counter {
 public:
  // [task; suspends; collective over the job] with_counts: of every vertex, too; 8 bytes more per local
  // index.
  explicit triangle_counter(const graph::locale_graph& g, bool with_counts = false);
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~triangle_counter();
  triangle_counter(const triangle_counter&) = delete;

  // [task; suspends; collective over the job] The time includes the ordering of the edges.
  triangle_report run();

  // [task] After a run() with counts: how many triangles an own vertex of this core is in.
  std::uint64_t count_of(std::uint32_t own_vertex) const;

 private:
  struct row_piece;
  struct vertex_total;
  struct receive_totals;
  struct end {
    triangle_counter* counter;
    std::uint32_t event;  // number, of core 0's
  };

  void orient();
  void count_rows();
  void send_to_owners(std::uint32_t vertex, std::span<const std::uint64_t> row);
  void send_row(core_id to, std::uint64_t vertex, std::span<const std::uint64_t> row);
  void receive(core_id from, std::uint64_t vertex, std::span<const std::byte> piece, bool last);
  void intersect(std::uint64_t vertex, std::span<const std::uint64_t> row, std::uint64_t target);
  void add(std::uint64_t vertex, std::uint64_t triangles);
  void send_totals();
  void settle();

  const graph::locale_graph& graph_;
  const bool with_counts_;
  std::shared_ptr<detail::oriented_rows> rows_;
  std::vector<end> ends_;                             // by core
  std::optional<delegates::completion_event> sent_;   // at core 0, for all
  std::vector<std::vector<std::uint64_t>> arriving_;  // by sender: the row that is coming in
  std::uint64_t triangles_ = 0;                       // found by this core
};

}  // namespace orujo::algorithms
