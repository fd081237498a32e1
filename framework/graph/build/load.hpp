// Graphs that are read or generated.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {

// A graph that was loaded or built, and figures about it.
struct loaded_graph {
  distributed_graph graph;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  double seconds = 0;
  double read_seconds = 0;       // of `seconds`, for the edges as they come in; generated ones are made later
  std::uint64_t read_edges = 0;  // as they come in
  std::uint64_t file_bytes = 0;  // of the file as it lies on the disk; 0 of generated graphs
  std::string source = {};       // for people and reports
  std::string format = {};       // "generated", or as --format has it
  order_report order = {};       // of the vertices
};

namespace detail {

using graph_parts = containers::symmetric<std::shared_ptr<locale_graph>>;

// The result of loading, at core 0.
struct load_outcome {
  status failure;
  std::string format = "generated";
  double read_seconds = 0;
  std::uint64_t read_edges = 0, file_bytes = 0;
  std::string path = {};  // input_edges
};

// [task; suspends; collective over the job] A core's share of loading the graph that core 0 requests. Core 0
// fills in *to.
void load_here(const graph_request* asked, graph_parts parts, const edge_forms& keep, vertex_orderer order,
               load_outcome* to);

// [task at core 0; suspends] What comes before and after load_here(), which on_all_cores calls at every core.
result<loaded_graph> load(const std::string& source,
                          const std::function<void(graph_parts, load_outcome*)>& on_all_cores);

}  // namespace detail

// [task at core 0; suspends] Reads or generates the graph of a request on all cores, and builds it with these
// forms of edges. Fails with usage, bad_data, no_input or no_resource. `Order` is for the library.
template <vertex_orderer Order = nullptr>
result<loaded_graph> load_graph(const graph_request& request, const edge_forms& keep = {}) {
  if (auto resolved = resolve(request); !resolved.ok()) return resolved.status();
  return detail::load(request.graph.empty() ? request.generate : request.graph,
                      [&](detail::graph_parts parts, detail::load_outcome* outcome) {
                        const memory::global_address<detail::load_outcome> to(my_core(), outcome);
                        const memory::global_address<const graph_request> asked(my_core(), &request);
                        loops::on_all_cores([parts, keep, to, asked] {
                          const bool first = my_core() == 0;
                          detail::load_here(first ? asked.local() : nullptr, parts, keep, Order,
                                            first ? to.local() : nullptr);
                        });
                      });
}

// [task at core 0; suspends] Loads the graph that the command line requests, by --graph or --generate and the
// flags beside them, as load_graph() does. A flag that has no effect on these forms is a usage failure.
template <vertex_orderer Order = nullptr>
result<loaded_graph> load_from_flags(const edge_forms& keep = {}) {
  const graph_request request = request_from_flags();
  if (status unused = check_use(request, keep); !unused.ok()) return unused;
  return load_graph<Order>(request, keep);
}

}  // namespace orujo::internal::graph
