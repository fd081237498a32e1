// The graph that the command line asks for: --graph or --generate, --symmetrize and the like.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input_changes.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/loops/forall.hpp"

namespace orujo::graph {

struct load_request {
  input_source source;
  input_changes changes;
  bool strict = false;  // a header that contradicts the data is an error
  build_options build;
};

// A usage error unless exactly one of --graph and --generate is given.
result<load_request> load_request_from_flags();

// As --ignore_weights does.
void ignore_weights(input_source& source);

// "range" or "hash": --partition.
const std::string& partition_name();

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

using graph_parts = memory::symmetric<std::shared_ptr<locale_graph>>;

// What loading came to, as core 0 sees it.
struct load_outcome {
  status failure;
  std::optional<formats::file_format> format;
  double read_seconds = 0;
  std::uint64_t read_edges = 0, file_bytes = 0;
};

// [task; suspends; collective over the job] A core's share of the loading. Core 0 fills in *to.
void load_here(graph_parts parts, const edge_forms& keep, vertex_orderer order, load_outcome* to);

// [task; suspends] What comes before and after load_here(), which on_all_cores calls at every core.
result<loaded_graph> load(const std::function<void(graph_parts, load_outcome*)>& on_all_cores);

}  // namespace detail

// [task; suspends] Reads or generates, and builds, on all cores. The flags are the same at every locale. The
// vertices are in the order that Order finds, if it is given.
template <vertex_orderer Order = nullptr>
result<loaded_graph> load_from_flags(const edge_forms& keep = {}) {
  return detail::load([keep](detail::graph_parts parts, detail::load_outcome* outcome) {
    const memory::global_address<detail::load_outcome> to(my_core(), outcome);
    loops::on_all_cores([parts, keep, to] { detail::load_here(parts, keep, Order, to.local()); });
  });
}

}  // namespace orujo::graph
