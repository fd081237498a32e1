#include "framework/graph/load.hpp"

#include <gflags/gflags.h>
#include <glog/logging.h>

#include <charconv>
#include <chrono>
#include <optional>

#include "framework/graph/segments.hpp"
#include "system/base/flags.hpp"
#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"

DEFINE_string(
    graph, "",
    "file to read: edges as text (SNAP .txt, .el, .wel, commas too), Matrix Market, DIMACS, METIS, "
    "Ligra's adjacency graphs, the GAP suite's .sg and .wsg, or Graph500's packed edges; text may be "
    "compressed by gzip or zstd");
static const std::string format_choices = "auto, " + std::string(orujo::formats::format_list);
static const std::string format_help =
    "of --graph: " + format_choices +
    "; auto: by its content, metis (.graph, .metis) and graph500 (.g500, .packed) by its name";
DEFINE_string(format, "auto", format_help.c_str());
DEFINE_int32(
    graph500_scale, -1,
    "the vertices of a graph500 file are 0 to 2 to the power of this, less 1, others are errors; -1: "
    "those that occur");
static const std::string generate_help =
    "graph to make: " + std::string(orujo::generators::generator_specifications);
DEFINE_string(generate, "", generate_help.c_str());
DEFINE_bool(symmetrize, false, "make the graph undirected: add the reverse of every edge, each edge once");
DEFINE_bool(remove_self_loops, false, "drop edges from a vertex to itself");
DEFINE_bool(remove_duplicates, false, "of parallel edges keep one, the lightest; --symmetrize implies it");
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

// 0 for auto; none if the flag is neither that nor a number.
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
const flag_rule graph500_scale_rule(
    "graph500_scale", [] { return FLAGS_graph500_scale >= -1 && FLAGS_graph500_scale <= 40; },
    "from -1 to 40");
const flag_rule segments_rule(
    "segments", [] { return chosen_segments().has_value(); }, "auto, or a number from 1 to 65536");
const flag_rule bundle_depth_rule(
    "bundle_depth", [] { return FLAGS_bundle_depth <= deepest_bundle; }, "from 0 to 255");

const flag_rule partition_rule(
    "partition", [] { return FLAGS_partition == "range" || FLAGS_partition == "hash"; }, "range or hash");
const flag_rule partition_alpha_rule(
    "partition_alpha", [] { return FLAGS_partition_alpha <= 1'000'000; }, "from 0 to 1000000");

void warn_of_header(const formats::text_totals& totals, const std::string& file, std::uint64_t vertices) {
  for (const std::string& line : formats::check_header(totals, file, vertices)) LOG(WARNING) << line;
}

}  // namespace

result<load_request> load_request_from_flags() {
  if (FLAGS_graph.empty() == FLAGS_generate.empty()) {
    return status(exit_status::usage, FLAGS_graph.empty()
                                          ? "no graph: give --graph=FILE or --generate=kronecker:18"
                                          : "--graph and --generate exclude each other: give one");
  }
  load_request request;
  request.build = {FLAGS_remove_self_loops, FLAGS_symmetrize,
                   FLAGS_remove_duplicates, chosen_segments().value(),
                   FLAGS_bundle_depth,      {FLAGS_partition == "hash", FLAGS_partition_alpha}};
  if (!FLAGS_graph.empty()) {
    request.source = {FLAGS_graph, {}, FLAGS_graph, formats::find_format(FLAGS_format)};
    if (FLAGS_graph500_scale >= 0) request.source.scale = static_cast<unsigned>(FLAGS_graph500_scale);
    return request;
  }
  auto spec = generators::parse_generator(FLAGS_generate);
  if (!spec.ok()) return spec.status();
  request.source = {"", spec.value(), FLAGS_generate, {}};
  return request;
}

const std::string& partition_name() { return FLAGS_partition; }

result<loaded_graph> load_from_flags(const edge_forms& keep) {
  if (auto request = load_request_from_flags(); !request.ok()) return request.status();
  const auto start = std::chrono::steady_clock::now();
  const auto parts = memory::symmetric<std::shared_ptr<locale_graph>>::reserve();
  observe::progress_line progress;
  progress.show("loading " + (FLAGS_graph.empty() ? FLAGS_generate : FLAGS_graph));
  struct {
    status failure;
    std::optional<formats::file_format> format;
  } outcome;
  loops::on_all_cores([parts, keep, to = &outcome] {
    load_request request = load_request_from_flags().value();
    request.build.keep = keep;
    const auto loaded = [&]() -> result<std::shared_ptr<locale_graph>> {
      result<input_edges> input = read_input(request.source);
      if (!input.ok()) return input.status();
      const std::optional<formats::text_totals> totals = input.value().file_totals;
      if (my_core() == 0) to->format = input.value().format;
      auto built = build(std::move(input.value()), request.build);
      if (my_core() == 0 && built.ok() && totals)
        warn_of_header(*totals, request.source.file, built.value()->vertices);
      return built;
    }();
    if (my_core() == 0) to->failure = loaded.status();
    if (loaded.ok()) parts.emplace_here(loaded.value());
  });
  if (!outcome.failure.ok()) return outcome.failure;
  const locale_graph& g = *parts.here();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return loaded_graph{distributed_graph(parts),
                      g.vertices,
                      g.edges,
                      seconds,
                      FLAGS_graph.empty() ? FLAGS_generate : FLAGS_graph,
                      outcome.format ? std::string(formats::name_of(*outcome.format)) : "generated"};
}

}  // namespace orujo::graph
