#include "framework/tables/relational/graph_rows.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "framework/formats/file_format.hpp"
#include "framework/formats/recognise.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/vertex_names.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::relational {
namespace {

constexpr std::size_t edges_at_a_time = 1 << 16;  // names of their ends are fetched together

// Ids where the file has ids, and else names: an edge list or a document may have either.
result<graph::input_edges> read_ids_or_names(const std::string& path) {
  graph::input_source source{.file = path, .generator = {}, .name = path};
  auto read = graph::read_input(source);
  const auto format = formats::format_of_path(path).value_or(formats::file_format::csv);
  const bool may_have_names = format == formats::file_format::edge_list || formats::is_document(format);
  if (read.ok() || read.status().code() != exit_status::bad_data || !may_have_names) return read;
  source.named = true;
  auto with_names = graph::read_input(source);
  if (!with_names.ok()) return read;
  if (my_core() == 0) LOG(INFO) << "vertices are texts, as they are no ids: " << read.status().message();
  return with_names;
}

// [collective]
status check_ids(const graph::input_edges& input, const std::string& path) {
  std::uint64_t largest = 0;
  input.visit_batches([&](std::span<const edge> edges, std::span<const float>) {
    for (const edge& e : edges)
      largest = std::max({largest, external_id(input, e.source), external_id(input, e.target)});
  });
  const bool fits = largest <= static_cast<std::uint64_t>(std::numeric_limits<word>::max());
  return collectives::first_failure(
      fits
          ? status()
          : status(exit_status::bad_data,
                   fmt::format("{}: the vertex {} is beyond the integers of a table; write the edges as CSV, "
                               "whose ids may be texts",
                               path, largest)));
}

// Calls visit(edges, weights) for many of the calling core's edges at a time, as visit() may wait.
template <class Visit>
void visit_many(const graph::input_edges& input, const Visit& visit) {
  std::vector<edge> edges;
  std::vector<float> weights;
  input.visit_batches([&](std::span<const edge> more, std::span<const float> their_weights) {
    edges.insert(edges.end(), more.begin(), more.end());
    weights.insert(weights.end(), their_weights.begin(), their_weights.end());
    if (edges.size() < edges_at_a_time) return;
    visit(edges, weights);
    edges.clear(), weights.clear();
  });
  visit(edges, weights);
}

void take_edges(const graph::input_edges& input, const brought_table::taker& take) {
  visit_many(input, [&](const std::vector<edge>& edges, const std::vector<float>& weights) {
    formats::name_table names;
    if (input.names) {
      std::vector<std::uint64_t> ends;
      for (const edge& e : edges) ends.insert(ends.end(), {e.source, e.target});
      names = input.names->at(ends);
    }
    std::vector<cell> row(input.weighted ? 3 : 2, std::nullopt);
    for (std::size_t k = 0; k < edges.size(); ++k) {
      row[0] = input.names ? cell(names[2 * k]) : cell(external_id(input, edges[k].source));
      row[1] = input.names ? cell(names[2 * k + 1]) : cell(external_id(input, edges[k].target));
      if (input.weighted) row[2] = static_cast<double>(weights[k]);
      take(row);
    }
  });
}

}  // namespace

bool names_a_graph(std::string_view path) {
  const auto format = formats::format_of_path(path);
  const bool of_lines = format == formats::file_format::edge_list && !formats::names_an_edge_list(path);
  return format && *format != formats::file_format::csv && !of_lines;
}

result<brought_table> rows_of_graph(const std::string& name, const std::string& path) {
  auto read = read_ids_or_names(path);
  if (!read.ok()) return read.status();
  const auto input = std::make_shared<const graph::input_edges>(std::move(read).value());
  if (status wrong = input->names ? status() : check_ids(*input, path); !wrong.ok()) return wrong;
  const kind ends = input->names ? kind::text : kind::integer;
  brought_table made{.name = name, .names = {{"source", ends}, {"target", ends}}, .rows = {}};
  if (input->weighted) made.names.push_back({"weight", kind::real});
  made.rows = [input](const brought_table::taker& take) { take_edges(*input, take); };
  return made;
}

}  // namespace orujo::internal::relational
