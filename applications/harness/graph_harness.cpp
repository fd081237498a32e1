#include "applications/harness/graph_harness.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "framework/graph/degree_histogram.hpp"
#include "system/base/printable.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::harness {

status require_symmetrize(const std::string& of) {
  const auto request = graph::load_request_from_flags();
  if (!request.ok()) return request.status();
  if (request.value().build.symmetrize) return {};
  return {exit_status::usage, of + " requires an undirected graph; add --symmetrize"};
}

status require_weights(const graph::loaded_graph& g) {
  if (g.graph.here().weighted) return {};
  return {exit_status::usage, "--weighted requires a graph with weights: load one, or leave it out"};
}

namespace {

// Both of the step in progress.
std::optional<observe::progress_line> line;
std::optional<observe::trace_scope> traced;

// Prints the line about an order of the vertices, unless the build chose it. Returns the object of any for
// the statistics.
base::json tell_order(const graph::order_report& order) {
  using enum graph::order_origin;
  base::json told = {{"name", order.name}, {"chosen", order.origin == build}};
  if (order.origin == file) {
    print("layout: {}, as the file has it\n", order.name);
    return told;
  }
  if (order.origin == user) {
    print(
        "layout: {}, found in {:.2f} s, mean log2 of the distance of neighbours {:.2f}, by the ids {:.2f}\n",
        order.name, order.seconds, order.log2_gap, order.log2_gap_before);
  }
  told["seconds"] = order.seconds;
  told["log2_gap"] = order.log2_gap;
  told["log2_gap_of_ids"] = order.log2_gap_before;
  for (const auto& [name, value] : order.figures) told[name] = value;
  return told;
}

struct degrees {
  graph::degree_histogram out, in;
  std::uint64_t knows_in = 1;
};

// [task; suspends; collective over the job]
degrees count_degrees(const graph::locale_graph& g) {
  degrees mine;
  mine.knows_in = g.symmetric || g.in_rows || g.in_degrees.size() >= g.own ? 1 : 0;
  const graph::core_part& part = g.my_part();
  for (std::uint32_t v = part.first; v < part.last; ++v) {
    mine.out.add(g.out_degree[v]);
    if (mine.knows_in != 0) mine.in.add(g.in_degree(v));
  }
  return collectives::all_reduce(mine, [](degrees a, const degrees& b) {
    a.out += b.out;
    a.in += b.in;
    a.knows_in = std::min(a.knows_in, b.knows_in);
    return a;
  });
}

base::json told_of(const graph::degree_histogram& vertices) {
  base::json told = base::json::array();
  for (std::size_t k = 0; k < vertices.vertices.size(); ++k) {
    if (vertices.vertices[k] == 0) continue;
    told.push_back({{"least", graph::degree_histogram::first_of(k)},
                    {"most", std::min(graph::degree_histogram::last_of(k), vertices.most)},
                    {"vertices", vertices.vertices[k]}});
  }
  return told;
}

// [task; suspends]
base::json tell_degrees(graph::distributed_graph graph) {
  const degrees found = loops::on_all_cores([graph] { return count_degrees(graph.here()); });
  base::json told = {{"out", told_of(found.out)}};
  if (found.knows_in != 0) told["in"] = told_of(found.in);
  return told;
}

}  // namespace

void begin_step(step which, std::string application) {
  end_step();
  switch (which) {
    case step::computing:
      line.emplace(std::move(application));
      traced.emplace("computing");
      return;
    case step::verifying:
      line.emplace("verifying by a serial computation");
      traced.emplace("verifying");
      return;
    case step::writing:
      line.emplace("writing the result");
      traced.emplace("writing");
      return;
  }
}

void end_step() {
  traced.reset();
  line.reset();
}

stats tell_graph(const std::string& application, const graph::loaded_graph& g) {
  print("graph: {} ({}), {}, {}, loaded in {:.2f} s ({})\n", base::printable(g.source), g.format,
        counted(g.vertices, "vertex", "vertices"), counted(g.edges, "edge"), g.seconds, job_shape_text());
  stats s{application,
          "graph",
          {{"vertices", g.vertices}, {"edges", g.edges}, {"source", g.source}, {"format", g.format}}};
  s.further["load_seconds"] = g.seconds;
  if (wants_stats()) s.further["degrees"] = tell_degrees(g.graph);
  if (g.order.name != "none") s.further["layout"] = tell_order(g.order);
  if (g.file_bytes == 0) return s;  // generated edges are made while the graph is built
  const double reading = std::max(g.read_seconds, 1e-9);
  s.further["read"] = {{"bytes", g.file_bytes},
                       {"edges", g.read_edges},
                       {"seconds", g.read_seconds},
                       {"gigabytes_per_second", static_cast<double>(g.file_bytes) / 1e9 / reading},
                       {"edges_per_second", static_cast<double>(g.read_edges) / reading}};
  return s;
}

result<verify::simple_graph> serial_graph(bool with_weights) {
  begin_step(step::verifying);
  auto request = graph::load_request_from_flags();
  if (!request.ok()) return request.status();
  if (!with_weights) graph::ignore_weights(request.value().source);
  const graph::build_options& build = request.value().build;
  result<graph::input_edges> input = graph::read_serially(request.value().source);
  if (!input.ok()) return input.status();
  graph::change_serially(input.value(), request.value().changes);
  formats::edge_list& edges = input.value().mine;
  verify::simple_graph_options options;
  options.vertex_count = input.value().vertex_count;
  options.first_id = input.value().first_id;
  if (input.value().ids) options.ids = *input.value().ids;
  options.remove_self_loops = build.remove_self_loops;
  options.symmetrize = build.symmetrize;
  options.remove_duplicates = build.remove_duplicates;
  options.keep_weight = build.keep_weight;
  return verify::simple_graph(std::move(edges.edges), options, std::move(edges.weights));
}

}  // namespace orujo::internal::harness
