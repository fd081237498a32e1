#include "framework/graph/build/load.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "framework/formats/rounded_weight.hpp"
#include "framework/graph/build/build.hpp"
#include "framework/graph/build/gap_rows.hpp"
#include "framework/graph/build/given_rows.hpp"
#include "framework/graph/store/orj/load.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::graph {
namespace {

// Says at core 0 what contradicts the data, and that a weight was rounded; with --strict that is an error.
status check_counts(const input_edges& input, const load_request& request, const locale_graph& g) {
  if (my_core() != 0) return {};
  if (input.file_totals && input.file_totals->says_undirected && !g.both_ways)
    LOG(WARNING) << request.source.file
                 << ": its header says that the graph is undirected; pass --symmetrize, unless the file has "
                    "each edge in both directions";
  const auto of_data = request.changes.largest_component ? std::nullopt : std::optional(g.vertices);
  std::vector<std::string> doubtful;
  if (input.file_totals) doubtful = formats::check_header(*input.file_totals, request.source.file, of_data);
  if (input.mine.rounded_weight > 0)
    doubtful.push_back(formats::describe_rounded(request.source.file, input.mine.rounded_weight));
  for (const std::string& line : doubtful) {
    if (request.strict) return {exit_status::bad_data, line + "; --nostrict makes it a warning"};
    LOG(WARNING) << line;
  }
  return {};
}

// The input that all cores have read.
struct read_edges {
  std::uint64_t count, rounded_weight;
  read_edges operator+(const read_edges& b) const {
    return {count + b.count, std::max(rounded_weight, b.rounded_weight)};
  }
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void note_direct(const load_request& request, formats::file_format format, const locale_graph& g,
                 double seconds, detail::load_outcome* outcome) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(request.source.file, error);
  *outcome = {{}, std::string(formats::name_of(format)), seconds, g.edges, error ? 0 : bytes};
}

// [task; suspends; collective over the job] Core 0 writes *outcome, but for its failure.
result<std::shared_ptr<locale_graph>> load_part(const load_request& request, detail::load_outcome* outcome) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<observe::trace_scope> traced(std::in_place, "reading");
  if (!request.changes.any()) {
    auto format = formats::file_format::orj;
    auto direct = load_orj(request.source, request.build);
    if (direct.ok() && !direct.value()) {
      format = formats::file_format::gap;
      direct = load_gap_rows(request.source, request.build);
    }
    if (!direct.ok()) return direct;
    if (direct.value()) {
      if (const status misplaced = check_asked(request.source, format); !misplaced.ok()) return misplaced;
      if (my_core() == 0) note_direct(request, format, *direct.value(), seconds_since(start), outcome);
      return direct;
    }
  }
  input_source source = request.source;
  source.wants_rows = !request.changes.any() && may_be_given({.vertices = 1}, request.build);
  result<input_edges> read = read_input(source);
  if (!read.ok()) return read.status();
  input_edges& input = read.value();
  const auto [edges, rounded_weight] =
      collectives::all_reduce(read_edges{input.count(), input.mine.rounded_weight});
  if (my_core() == 0) {
    if (input.format) outcome->format = formats::name_of(*input.format);
    outcome->read_edges = edges;
    outcome->file_bytes = input.file_bytes;
    outcome->path = input.path;
    outcome->read_seconds = seconds_since(start);
  }
  traced.emplace("building");
  std::optional<observe::progress_line> progress;  // of building; reading has its own
  if (my_core() == 0) progress.emplace("building the graph of " + request.source.name);
  change_input(input, request.changes);
  input_edges known;  // what is said of the edges, which build() takes
  known.file_totals = input.file_totals;
  known.mine.rounded_weight = rounded_weight;
  auto built = build(std::move(input), request.build);
  if (!built.ok()) return built;
  const status checked = check_counts(known, request, *built.value());
  if (status failure = collectives::first_failure(checked); !failure.ok()) return failure;
  return built;
}

}  // namespace

void detail::load_here(const graph_request* asked, graph_parts parts, const edge_forms& keep,
                       vertex_orderer order, load_outcome* to) {
  load_request request = resolve(collectives::broadcast(asked ? *asked : graph_request(), 0)).value();
  request.build.keep = forms_on(request.build.partition.placement, keep);
  if (!keep.weights) {
    if (request.source.generator && request.source.generator->weighted) tell_ignored_weights(request.source);
    ignore_weights(request.source);
  }
  request.source.non_negative_weights = keep.non_negative_weights;
  request.build.order = order;
  const auto loaded = load_part(request, to);
  if (my_core() == 0) to->failure = loaded.status();
  if (loaded.ok()) parts.emplace_here(loaded.value());
}

result<loaded_graph> detail::load(const std::string& source,
                                  const std::function<void(graph_parts, load_outcome*)>& on_all_cores) {
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
                      outcome.path.empty() ? source : outcome.path,
                      outcome.format,
                      g.order};
}

}  // namespace orujo::internal::graph
