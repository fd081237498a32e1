#include "framework/graph/build/request.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>
#include <utility>

#include "framework/graph/build/segments.hpp"

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
                  "--header, --separator and --source_column and the like are for tables: "
                  "leave them away, or give --format=csv");
  if (request.bipartite.value_or(false) && request.names)
    return status(exit_status::usage,
                  "--bipartite: vertices with names are told apart by them; leave one of --names and "
                  "--bipartite away");
  if (request.graph500_scale >= 0) source.scale = static_cast<unsigned>(request.graph500_scale);
  return source;
}

result<input_source> resolve_generated(const graph_request& request) {
  if (request.names) return status(exit_status::usage, "--names: vertices of generated graphs have none");
  if (request.bipartite) return status(exit_status::usage, "--bipartite: it is of the edges of a file");
  auto spec = generators::parse_generator(request.generate);
  if (!spec.ok()) return spec.status();
  return input_source{"", spec.value(), request.generate, {}};
}

}  // namespace

// Made when it is first asked for: flags do before main().
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
      {"segments", [](const graph_request& r) { return find_segments(r.segments).has_value(); },
       "auto, or a number from 1 to 65536"},
      {"bundle_depth", [](const graph_request& r) { return r.bundle_depth <= deepest_bundle; },
       "from 0 to 255"}};
  return rules;
}

result<load_request> resolve(const graph_request& request) {
  if (request.graph.empty() == request.generate.empty()) {
    return status(exit_status::usage, request.graph.empty()
                                          ? "no graph: give --graph=FILE or --generate=kronecker:18"
                                          : "--graph and --generate exclude each other: give one");
  }
  for (const detail::member_rule& rule : detail::member_rules()) {
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

void ignore_weights(input_source& source) {
  source.ignores_weights = true;
  if (source.generator) source.generator->weighted = false;
}

}  // namespace orujo::graph
