#include "framework/graph/build/load.hpp"

#include <gflags/gflags.h>
#include <glog/logging.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "framework/graph/build/build.hpp"
#include "framework/graph/build/segments.hpp"
#include "framework/graph/store/orj/load.hpp"
#include "system/base/flags.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"

DEFINE_string(graph, "",
              "file to read: edges as text (SNAP .txt, .el, .wel), tables (.csv, .tsv, KONECT), Matrix "
              "Market, DIMACS, METIS, "
              "Ligra's adjacency graphs, the GAP suite's .sg and .wsg, Graph500's packed edges, or our own "
              ".orj; text may "
              "be compressed by gzip or zstd");
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
DEFINE_string(weight_column, "", "of a table: that of weights");
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

// 0 for `auto`; nothing where the flag is neither `auto` nor a number.
std::optional<std::size_t> chosen_segments() {
  if (FLAGS_segments == "auto") return 0;
  std::size_t number = 0;
  const char* const end = FLAGS_segments.data() + FLAGS_segments.size();
  const auto [past, error] = std::from_chars(FLAGS_segments.data(), end, number);
  if (error != std::errc() || past != end || number < 1 || number > most_segments) return {};
  return number;
}

const flag_rule format_rule(
    "format", [] { return FLAGS_format == "auto" || formats::find_format(FLAGS_format).has_value(); },
    format_choices.c_str());
std::optional<char> chosen_separator() {
  constexpr std::pair<std::string_view, char> names[] = {{"auto", '\0'},     {"comma", ','}, {"tab", '\t'},
                                                         {"semicolon", ';'}, {"pipe", '|'},  {"blanks", ' '}};
  const auto found = std::ranges::find(names, FLAGS_separator, &std::pair<std::string_view, char>::first);
  if (found == std::end(names)) return {};
  return found->second;
}
const flag_rule separator_rule(
    "separator", [] { return chosen_separator().has_value(); },
    "auto, comma, tab, semicolon, pipe or blanks");
const flag_rule graph500_scale_rule(
    "graph500_scale", [] { return FLAGS_graph500_scale >= -1 && FLAGS_graph500_scale <= 40; },
    "from -1 to 40");
const flag_rule segments_rule(
    "segments", [] { return chosen_segments().has_value(); }, "auto, or a number from 1 to 65536");
const flag_rule bundle_depth_rule(
    "bundle_depth", [] { return FLAGS_bundle_depth <= deepest_bundle; }, "from 0 to 255");

std::optional<kept_weight> chosen_weight() {
  constexpr std::string_view names[] = {"lightest", "heaviest", "sum"};
  const auto found = std::ranges::find(names, FLAGS_keep_weight);
  if (found == std::end(names)) return {};
  return static_cast<kept_weight>(found - std::begin(names));
}
const flag_rule keep_weight_rule(
    "keep_weight", [] { return chosen_weight().has_value(); }, "lightest, heaviest or sum");

const flag_rule partition_rule(
    "partition", [] { return FLAGS_partition == "range" || FLAGS_partition == "hash"; }, "range or hash");
const flag_rule partition_alpha_rule(
    "partition_alpha", [] { return FLAGS_partition_alpha <= 1'000'000; }, "from 0 to 1000000");

bool is_given(const char* flag) {
  gflags::CommandLineFlagInfo about;
  return gflags::GetCommandLineFlagInfo(flag, &about) && !about.is_default;
}

formats::table_request table_from_flags() {
  formats::table_request table{{},
                               chosen_separator().value(),
                               FLAGS_source_column,
                               FLAGS_target_column,
                               FLAGS_weight_column,
                               FLAGS_time_column};
  if (is_given("header")) table.header = FLAGS_header;
  return table;
}

// Says at core 0 what contradicts the data; with --strict that is an error.
status check_counts(const input_edges& input, const load_request& request, std::uint64_t vertices) {
  if (!input.file_totals || my_core() != 0) return {};
  const auto of_data = request.changes.largest_component ? std::nullopt : std::optional(vertices);
  for (const std::string& line : formats::check_header(*input.file_totals, request.source.file, of_data)) {
    if (request.strict) return {exit_status::bad_data, line + "; --nostrict makes it a warning"};
    LOG(WARNING) << line;
  }
  return {};
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void note_direct(const load_request& request, const locale_graph& g, double seconds,
                 detail::load_outcome* outcome) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(request.source.file, error);
  *outcome = {{}, formats::file_format::orj, seconds, g.edges, error ? 0 : bytes};
}

// [task; suspends; collective over the job] Core 0 writes *outcome, but for its failure.
result<std::shared_ptr<locale_graph>> load_part(const load_request& request, detail::load_outcome* outcome) {
  const auto start = std::chrono::steady_clock::now();
  if (!request.changes.any()) {
    auto direct = load_orj(request.source, request.build);
    if (!direct.ok()) return direct;
    if (direct.value()) {
      if (my_core() == 0) note_direct(request, *direct.value(), seconds_since(start), outcome);
      return direct;
    }
  }
  result<input_edges> read = read_input(request.source);
  if (!read.ok()) return read.status();
  input_edges& input = read.value();
  const std::uint64_t mine =
      input.generated ? input.generated->last - input.generated->first : input.mine.edges.size();
  const std::uint64_t edges = loops::all_reduce(mine);
  if (my_core() == 0) {
    outcome->format = input.format;
    outcome->read_edges = edges;
    outcome->file_bytes = input.file_bytes;
    outcome->read_seconds = seconds_since(start);
  }
  std::optional<observe::progress_line> progress;  // of building; reading has its own
  if (my_core() == 0) progress.emplace().show("building the graph of " + request.source.name);
  change_input(input, request.changes);
  input_edges known;  // what is said of the edges, which build() takes
  known.file_totals = input.file_totals;
  auto built = build(std::move(input), request.build);
  if (!built.ok()) return built;
  const status checked = check_counts(known, request, built.value()->vertices);
  if (status failure = loops::first_failure(checked); !failure.ok()) return failure;
  return built;
}

}  // namespace

result<load_request> load_request_from_flags() {
  if (FLAGS_graph.empty() == FLAGS_generate.empty()) {
    return status(exit_status::usage, FLAGS_graph.empty()
                                          ? "no graph: give --graph=FILE or --generate=kronecker:18"
                                          : "--graph and --generate exclude each other: give one");
  }
  load_request request;
  request.changes = {FLAGS_transpose, FLAGS_largest_component};
  request.strict = FLAGS_strict;
  request.build.remove_self_loops = FLAGS_remove_self_loops;
  request.build.symmetrize = FLAGS_symmetrize;
  request.build.remove_duplicates = FLAGS_remove_duplicates;
  request.build.keep_weight = chosen_weight().value();
  request.build.segments = chosen_segments().value();
  request.build.bundle_depth = FLAGS_bundle_depth;
  request.build.partition = {FLAGS_partition == "hash", FLAGS_partition_alpha, !is_given("partition")};
  if (!FLAGS_graph.empty()) {
    request.source = {FLAGS_graph, {}, FLAGS_graph, formats::find_format(FLAGS_format)};
    request.source.named = FLAGS_names;
    request.source.ignores_weights = FLAGS_ignore_weights;
    request.source.table = table_from_flags();
    if (request.source.table.any() && request.source.format &&
        request.source.format != formats::file_format::csv)
      return status(exit_status::usage,
                    "--header, --separator and --source_column and the like are for tables: "
                    "leave them away, or give --format=csv");
    if (FLAGS_graph500_scale >= 0) request.source.scale = static_cast<unsigned>(FLAGS_graph500_scale);
    return request;
  }
  if (FLAGS_names) return status(exit_status::usage, "--names: vertices of generated graphs have none");
  auto spec = generators::parse_generator(FLAGS_generate);
  if (!spec.ok()) return spec.status();
  request.source = {"", spec.value(), FLAGS_generate, {}};
  if (FLAGS_ignore_weights) ignore_weights(request.source);
  return request;
}

const std::string& partition_name() { return FLAGS_partition; }

void ignore_weights(input_source& source) {
  source.ignores_weights = true;
  if (source.generator) source.generator->weighted = false;
}

void detail::load_here(graph_parts parts, const edge_forms& keep, vertex_orderer order, load_outcome* to) {
  load_request request = load_request_from_flags().value();
  request.build.keep = keep;
  if (!keep.weights) ignore_weights(request.source);
  request.source.non_negative_weights = keep.non_negative_weights;
  request.build.order = order;
  const auto loaded = load_part(request, to);
  if (my_core() == 0) to->failure = loaded.status();
  if (loaded.ok()) parts.emplace_here(loaded.value());
}

result<loaded_graph> detail::load(const std::function<void(graph_parts, load_outcome*)>& on_all_cores) {
  if (auto request = load_request_from_flags(); !request.ok()) return request.status();
  const auto start = std::chrono::steady_clock::now();
  const auto parts = graph_parts::reserve();
  load_outcome outcome;
  on_all_cores(parts, &outcome);
  if (!outcome.failure.ok()) return outcome.failure;
  const locale_graph& g = *parts.here();
  return loaded_graph{distributed_graph(parts),
                      g.vertices,
                      g.edges,
                      seconds_since(start),
                      outcome.read_seconds,
                      outcome.read_edges,
                      outcome.file_bytes,
                      FLAGS_graph.empty() ? FLAGS_generate : FLAGS_graph,
                      outcome.format ? std::string(formats::name_of(*outcome.format)) : "generated",
                      g.order};
}

}  // namespace orujo::graph
