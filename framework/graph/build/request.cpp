#include "framework/graph/build/request.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "framework/graph/build/segments.hpp"
#include "system/base/flags.hpp"

DEFINE_string(graph, "",
              "file to read: edges as text (SNAP .txt, .el, .wel), tables (.csv, .tsv, KONECT), Matrix "
              "Market, DIMACS, METIS, "
              "Ligra's adjacency graphs, the GAP suite's .sg and .wsg, Graph500's packed edges, or our own "
              ".orj; text may "
              "be compressed by gzip, zstd, bzip2 or xz, or be the one graph in a zip or tar");
static const std::string format_choices = "auto, " + std::string(orujo::formats::format_list);
static const std::string format_help =
    "of --graph: " + format_choices + "; auto: by its name, or else by its content";
DEFINE_string(format, "auto", format_help.c_str());
DEFINE_bool(names, false,
            "vertices of an edge list or a table are names: any texts without control characters, and in an "
            "edge list "
            "without blanks and commas");
DEFINE_bool(
    header, false,
    "a table's first row has the names of its columns, with --noheader it has not; else it is found out");
DEFINE_string(separator, "auto",
              "what is between the columns of a table: auto, comma, tab, semicolon, pipe or blanks");
DEFINE_string(source_column, "", "of a table: name or number, from 1 on, of the column of sources");
DEFINE_string(target_column, "", "of a table: that of targets");
DEFINE_string(weight_column, "",
              "of a table: that of weights; of GraphML and the like: the attribute of edges");
DEFINE_string(time_column, "", "of a table: that of times, which are no weights");
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
DEFINE_bool(strict, false, "a header of an edge list that contradicts the data is an error, not a warning");
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

namespace orujo::graph {
namespace {

// 0 for `auto`; nothing where it is neither `auto` nor a number.
std::optional<std::size_t> find_segments(const std::string& text) {
  if (text == "auto") return 0;
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [past, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || past != end || number < 1 || number > most_segments) return {};
  return number;
}

std::optional<char> find_separator(const std::string& name) {
  constexpr std::pair<std::string_view, char> names[] = {{"auto", '\0'},     {"comma", ','}, {"tab", '\t'},
                                                         {"semicolon", ';'}, {"pipe", '|'},  {"blanks", ' '}};
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, char>::first);
  if (found == std::end(names)) return {};
  return found->second;
}

std::optional<kept_weight> find_weight(const std::string& name) {
  constexpr std::string_view names[] = {"lightest", "heaviest", "sum"};
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) return {};
  return static_cast<kept_weight>(found - std::begin(names));
}

// What has to hold of a member, and so of the flag of its name.
struct member_rule {
  const char* name;
  bool (*holds)(const graph_request&);
  const char* expected;
};

const member_rule rules[] = {
    {"format", [](const graph_request& r) { return r.format == "auto" || formats::find_format(r.format); },
     format_choices.c_str()},
    {"separator", [](const graph_request& r) { return find_separator(r.separator).has_value(); },
     "auto, comma, tab, semicolon, pipe or blanks"},
    {"graph500_scale",
     [](const graph_request& r) { return r.graph500_scale >= -1 && r.graph500_scale <= 40; },
     "from -1 to 40"},
    {"keep_weight", [](const graph_request& r) { return find_weight(r.keep_weight).has_value(); },
     "lightest, heaviest or sum"},
    {"partition", [](const graph_request& r) { return r.partition == "range" || r.partition == "hash"; },
     "range or hash"},
    {"partition_alpha", [](const graph_request& r) { return r.partition_alpha <= 1'000'000; },
     "from 0 to 1000000"},
    {"segments", [](const graph_request& r) { return find_segments(r.segments).has_value(); },
     "auto, or a number from 1 to 65536"},
    {"bundle_depth", [](const graph_request& r) { return r.bundle_depth <= deepest_bundle; },
     "from 0 to 255"}};

template <std::size_t... K>
std::array<flag_rule, sizeof...(K)> rules_of_flags(std::index_sequence<K...>) {
  return {flag_rule(
      rules[K].name, [] { return rules[K].holds(request_from_flags()); }, rules[K].expected)...};
}
const auto flag_rules = rules_of_flags(std::make_index_sequence<std::size(rules)>());

bool is_given(const char* flag) {
  gflags::CommandLineFlagInfo about;
  return gflags::GetCommandLineFlagInfo(flag, &about) && !about.is_default;
}

result<input_source> resolve_file(const graph_request& request) {
  input_source source{request.graph, {}, request.graph, formats::find_format(request.format)};
  source.named = request.names;
  source.table = {request.header,        find_separator(request.separator).value(),
                  request.source_column, request.target_column,
                  request.weight_column, request.time_column};
  const bool takes_weights = source.format && formats::is_document(*source.format);
  const bool misplaced = takes_weights ? source.table.asks_for_columns() : source.table.any();
  if (misplaced && source.format && source.format != formats::file_format::csv)
    return status(exit_status::usage,
                  "--header, --separator and --source_column and the like are for tables: "
                  "leave them away, or give --format=csv");
  if (request.graph500_scale >= 0) source.scale = static_cast<unsigned>(request.graph500_scale);
  return source;
}

result<input_source> resolve_generated(const graph_request& request) {
  if (request.names) return status(exit_status::usage, "--names: vertices of generated graphs have none");
  auto spec = generators::parse_generator(request.generate);
  if (!spec.ok()) return spec.status();
  return input_source{"", spec.value(), request.generate, {}};
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
  r.graph500_scale = FLAGS_graph500_scale;
  r.strict = FLAGS_strict;
  r.ignore_weights = FLAGS_ignore_weights;
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

result<load_request> resolve(const graph_request& request) {
  if (request.graph.empty() == request.generate.empty()) {
    return status(exit_status::usage, request.graph.empty()
                                          ? "no graph: give --graph=FILE or --generate=kronecker:18"
                                          : "--graph and --generate exclude each other: give one");
  }
  for (const member_rule& rule : rules) {
    if (!rule.holds(request))
      return status(exit_status::usage, std::string("--") + rule.name + ": must be " + rule.expected);
  }
  auto source = request.graph.empty() ? resolve_generated(request) : resolve_file(request);
  if (!source.ok()) return source.status();
  load_request resolved;
  resolved.source = std::move(source).value();
  if (request.ignore_weights) ignore_weights(resolved.source);
  resolved.changes = {request.transpose, request.largest_component};
  resolved.strict = request.strict;
  build_options& build = resolved.build;
  build.remove_self_loops = request.remove_self_loops;
  build.symmetrize = request.symmetrize;
  build.remove_duplicates = request.remove_duplicates;
  build.keep_weight = find_weight(request.keep_weight).value();
  build.segments = find_segments(request.segments).value();
  build.bundle_depth = request.bundle_depth;
  build.partition = {request.partition == "hash", request.partition_alpha, !request.partition_chosen};
  return resolved;
}

result<load_request> load_request_from_flags() { return resolve(request_from_flags()); }

void ignore_weights(input_source& source) {
  source.ignores_weights = true;
  if (source.generator) source.generator->weighted = false;
}

const std::string& partition_name() { return FLAGS_partition; }

}  // namespace orujo::graph
