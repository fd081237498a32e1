// Breadth-first search on GPUs. The GPU of each locale's first core finds vertices, and the locale's cores
// send them to the locales that mirror them.
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

namespace orujo::internal::algorithms {

// One core's part of the searches on one graph, with the members of breadth_first_search. The graph keeps
// in_rows and out_rows in arrays. The GPU gets a copy of them once: 4 bytes per edge and 24 per own vertex,
// or 8 and 32 if the graph is not symmetric. The process keeps 8 bytes per own vertex. The times of a search
// do not include copying its result; the first core that requests it copies it.
class device_search {
 public:
  // [task; suspends; collective over the job] Returns null if `device` is automatic and some locale has no
  // suitable GPU. Other devices end the job with `exit_status::no_resource` then.
  static std::shared_ptr<device_search> make(const graph::locale_graph& g,
                                             const steps::direction_options& options,
                                             const device::selection& device);
  virtual ~device_search() = default;

  // [task; suspends; collective over the job] Searches from the vertex of this number. The result is valid
  // until the next search.
  virtual search_report run(std::uint64_t source) = 0;

  // [task] After run(). Calls visit(own vertex, number of its parent, level) for this core's share of the own
  // vertices of this locale that the search has reached. The source is its own parent at level 0.
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
  // ids, and -1 for vertices that the search has not reached.
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
  // [task] Returns the result of the last run, in the memory of the process.
  virtual result fetch() = 0;

  const graph::locale_graph& graph_;
};

namespace detail {

// Makes one core's part, for one kind of GPUs.
using make_device_search = std::shared_ptr<device_search> (*)(const graph::locale_graph& g,
                                                              const steps::direction_options& options,
                                                              const device::selection& device);
// Null unless the executable has code for CUDA.
inline make_device_search make_cuda_search = nullptr;

}  // namespace detail

}  // namespace orujo::internal::algorithms
