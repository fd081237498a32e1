#include "framework/graph/build/request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "framework/graph/build/segments.hpp"
#include "system/base/numbers.hpp"

namespace orujo::internal::graph {
namespace {

// 0 for `auto`; nothing where it is neither `auto` nor a number.
std::optional<std::size_t> find_segments(const std::string& text) {
  if (text == "auto") return 0;
  const auto number = base::number_of<std::size_t>(text);
  return number && *number >= 1 && *number <= most_segments ? number : std::nullopt;
}

std::optional<char> find_separator(const std::string& name) {
  constexpr std::pair<std::string_view, char> names[] = {{"auto", '\0'},     {"comma", ','}, {"tab", '\t'},
                                                         {"semicolon", ';'}, {"pipe", '|'},  {"colons", ':'},
                                                         {"blanks", ' '}};
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

std::optional<edge_placement> find_placement(const std::string& name) {
  constexpr std::string_view names[] = {"auto", "by_target", "grid"};
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) return {};
  return static_cast<edge_placement>(found - std::begin(names));
}

status no_effect(const char* flag, std::string_view why) {
  return {exit_status::usage, fmt::format("--{} has no effect: {}; remove it", flag, why)};
}

// The flags that a request contradicts by another.
status check_pairs(const graph_request& request) {
  if (request.ignore_weights && !request.weight_column.empty())
    return no_effect("weight_column", "--ignore_weights says that edges have no weights");
  if (request.transpose && request.symmetrize)
    return no_effect("transpose", "--symmetrize adds the reverse of every edge");
  if (request.keep_weight == graph_request().keep_weight) return {};
  if (request.ignore_weights)
    return no_effect("keep_weight", "--ignore_weights says that edges have no weights");
  if (!request.symmetrize && !request.remove_duplicates)
    return no_effect("keep_weight", "parallel edges stay without --symmetrize and --remove_duplicates");
  return {};
}

result<input_source> resolve_file(const graph_request& request) {
  input_source source{request.graph, {}, request.graph, formats::find_format(request.format)};
  source.named = request.names;
  source.table = {request.header,        find_separator(request.separator).value(),
                  request.source_column, request.target_column,
                  request.weight_column, request.time_column,
                  request.bipartite};
  const bool takes_weights = source.format && formats::is_document(*source.format);
  const bool misplaced = takes_weights ? source.table.asks_for_columns() : source.table.any();
  if (misplaced && source.format && source.format != formats::file_format::csv)
    return status(exit_status::usage,
                  "--header, --separator and --source_column and similar flags are for tables: remove them, "
                  "or pass --format=csv");
  if (request.bipartite.value_or(false) && request.names)
    return status(exit_status::usage,
                  "--bipartite and --names exclude each other, as names identify the vertices; remove one of "
                  "--names and --bipartite");
  if (request.graph500_scale >= 0) source.scale = static_cast<unsigned>(request.graph500_scale);
  return source;
}

result<input_source> resolve_generated(const graph_request& request) {
  const std::pair<const char*, bool> of_files[] = {{"format", request.format != "auto"},
                                                   {"names", request.names},
                                                   {"header", request.header.has_value()},
                                                   {"separator", request.separator != "auto"},
                                                   {"source_column", !request.source_column.empty()},
                                                   {"target_column", !request.target_column.empty()},
                                                   {"weight_column", !request.weight_column.empty()},
                                                   {"time_column", !request.time_column.empty()},
                                                   {"bipartite", request.bipartite.has_value()},
                                                   {"graph500_scale", request.graph500_scale >= 0},
                                                   {"strict", request.strict}};
  for (const auto& [flag, given] : of_files) {
    if (given) return no_effect(flag, "it applies to files, and this graph is generated");
  }
  auto spec = generators::parse_generator(request.generate);
  if (!spec.ok()) return spec.status();
  return input_source{"", spec.value(), request.generate, {}};
}

}  // namespace

// Made at first use, by flags before main().
std::span<const detail::member_rule> detail::member_rules() {
  static const std::string format_choices = "auto, " + std::string(formats::format_list);

  static const member_rule rules[] = {
      {"format", [](const graph_request& r) { return r.format == "auto" || formats::find_format(r.format); },
       format_choices.c_str()},
      {"separator", [](const graph_request& r) { return find_separator(r.separator).has_value(); },
       "auto, comma, tab, semicolon, pipe, colons or blanks"},
      {"graph500_scale",
       [](const graph_request& r) { return r.graph500_scale >= -1 && r.graph500_scale <= 40; },
       "from -1 to 40"},
      {"keep_weight", [](const graph_request& r) { return find_weight(r.keep_weight).has_value(); },
       "lightest, heaviest or sum"},
      {"partition", [](const graph_request& r) { return r.partition == "range" || r.partition == "hash"; },
       "range or hash"},
      {"partition_alpha", [](const graph_request& r) { return r.partition_alpha <= 1'000'000; },
       "from 0 to 1000000"},
      {"placement", [](const graph_request& r) { return find_placement(r.placement).has_value(); },
       "auto, by_target or grid"},
      {"segments", [](const graph_request& r) { return find_segments(r.segments).has_value(); },
       "auto, or a number from 1 to 65536"},
      {"bundle_depth", [](const graph_request& r) { return r.bundle_depth <= deepest_bundle; },
       "from 0 to 255"}};
  return rules;
}

result<load_request> resolve(const graph_request& request) {
  if (request.graph.empty() == request.generate.empty()) {
    return status(exit_status::usage, request.graph.empty()
                                          ? "no graph: pass --graph=FILE or --generate=kronecker:18"
                                          : "--graph and --generate exclude each other: pass one");
  }
  for (const detail::member_rule& rule : detail::member_rules()) {
    if (!rule.holds(request))
      return status(exit_status::usage, std::string("--") + rule.name + ": must be " + rule.expected);
  }
  if (status contradicted = check_pairs(request); !contradicted.ok()) return contradicted;
  auto source = request.graph.empty() ? resolve_generated(request) : resolve_file(request);
  if (!source.ok()) return source.status();
  load_request resolved;
  resolved.source = std::move(source).value();
  if (request.ignore_weights) ignore_weights(resolved.source);
  resolved.source.tells_of_weights = request.tells_of_weights && !request.ignore_weights;
  resolved.changes = {request.transpose, request.largest_component};
  resolved.strict = request.strict;
  build_options& build = resolved.build;
  build.remove_self_loops = request.remove_self_loops;
  build.symmetrize = request.symmetrize;
  build.remove_duplicates = request.remove_duplicates;
  build.keep_weight = find_weight(request.keep_weight).value();
  build.segments = find_segments(request.segments).value();
  build.bundle_depth = request.bundle_depth;
  build.partition = {request.partition == "hash", request.partition_alpha, !request.partition_chosen,
                     find_placement(request.placement).value()};
  return resolved;
}

status check_use(const graph_request& request, const edge_forms& keep) {
  const graph_request none;
  if (!keep.weights) {
    constexpr const char* why = "this program ignores weights";
    if (request.weight_column != none.weight_column) return no_effect("weight_column", why);
    if (request.keep_weight != none.keep_weight) return no_effect("keep_weight", why);
    if (request.time_column != none.time_column) return no_effect("time_column", why);
  }
  if (!keep.in_vectors) {
    constexpr const char* why = "this program goes along edges one by one, without vectors of them";
    if (request.segments != none.segments) return no_effect("segments", why);
    if (request.bundle_depth != none.bundle_depth) return no_effect("bundle_depth", why);
  }
  if (request.placement == "grid" && (!keep.in_vectors || keep.in_rows))
    return {exit_status::usage,
            "--placement=grid is for programs that pull along vectors of edges, such as pagerank, and this "
            "program goes from vertex to vertex; remove it"};
  return {};
}

edge_forms forms_on(edge_placement placement, const edge_forms& keep) {
  edge_forms kept = keep;
  if (placement == edge_placement::grid) kept.out_rows = false;
  return kept;
}

void ignore_weights(input_source& source) {
  source.ignores_weights = true;
  if (source.generator) source.generator->weighted = false;
}

}  // namespace orujo::internal::graph
