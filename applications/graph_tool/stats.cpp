// graph_tool stats: properties of a graph, and its costs here.
#include "applications/graph_tool/stats.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "applications/harness/graph_harness.hpp"
#include "framework/algorithms/connected_components.hpp"
#include "framework/graph/build/memory_needs.hpp"
#include "framework/graph/degree_histogram.hpp"
#include "framework/graph/packing.hpp"
#include "framework/graph/partition_costs.hpp"
#include "system/base/flags.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/scatter.hpp"

DEFINE_uint32(for_locales, 0,
              "stats: number of locales for which to compute the costs of the partition; 0: those of this "
              "job. After the word stats --locales=N is short for it");

namespace orujo::internal::graph_tool {
namespace {

using graph::degree_histogram;

const flag_rule for_locales_rule(
    "for_locales", [] { return FLAGS_for_locales <= 4096; }, "from 0 to 4096");

constexpr std::size_t lane_counts[] = {4, 8, 16};

// Statistics of one core, or of all.
struct graph_stats {
  degree_histogram in, out;
  std::array<graph::packing, std::size(lane_counts)> packed{};
  std::uint64_t self_loops = 0;

  void operator+=(const graph_stats& other) {
    in += other.in;
    out += other.out;
    for (std::size_t k = 0; k < packed.size(); ++k) packed[k] += other.packed[k];
    self_loops += other.self_loops;
  }
};

struct locale_bytes {
  std::uint64_t vectors, rows;
};

graph_stats stats_of_core(const graph::locale_graph& g) {
  graph_stats mine;
  const graph::core_part& part = g.my_part();
  const std::span<const std::uint64_t> offsets =
      g.in_rows->offsets.part(part.first, part.last + std::size_t{1});
  for (std::size_t k = 0; k < mine.packed.size(); ++k)
    mine.packed[k] = graph::pack_rows(offsets, lane_counts[k]);
  for (std::uint32_t v = part.first; v < part.last; ++v) {
    mine.in.add(g.in_rows->degree(v));
    mine.out.add(g.out_rows->degree(v));
    for (const std::uint32_t neighbour : g.in_rows->of(v)) mine.self_loops += neighbour == v ? 1 : 0;
  }
  return mine;
}

locale_bytes bytes_of_locale(const graph::locale_graph& g) {
  const auto rows_bytes = [](const graph::adjacency& rows) {
    return rows.offsets.size() * sizeof(std::uint64_t) + rows.neighbours.size() * sizeof(std::uint32_t) +
           rows.weights.size() * sizeof(float);
  };
  return {g.edge_vectors.size() * sizeof(graph::edge_vector) +
              g.weight_vectors.size() * sizeof(graph::weight_vector) +
              g.top_level_at.size() * sizeof(std::uint32_t),
          rows_bytes(*g.out_rows) + (g.symmetric ? 0 : rows_bytes(*g.in_rows))};
}

// [task; suspends; collective over the job] The costs of the partition over a job of this shape.
graph::partition_costs costs_of(const graph::locale_graph& g, const job_shape& of) {
  graph::partition_counter counter(g.other_owners, of);
  std::vector<std::uint64_t> targets, sources;
  const auto numbers_of = [&](const graph::adjacency& rows, std::uint32_t v, std::vector<std::uint64_t>& to) {
    to.clear();
    for (const std::uint32_t neighbour : rows.of(v)) to.push_back(g.number_of(neighbour));
  };
  for (std::uint32_t v = g.my_part().first; v < g.my_part().last; ++v) {
    numbers_of(*g.out_rows, v, targets);
    numbers_of(*g.in_rows, v, sources);
    counter.add(g.first_vertex + v, targets, sources);
  }
  collectives::all_reduce(counter.sums(), std::plus<std::uint64_t>());
  return counter.costs();
}

struct component_counts {
  std::uint64_t components = 0, largest = 0;  // vertices of the largest
};

// Counts vertices by label, at the label's vertex.
struct add_to_sizes {
  using value = std::uint64_t;  // labels
  std::uint64_t* sizes;         // by own vertex of the receiver's locale
  std::uint64_t first_vertex;
  void operator()(std::span<const std::uint64_t> labels) const {
    for (const std::uint64_t label : labels) ++sizes[label - first_vertex];
  }
};

// [task; suspends; collective over the job] Counts the weakly connected components.
component_counts count_components(const graph::locale_graph& g) {
  using numbers = machine::huge_array<std::uint64_t>;
  const auto of_locale = [&] {
    return collectives::share_on_locale<numbers>([&] { return std::make_shared<numbers>(g.own); });
  };
  const auto labels = of_locale(), sizes = of_locale();
  algorithms::connected_components<std::uint64_t>(g, labels->part(0, g.own)).run();
  const std::vector<add_to_sizes> receivers =
      collectives::all_gather(add_to_sizes{sizes->data(), g.first_vertex});
  delegates::completion_event counted;
  delegates::scatter out(counted, receivers);
  const graph::core_part& part = g.my_part();
  for (std::uint32_t v = part.first; v < part.last; ++v) out.push(g.owners.owner((*labels)[v]), (*labels)[v]);
  out.flush();
  counted.wait();
  collectives::barrier();
  component_counts mine;
  for (std::uint32_t v = part.first; v < part.last; ++v) {
    mine.components += (*sizes)[v] > 0 ? 1 : 0;
    mine.largest = std::max(mine.largest, (*sizes)[v]);
  }
  return collectives::all_reduce(mine, [](const component_counts& a, const component_counts& b) {
    return component_counts{a.components + b.components, std::max(a.largest, b.largest)};
  });
}

// The shape whose partition is judged: --for_locales, each like the first of the job, or the job.
job_shape asked_shape() {
  const auto asked = static_cast<int>(FLAGS_for_locales);
  if (asked == 0 || asked == locales()) return shape();
  return job_shape(std::vector<int>(static_cast<std::size_t>(asked), shape().cores_of(0)));
}

struct collected {
  graph_stats all;
  locale_bytes bytes{};  // of all locales
  graph::partition_costs costs;
  component_counts components;
};

collected collect(graph::distributed_graph graph) {
  return loops::on_all_cores([graph] {
    const graph::locale_graph& g = graph.here();
    const graph_stats all =
        collectives::all_reduce(stats_of_core(g), [](graph_stats a, const graph_stats& b) {
          a += b;
          return a;
        });
    const locale_bytes bytes = collectives::all_reduce(
        leads_locale() ? bytes_of_locale(g) : locale_bytes{}, [](locale_bytes a, const locale_bytes& b) {
          return locale_bytes{a.vectors + b.vectors, a.rows + b.rows};
        });
    const graph::partition_costs costs = costs_of(g, asked_shape());
    const component_counts components = count_components(g);
    return collected{all, bytes, costs, components};
  });
}

void print_histogram(const char* name, const degree_histogram& of) {
  harness::print("\n{} (largest {})\n", name, harness::grouped(of.most));
  const std::uint64_t peak = *std::max_element(of.vertices.begin(), of.vertices.end());
  for (std::size_t k = 0; k < of.vertices.size(); ++k) {
    if (of.vertices[k] == 0) continue;
    const std::uint64_t first = degree_histogram::first_of(k), last = degree_histogram::last_of(k);
    const std::string range = k <= 1 ? fmt::format("{}", first) : fmt::format("{}..{}", first, last);
    harness::print("  {:>23}  {:>14}  {}\n", range, harness::grouped(of.vertices[k]),
                   std::string(of.vertices[k] * 40 / peak, '#'));
  }
}

double per(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

std::uint64_t sum(const std::vector<std::uint64_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
}
std::uint64_t most(const std::vector<std::uint64_t>& values) {
  return *std::max_element(values.begin(), values.end());
}
// The largest over the mean; 1 where all are 0.
double imbalance(const std::vector<std::uint64_t>& shares) {
  return sum(shares) == 0 ? 1 : per(most(shares) * shares.size(), sum(shares));
}

// Prints them, and returns their object for --stats_json.
base::json print_partition(const graph::partition_costs& costs, const job_shape& of, std::uint64_t edges) {
  constexpr std::uint64_t value_bytes = 4;
  const std::uint64_t vertices = sum(costs.vertices), mirrors = sum(costs.mirrors);
  const double replication = 1 + per(mirrors, vertices);
  harness::print("\npartition ({}) over {}\n", graph::partition_name(), harness::job_shape_text(of));
  harness::print("  largest share of a core over the mean: {:.2f} of the vertices, {:.2f} of the in-edges\n",
                 imbalance(costs.vertices), imbalance(costs.in_edges));
  harness::print("  {:.1f} % of the edges come from another locale\n", 100 * per(costs.cut_edges, edges));
  harness::print("  each vertex is on {:.2f} locales: its own, and those that mirror it to pull from it\n",
                 replication);
  harness::print("  mirrors: {} in all, at most {} on a locale\n", harness::grouped(mirrors),
                 harness::grouped(most(costs.mirrors)));
  harness::print("  a dense superstep sends {} bytes of {}-byte values, at most {} to a locale\n",
                 harness::grouped(mirrors * value_bytes), value_bytes,
                 harness::grouped(most(costs.mirrors) * value_bytes));
  harness::print("  with edges on a grid, {}\n", harness::grouped(costs.values_on_grid * value_bytes));
  return {{"kind", graph::partition_name()},
          {"locales", of.locales()},
          {"cores", of.cores()},
          {"vertex_imbalance", imbalance(costs.vertices)},
          {"edge_imbalance", imbalance(costs.in_edges)},
          {"cut_edges", costs.cut_edges},
          {"replication", replication},
          {"mirrors", mirrors},
          {"most_mirrors", most(costs.mirrors)},
          {"superstep_bytes", mirrors * value_bytes},
          {"superstep_bytes_on_grid", costs.values_on_grid * value_bytes}};
}

status print_stats(const graph::loaded_graph& g, files::output_file&, harness::report& report) {
  const collected found = collect(g.graph);
  harness::print("  {:.2f} edges per vertex, {}, {} without in-edges, {} without out-edges\n",
                 per(g.edges, g.vertices), harness::counted(found.all.self_loops, "self-loop"),
                 harness::counted(found.all.in.vertices[0], "vertex", "vertices"),
                 harness::grouped(found.all.out.vertices[0]));
  harness::print("  {}, the largest of {} ({:.1f} %)\n",
                 harness::counted(found.components.components, "weakly connected component"),
                 harness::counted(found.components.largest, "vertex", "vertices"),
                 100 * per(found.components.largest, g.vertices));
  report.further["components"] = {{"count", found.components.components},
                                  {"largest", found.components.largest}};
  print_histogram("vertices by in-degree", found.all.in);
  print_histogram("vertices by out-degree", found.all.out);
  harness::print("\npacking: lanes with an edge, in vectors of one vertex each\n");
  for (std::size_t k = 0; k < std::size(lane_counts); ++k) {
    harness::print("  {:>2} lanes  {:5.1f} %\n", lane_counts[k], 100 * found.all.packed[k].efficiency());
  }
  harness::print(
      "\nmemory: Vector-Sparse in-edges {} bytes ({:.2f} per edge), rows by vertex {} bytes ({:.2f} per "
      "edge)\n",
      harness::grouped(found.bytes.vectors), per(found.bytes.vectors, g.edges),
      harness::grouped(found.bytes.rows), per(found.bytes.rows, g.edges));
  report.further["partition"] = print_partition(found.costs, asked_shape(), g.edges);
  return {};
}

}  // namespace

status stats() {
  return harness::run_on_graph(
      "graph_tool",
      {.in_vectors = true, .in_rows = true, .out_rows = true, .cut_for_cores = asked_shape().cores()},
      print_stats);
}

}  // namespace orujo::internal::graph_tool
