// Counts triangles exactly, by intersecting neighbourhoods that are ordered by degree. After Chiba,
// Nishizeki, "Arboricity and Subgraph Listing Algorithms", SIAM Journal on Computing 14, 1985. One of the
// neighbourhoods is marked, as in Latapy, "Main-memory triangle computations for very large (sparse
// (power-law)) graphs", Theoretical Computer Science 407, 2008.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/machine/huge_array.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::algorithms {

namespace detail {

// State that the cores of a locale share.
struct shared_triangles;
class travelling_rows;
enum class row_order;

}  // namespace detail

// The counts of triangle_counter beside the number of all triangles. by_vertex counts those of each vertex.
// edges_among_neighbours counts, for each vertex of a directed graph, the edges from one of its neighbours to
// another, where neighbours are those of either direction. These are the numerators of its local clustering
// coefficient ("The LDBC Graphalytics Benchmark", arXiv 2011.15028, appendix A).
enum class triangle_counts { none, by_vertex, edges_among_neighbours };

// The bytes of a vertex in messages. With `fit` these are 4 if that suffices, for up to 2^32 vertices (2^31
// in a directed graph). Tests request 8.
enum class wire_words { fit, wide };

// The figures of a run of triangle_counter.
struct triangle_report {
  double seconds = 0;
  std::uint64_t triangles = 0;  // of the whole graph, each once
  bool by_degree = false;       // the order of the rows (triangle_rows.hpp)
};

// Counts triangles. One task on every core makes its part and runs it. The graph is symmetric and has
// out_rows. If edges among neighbours are counted, it is any graph that has in_rows, too. Self-loops and
// parallel edges do not count.
//
// Takes a bit per local index and core, and the rows of triangle_rows.hpp if they are ordered by degree. With
// several locales, rows travel to the owners of their members, at most once to a locale, with 4 bytes per
// member. A core then has up to 4 KiB for each other locale, and 4 bytes per member of one row of each other
// core.
class triangle_counter {
 public:
  // [task; suspends; collective over the job] Counts take 8 bytes more per local index, and at most 512 KiB
  // per core. Those of directed graphs take another byte per local index and core, and one per edge.
  explicit triangle_counter(const graph::locale_graph& g, triangle_counts counts = triangle_counts::none,
                            wire_words words = wire_words::fit);
  // [task; suspends; collective over the job] The barrier ensures that no message arrives later.
  ~triangle_counter();
  triangle_counter(const triangle_counter&) = delete;

  // [task; suspends; collective over the job] The time includes the ordering of the edges.
  triangle_report run();

  // [task] After a run() with counts. Returns that of an own vertex of this core.
  std::uint64_t count_of(std::uint32_t own_vertex) const;
  // [task] After a run() on a directed graph. Returns the vertex's number of neighbours.
  std::uint32_t neighbours_of(std::uint32_t own_vertex) const;

 private:
  template <class Word>
  struct some_rows;
  struct vertex_total;
  struct receive_totals;
  struct end {
    triangle_counter* counter;
    std::uint32_t event;  // number, of core 0's
  };

  template <class Word>
  void count_rows();
  template <class Function>
  void with_order(Function f);
  template <detail::row_order Order, bool WithCounts>
  void count_rows(std::uint32_t first, std::uint32_t last);
  template <detail::row_order Order, bool WithCounts>
  void intersect(std::uint32_t rank, std::span<const std::uint32_t> row, std::size_t first, std::size_t last);
  void join(std::uint32_t rank, std::span<const std::uint32_t> row, std::span<const std::uint8_t> both,
            std::size_t middles);
  template <detail::row_order Order, bool WithCounts>
  std::uint64_t count_marked(std::uint32_t middle);
  void add(std::uint32_t rank, std::uint64_t triangles);
  template <class Word>
  void receive(core_id from, std::span<const Word> words);
  void add_foremost();
  void send_totals();
  void settle();

  const graph::locale_graph& graph_;
  const bool with_counts_, directed_, wide_;
  const machine::instruction_set isa_;
  std::shared_ptr<detail::shared_triangles> shared_;
  by_core<end> ends_;
  std::optional<delegates::completion_event> sent_;  // at core 0, for all

  std::uint64_t triangles_ = 0;             // found by this core
  std::vector<std::uint64_t> marks_;        // bits by rank: the members of a row while it is intersected
  std::vector<std::uint8_t> edges_to_;      // by rank, of a directed graph: 1 or 2 instead of these bits
  std::vector<std::uint64_t> of_foremost_;  // triangles of the first ranks' vertices, found by this core
  std::vector<std::uint32_t> to_send_;      // ranks whose rows have members elsewhere
  std::unique_ptr<detail::travelling_rows> under_way_;
};

}  // namespace orujo::internal::algorithms
