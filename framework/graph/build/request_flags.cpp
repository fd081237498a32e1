// Apart from request.cpp, so that programs without graphs do not have these flags.
#include <gflags/gflags.h>

#include <array>
#include <utility>

#include "framework/formats/graph_files.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/build/segments.hpp"
#include "system/base/file_flags.hpp"
#include "system/base/flags.hpp"

DEFINE_string(graph, "",
              "file to read: edges as text (SNAP .txt, .el, .wel), tables (.csv, .tsv, KONECT), Matrix "
              "Market, DIMACS, METIS, "
              "Ligra's adjacency graphs, the GAP suite's .sg and .wsg, Graph500's packed edges, or our own "
              ".orj; text may "
              "be compressed by gzip, zstd, bzip2 or xz, or be the one graph in a zip or tar");
static const std::string format_help = "of --graph: auto, " + std::string(orujo::formats::format_list) +
                                       "; auto: by its name, or else by its content";
DEFINE_string(format, "auto", format_help.c_str());
DEFINE_bool(names, false,
            "vertices of an edge list or a table are names: any texts without control characters, and in an "
            "edge list "
            "without blanks and commas");
DEFINE_bool(
    header, false,
    "a table's first row has the names of its columns, with --noheader it has not; else it is found out");
DEFINE_string(
    separator, "auto",
    "what is between the columns of a table: auto, comma, tab, semicolon, pipe, colons (::) or blanks");
DEFINE_string(source_column, "", "of a table: name or number, from 1 on, of the column of sources");
DEFINE_string(target_column, "", "of a table: that of targets");
DEFINE_string(weight_column, "",
              "of a table: that of weights; of GraphML and the like: the attribute of edges");
DEFINE_string(time_column, "", "of a table: that of times, which are no weights");
DEFINE_bool(
    bipartite, false,
    "targets of a table, a list of edges or a matrix are other vertices than its sources, though they "
    "may have the same ids: target k gets the id S + k, S being the largest of a source; else it is "
    "found out");
DEFINE_int32(
    graph500_scale, -1,
    "the vertices of a graph500 file are 0 to 2 to the power of this, less 1, others are errors; -1: "
    "those that occur");
static const std::string generate_help =
    "graph to make: " + std::string(orujo::generators::generator_specifications);
DEFINE_string(generate, "", generate_help.c_str());
DEFINE_bool(symmetrize, false, "make the graph undirected: add the reverse of every edge, each edge once");
DEFINE_bool(remove_self_loops, false, "drop edges from a vertex to itself");
DEFINE_bool(remove_duplicates, false, "of parallel edges keep one; --symmetrize implies it");
DEFINE_string(keep_weight, "lightest",
              "weight of the one that stays of parallel edges: lightest, heaviest, or sum of all");
DEFINE_bool(ignore_weights, false, "edges have no weights: a column of them is not looked at");
DEFINE_bool(transpose, false, "reverse every edge, before anything else");
DEFINE_bool(
    largest_component, false,
    "keep only the vertices of the largest weakly connected component, of several that with the smallest id");
DEFINE_bool(strict, false,
            "a file whose header contradicts its data, or whose first line may be meant otherwise, is an "
            "error, not a warning");
DEFINE_string(
    partition, "range",
    "which vertices a locale gets: range, consecutive ones in the order of the ids, or hash, random ones");
DEFINE_uint64(partition_alpha, orujo::graph::partition_options{}.alpha,
              "how many in-edges a vertex costs, for the balance between cores");
DEFINE_string(segments, "auto",
              "ranges of sources whose edges are processed in turn, so that their values stay in the cache: "
              "auto, or a number");
DEFINE_uint32(bundle_depth, orujo::graph::default_bundle_depth,
              "vertices with at most so many edges from a segment are processed eight at a time; 0: none");

static const orujo::base::everyday_flags everyday{"graph",    "format",     "names",         "weight_column",
                                                  "generate", "symmetrize", "ignore_weights"};

namespace orujo::graph {
namespace {

const base::file_flag read_graph("graph", base::file_flag::read, [](const std::string& path) {
  return formats::files_of_graph(path, formats::find_format(FLAGS_format));
});

// In the order of member_rules().
template <std::size_t K>
bool flag_holds() {
  return detail::member_rules()[K].holds(request_from_flags());
}
template <std::size_t... K>
std::array<flag_rule, sizeof...(K)> rules_of_flags(std::index_sequence<K...>) {
  const auto rules = detail::member_rules();
  return {flag_rule(rules[K].name, &flag_holds<K>, rules[K].expected)...};
}
const auto flag_rules = rules_of_flags(std::make_index_sequence<detail::member_rule_count>());

bool is_given(const char* flag) {
  gflags::CommandLineFlagInfo about;
  return gflags::GetCommandLineFlagInfo(flag, &about) && !about.is_default;
}

}  // namespace

graph_request request_from_flags() {
  graph_request r;
  r.graph = FLAGS_graph;
  r.generate = FLAGS_generate;
  r.format = FLAGS_format;
  r.names = FLAGS_names;
  if (is_given("header")) r.header = FLAGS_header;
  r.separator = FLAGS_separator;
  r.source_column = FLAGS_source_column;
  r.target_column = FLAGS_target_column;
  r.weight_column = FLAGS_weight_column;
  r.time_column = FLAGS_time_column;
  if (is_given("bipartite")) r.bipartite = FLAGS_bipartite;
  r.graph500_scale = FLAGS_graph500_scale;
  r.strict = FLAGS_strict;
  r.ignore_weights = FLAGS_ignore_weights;
  r.tells_of_weights = true;
  r.transpose = FLAGS_transpose;
  r.largest_component = FLAGS_largest_component;
  r.symmetrize = FLAGS_symmetrize;
  r.remove_self_loops = FLAGS_remove_self_loops;
  r.remove_duplicates = FLAGS_remove_duplicates;
  r.keep_weight = FLAGS_keep_weight;
  r.partition = FLAGS_partition;
  r.partition_chosen = is_given("partition");
  r.partition_alpha = FLAGS_partition_alpha;
  r.segments = FLAGS_segments;
  r.bundle_depth = FLAGS_bundle_depth;
  return r;
}

result<load_request> load_request_from_flags() { return resolve(request_from_flags()); }

const std::string& partition_name() { return FLAGS_partition; }

}  // namespace orujo::graph
