// The graph that a program or the command line requests: --graph or --generate, --symmetrize and the
// like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input_changes.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// The request that --graph, --generate and the flags beside them make on the command line. A member has the
// meaning of the flag of its name, which `bin/orujo run APPLICATION --help` explains.
struct graph_request {
  std::string graph = {}, generate = {};  // exactly one of the two
  // Options of a file.
  std::string format = "auto";
  bool names = false;
  std::optional<bool> header = {};  // found out without it
  std::string separator = "auto", source_column = {}, target_column = {}, weight_column = {},
              time_column = {};
  std::optional<bool> bipartite = {};  // found out without it
  int graph500_scale = -1;
  bool strict = false;
  bool ignore_weights = false;
  bool tells_of_weights = false;  // logs that the program ignores those that are there
  // Changes of its edges.
  bool transpose = false, largest_component = false;
  bool symmetrize = false, remove_self_loops = false, remove_duplicates = false;
  std::string keep_weight = "lightest";
  // Options of its partition and of the encoding.
  std::string partition = "range";
  bool partition_chosen = false;  // else a file that has another keeps it
  std::uint64_t partition_alpha = partition_options{}.alpha;
  std::string placement = "auto";
  std::string segments = "auto";
  std::uint32_t bundle_depth = default_bundle_depth;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(graph, generate, format, names, header, separator, source_column, target_column, weight_column,
            time_column, bipartite, graph500_scale, strict, ignore_weights, tells_of_weights, transpose,
            largest_component, symmetrize, remove_self_loops, remove_duplicates, keep_weight, partition,
            partition_chosen, partition_alpha, placement, segments, bundle_depth);
  }
};

// The request of the flags.
graph_request request_from_flags();

struct load_request {
  input_source source;
  input_changes changes;
  bool strict = false;  // a header that contradicts the data is an error
  build_options build;
};

// A usage error unless exactly one of `graph` and `generate` is given, and all are as their flags have to be.
result<load_request> resolve(const graph_request& request);
result<load_request> load_request_from_flags();

// A usage error if a request has options of weights or vectors of edges, and the program requests a graph
// in `keep` without them, or if it places edges on a grid, and the program goes from vertex to vertex.
status check_use(const graph_request& request, const edge_forms& keep);

namespace detail {
// The condition on a member, and so on the flag of its name.
struct member_rule {
  const char* name;
  bool (*holds)(const graph_request&);
  const char* expected;
};
inline constexpr std::size_t member_rule_count = 9;
std::span<const member_rule> member_rules();
}  // namespace detail

// The forms that a graph of this placement keeps for a program that requests `keep`. On a grid these are no
// rows of out-edges: programs that could push pull.
edge_forms forms_on(edge_placement placement, const edge_forms& keep);

// As --ignore_weights does.
void ignore_weights(input_source& source);

// "range" or "hash": --partition.
const std::string& partition_name();

}  // namespace orujo::internal::graph
