#include "framework/layout/undirected_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"
#include "system/loops/forall.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"

namespace orujo::internal::layout {
namespace {

// Calls visit(edge) for every edge of this core that is not a self-loop.
template <class Visit>
void visit_edges(const graph::input_edges& input, Visit visit) {
  input.visit_batches([&](std::span<const edge> edges, std::span<const float>) {
    for (const edge& e : edges) {
      if (e.source != e.target) visit(e);
    }
  });
}

// Rows that are being filled by several threads.
struct open_rows {
  undirected_graph graph;
  machine::huge_array<std::uint64_t> ends;  // of what is there of each row

  open_rows(std::uint32_t vertices, std::span<const std::uint32_t> degrees) : ends(vertices) {
    graph.offsets = machine::huge_array<std::uint64_t>(std::uint64_t{vertices} + 1);
    for (std::uint32_t v = 0; v < vertices; ++v) {
      ends[v] = graph.offsets[v];
      graph.offsets[v + 1] = graph.offsets[v] + degrees[v];
    }
    graph.neighbours = machine::huge_array<std::uint32_t>(graph.offsets[vertices]);
  }

  // All but self-loops. The ends of the rows, and then the places there, are fetched ahead: an atomic
  // operation waits for every store before it.
  void add_all(std::span<const edge> edges) {
    for (std::size_t k = 0; k < edges.size(); ++k) {
      if (k + 2 * ahead < edges.size()) {
        __builtin_prefetch(&ends[edges[k + 2 * ahead].source], 1);
        __builtin_prefetch(&ends[edges[k + 2 * ahead].target], 1);
      }
      if (k + ahead < edges.size()) {
        prefetch_place(edges[k + ahead].source);
        prefetch_place(edges[k + ahead].target);
      }
      if (edges[k].source == edges[k].target) continue;
      add(edges[k].source, edges[k].target);
      add(edges[k].target, edges[k].source);
    }
  }
  // Puts rows first .. last - 1 in order. Different threads may do so for different ones.
  void sort(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t v = first; v < last; ++v) {
      std::uint32_t* const begin = graph.neighbours.data() + graph.offsets[v];
      std::uint32_t* const end = graph.neighbours.data() + ends[v];
      std::sort(begin, end);
      ends[v] = graph.offsets[v] + static_cast<std::uint64_t>(std::unique(begin, end) - begin);
    }
  }
  // Closes the gaps that duplicates have left.
  undirected_graph close() {
    std::uint64_t to = 0;
    for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
      const std::uint64_t from = graph.offsets[v];
      graph.offsets[v] = to;
      to = static_cast<std::uint64_t>(std::copy(graph.neighbours.data() + from,
                                                graph.neighbours.data() + ends[v],
                                                graph.neighbours.data() + to) -
                                      graph.neighbours.data());
    }
    if (graph.offsets.size() > 0) graph.offsets[graph.vertices()] = to;
    if (graph.neighbours.size() > to)
      machine::discard_pages(graph.neighbours.data() + to,
                             (graph.neighbours.size() - to) * sizeof(std::uint32_t));
    ends = {};
    return std::move(graph);
  }

 private:
  static constexpr std::size_t ahead = 8;

  void add(std::uint64_t v, std::uint64_t neighbour) {
    const std::uint64_t at = std::atomic_ref(ends[v]).fetch_add(1, std::memory_order_relaxed);
    graph.neighbours[at] = static_cast<std::uint32_t>(neighbour);
  }
  void prefetch_place(std::uint64_t v) {
    const std::uint64_t at = std::atomic_ref(ends[v]).load(std::memory_order_relaxed);
    __builtin_prefetch(graph.neighbours.data() + at, 1);
  }
};

struct add_edges {
  using value = edge;
  open_rows* rows;
  void operator()(std::span<const edge> edges) const { rows->add_all(edges); }
};

status check_room(std::uint64_t vertices, std::uint64_t ends, const order_memory& needs) {
  if (vertices > ~std::uint32_t{0}) {
    return {exit_status::no_resource,
            fmt::format("an order by neighbours is for fewer than 2^32 vertices, and the graph has {}: use "
                        "--layout=none, random, degree or hub_cluster",
                        vertices)};
  }
  const std::uint64_t needed = needs.per_vertex * vertices + needs.per_end * ends;
  const std::uint64_t budget = memory::given_budget();
  const std::uint64_t available = machine::available_memory();
  const std::uint64_t room = budget == 0 ? available : std::min(budget, available);
  if (needed <= room) return {};
  return {exit_status::no_resource,
          fmt::format("this order of the vertices requires about {} bytes at locale 0, which has {}: use "
                      "--layout=none, random, degree or hub_cluster",
                      needed, room)};
}

}  // namespace

undirected_graph make_undirected(std::uint32_t vertices, std::span<const edge> edges) {
  std::vector<std::uint32_t> degrees(vertices);
  for (const edge& e : edges) {
    if (e.source == e.target) continue;
    ++degrees[e.source];
    ++degrees[e.target];
  }
  open_rows rows(vertices, degrees);
  rows.add_all(edges);
  rows.sort(0, vertices);
  return rows.close();
}

graph::shared_degrees count_degrees(const graph::input_edges& input, std::uint64_t vertices) {
  return graph::add_up_degrees(vertices, [&](std::span<std::uint32_t> degrees) {
    graph::degree_counter counter(degrees);
    visit_edges(input, [&](const edge& e) {
      counter.add(e.source);
      counter.add(e.target);
    });
    counter.flush();
  });
}

result<std::shared_ptr<const undirected_graph>> gather_undirected(
    const graph::input_edges& input, std::uint64_t vertices,
    const machine::huge_array<std::uint32_t>& degrees, const order_memory& needs) {
  status room;
  if (my_core() == 0)
    room = check_room(vertices, std::accumulate(degrees.begin(), degrees.end(), std::uint64_t{0}), needs);
  if (status s = collectives::first_failure(room); !s.ok()) return s;

  std::unique_ptr<open_rows> made;
  if (my_core() == 0) {
    made = std::make_unique<open_rows>(static_cast<std::uint32_t>(vertices),
                                       std::span<const std::uint32_t>(degrees.data(), degrees.size()));
  }
  open_rows* const rows = collectives::broadcast(made.get(), 0);  // of use at locale 0
  delegates::completion_event gathered;
  delegates::scatter out(gathered, by_core<add_edges>(cores(), {rows}));
  const core_id to = my_core() % shape().cores_of(0);
  visit_edges(input, [&](const edge& e) { out.push(to, e); });
  out.flush();
  gathered.wait();
  collectives::barrier();
  std::shared_ptr<undirected_graph> shared;
  if (my_locale() == 0) {
    const index_range mine = my_part_of_locale({0, vertices});
    rows->sort(mine.first, mine.last);
    collectives::barrier(collectives::group::locale);
    shared = collectives::share_on_locale<undirected_graph>(
        [&] { return std::make_shared<undirected_graph>(rows->close()); });
  }
  collectives::barrier();
  return std::shared_ptr<const undirected_graph>(std::move(shared));
}

}  // namespace orujo::internal::layout
