// Apart from request.cpp, so that programs without graphs do not have these flags.
#include <gflags/gflags.h>

#include <array>
#include <utility>

#include "framework/formats/graph_files.hpp"
#include "framework/formats/sample_graphs.hpp"
#include "framework/graph/build/request.hpp"
#include "framework/graph/build/segments.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"

static const std::string graph_help =
    "file to read: edges as text (SNAP .txt, .el, .wel), tables (.csv, .tsv, KONECT), Matrix Market, DIMACS, "
    "METIS, Ligra's adjacency graphs, the GAP suite's .sg and .wsg, Graph500's packed edges, or our own "
    ".orj; text may be compressed by gzip, zstd, bzip2 or xz, or be the one graph in a zip or tar; or the "
    "name of a sample that comes with Orujo: " +
    std::string(orujo::internal::formats::sample_names);
DEFINE_string(graph, "", graph_help.c_str());
static const std::string format_help = "format of --graph: auto, " +
                                       std::string(orujo::internal::formats::format_list) +
                                       "; auto: from its name, or else its content";
DEFINE_string(format, "auto", format_help.c_str());
DEFINE_bool(names, false,
            "read vertices of an edge list or a table as names, not as ids: any texts without control "
            "characters, and in an edge list without blanks and commas");
DEFINE_string(header, "auto",
              "header of a table, the names of its columns in the first row: yes, no, or auto (detected)");
DEFINE_string(separator, "auto",
              "separator of a table's columns: auto, comma, tab, semicolon, pipe, colons (::) or blanks");
DEFINE_string(source_column, "", "column of a table with the sources: name, or number from 1 on");
DEFINE_string(target_column, "", "column of a table with the targets: name, or number from 1 on");
DEFINE_string(weight_column, "",
              "column of a table with the weights: name, or number from 1 on; attribute of edges in GraphML "
              "and similar formats");
DEFINE_string(time_column, "",
              "column of a table with the times, which are no weights: name, or number from 1 on");
DEFINE_bool(bipartite, false,
            "read targets of a table, an edge list or a matrix as other vertices than its sources, even with "
            "equal ids: target k gets the id S + k, S being the largest id of a source; not given: detected");
DEFINE_int32(graph500_scale, -1,
             "base-2 logarithm of the number of vertices of a graph500 file, whose larger ids are errors; "
             "-1: only vertices that occur in the file");
static const std::string generate_help =
    "graph to generate: " + std::string(orujo::internal::generators::generator_specifications);
DEFINE_string(generate, "", generate_help.c_str());
DEFINE_bool(symmetrize, false,
            "make the graph undirected: add the reverse of every edge, then keep each edge once");
DEFINE_bool(remove_self_loops, false, "drop edges from a vertex to itself");
DEFINE_bool(remove_duplicates, false, "keep one of parallel edges; --symmetrize implies it");
DEFINE_string(keep_weight, "lightest",
              "weight of the edge that is kept of parallel ones: lightest, heaviest, or sum of all");
DEFINE_bool(ignore_weights, false, "load edges without weights; a weight column is not read");
DEFINE_bool(transpose, false, "reverse every edge, before all other changes");
DEFINE_bool(
    largest_component, false,
    "keep only the largest weakly connected component; of equally large ones, that with the smallest id");
DEFINE_bool(
    strict, false,
    "treat a header that contradicts the data, or an ambiguous first line, as an error, not as a warning");
DEFINE_string(partition, "range",
              "assignment of vertices to locales: range (consecutive ids) or hash (random)");
DEFINE_uint64(partition_alpha, orujo::internal::graph::partition_options{}.alpha,
              "cost of a vertex in in-edges, for the balance between cores");
DEFINE_string(placement, "auto",
              "locale that keeps an edge: by_target (the owner of its target), or grid (in the row of the "
              "target's owner and the column of the source's, in a grid of locales), for programs that pull "
              "along vectors of edges; auto: grid where fewer values travel then");
DEFINE_string(segments, "auto",
              "number of ranges of sources whose edges are processed in turn, so that their values stay in "
              "the cache; auto: chosen for this machine");
DEFINE_uint32(
    bundle_depth, orujo::internal::graph::default_bundle_depth,
    "maximum number of edges from a segment at which vertices are processed eight at a time; 0: never");

static const orujo::internal::base::everyday_flags everyday{
    "graph",         "format",        "names",    "header",     "separator",     "source_column",
    "target_column", "weight_column", "generate", "symmetrize", "ignore_weights"};
static const orujo::internal::base::switch_texts switches{"header"};
static const orujo::internal::base::flag_alias input("input", "graph"),
    undirected("undirected", "symmetrize"), weight("weight", "weight_column"),
    directed("directed", "symmetrize", orujo::internal::base::flag_alias::opposite);

namespace orujo::internal::graph {
namespace {

const files::file_flag read_graph("graph", files::file_flag::read, [](const std::string& path) {
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
const flag_rule header_rule(
    "header", [] { return FLAGS_header == "auto" || FLAGS_header == "yes" || FLAGS_header == "no"; },
    "auto, yes or no");
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
  if (FLAGS_header != "auto") r.header = FLAGS_header == "yes";
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
  r.placement = FLAGS_placement;
  r.segments = FLAGS_segments;
  r.bundle_depth = FLAGS_bundle_depth;
  return r;
}

result<load_request> load_request_from_flags() { return resolve(request_from_flags()); }

const std::string& partition_name() { return FLAGS_partition; }

}  // namespace orujo::internal::graph
