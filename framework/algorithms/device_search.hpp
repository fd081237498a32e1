// Breadth-first search on GPUs: each locale's first core has its GPU find vertices, and its cores tell the
// other locales which of those they mirror.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "framework/algorithms/breadth_first_search.hpp"
#include "framework/device/search.hpp"
#include "framework/device/selection.hpp"
#include "framework/graph/bit_set.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/steps/direction.hpp"

namespace orujo::algorithms {

// One core's part of the searches on one graph, with the members of breadth_first_search. The graph keeps
// in_rows and out_rows in arrays. The GPU gets a copy of them once: 4 bytes per edge and 24 per own vertex,
// or 8 and 32 if the graph is not symmetric. The process keeps 8 bytes per own vertex. The times of a search
// do not include copying its result; the first core that asks for it copies it.
class device_search {
 public:
  // [task; suspends; collective over the job] Returns null if `device` is automatic and some locale has no
  // GPU that will do. Other devices end the job with `exit_status::no_resource` then.
  static std::shared_ptr<device_search> make(const graph::locale_graph& g,
                                             const steps::direction_options& options,
                                             const device::selection& device);
  virtual ~device_search() = default;

  // [task; suspends; collective over the job] From the vertex of this number. Its result stays until the
  // next.
  virtual search_report run(std::uint64_t source) = 0;

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the
  // vertices that this locale owns and the search reached; the source is its own parent at level 0.
  template <class Visit>
  void for_each_reached(Visit visit) {
    const result found = fetch();
    const graph::core_part& part = graph_.my_part();
    found.seen.for_each_between(part.first, part.last, [&](std::size_t v) {
      const device::place& place = found.places[v];
      visit(static_cast<std::uint32_t>(v), graph_.number_of(place.parent), std::size_t{place.level});
    });
  }
  // [task] After run(). Writes this core's share of the parents, by own vertex of the locale, as positions of
  // ids; -1 where the search has not been.
  void write_parents(std::span<std::int64_t> parents) {
    const result found = fetch();
    const graph::core_part& part = graph_.my_part();
    for (std::uint32_t v = part.first; v < part.last; ++v) {
      parents[v] =
          found.seen.test(v) ? static_cast<std::int64_t>(graph_.position_of(found.places[v].parent)) : -1;
    }
  }

 protected:
  explicit device_search(const graph::locale_graph& g) : graph_(g) {}

  struct result {
    const graph::bit_set& seen;  // by local index
    const device::place* places;
  };
  // [task] Of the last run, in the memory of the process.
  virtual result fetch() = 0;

  const graph::locale_graph& graph_;
};

namespace detail {

// Makes one core's part; what GPUs of a kind are there for.
using make_device_search = std::shared_ptr<device_search> (*)(const graph::locale_graph& g,
                                                              const steps::direction_options& options,
                                                              const device::selection& device);
// Where the executable has code for CUDA.
inline make_device_search make_cuda_search = nullptr;

}  // namespace detail

}  // namespace orujo::algorithms
