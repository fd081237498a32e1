#include "applications/harness/tree_search.hpp"

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "applications/harness/sources.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::harness {
namespace {

// The result of a search at core 0, by position of the ids; parents are positions, too.
struct tree_at_core_0 {
  results::vertex_labels vertices;
  std::vector<std::int64_t> parents, levels;
};

tree_at_core_0 gather(graph::distributed_graph graph, gas::property<place_in_tree> places) {
  tree_at_core_0 whole;
  const graph::numbering& numbers = graph.here().numbers;
  const auto position = [&](std::int64_t parent) {
    return parent < 0 ? parent
                      : static_cast<std::int64_t>(numbers.position(static_cast<std::uint64_t>(parent)));
  };
  results::visit_vertices(graph, places, [&](const results::vertex_values<place_in_tree>& part) {
    whole.vertices.append(part);
    for (const place_in_tree& place : part.values) {
      whole.parents.push_back(position(place.parent));
      whole.levels.push_back(place.level);
    }
  });
  return whole;
}

void write(const tree_at_core_0& tree, output_file& output) {
  std::optional<row_writer> rows;
  if (!writes_ldbc())
    rows.emplace(output,
                 std::vector<results::column>{results::column_of<std::int64_t>("parent"),
                                              results::column_of<std::int64_t>("level")},
                 tree.levels.size());
  for (std::size_t v = 0; v < tree.levels.size(); ++v) {
    const results::vertex_label vertex = tree.vertices.label(v);
    if (writes_ldbc()) {
      const bool reached = tree.levels[v] >= 0;
      output.write(fmt::format("{} {}\n", vertex,
                               reached ? tree.levels[v] : std::numeric_limits<std::int64_t>::max()));
      continue;
    }
    rows->vertex(vertex);
    if (tree.levels[v] < 0) {
      rows->number(std::int64_t{-1});
    } else {
      rows->label(tree.vertices.label(static_cast<std::size_t>(tree.parents[v])));
    }
    rows->number(tree.levels[v]).end();
  }
}

// Over the trials: the mean time, and the harmonic mean of the rates, as the Graph500 has it.
void print_means(const std::vector<trial>& trials) {
  if (trials.size() < 2) return;
  double seconds = 0, seconds_per_edge = 0;
  std::size_t with_edges = 0;
  for (const trial& t : trials) {
    seconds += t.seconds;
    if (t.edges_processed == 0) continue;
    seconds_per_edge += t.seconds / static_cast<double>(t.edges_processed);
    ++with_edges;
  }
  print("mean of {} searches: {:.3f} ms", trials.size(), seconds / static_cast<double>(trials.size()) * 1e3);
  if (with_edges > 0) {
    print(", {} TEPS (harmonic mean)", engineering(static_cast<double>(with_edges) / seconds_per_edge));
  }
  print("\n");
}

// Prints a search's line and notes its figures.
void tell(const std::string& name, const search_source& source, const search_result& found, bool symmetric,
          report& to) {
  // An edge of a symmetrized graph is two.
  const std::uint64_t edges = symmetric ? found.out_edges / 2 : found.out_edges;
  to.trials.push_back(
      {found.seconds, found.levels, edges, {{"source", source.told()}, {"reached", found.vertices}}});
  to.trials.back().more.update(found.more);
  print("{}: source {}, {} levels, {} vertices reached, {} edges traversed, {:.3f} ms, {} TEPS\n", name,
        source.label(), found.levels, grouped(found.vertices), grouped(edges), found.seconds * 1e3,
        engineering(static_cast<double>(edges) / found.seconds));
}

}  // namespace

status run_searches(const std::string& name, const graph::loaded_graph& loaded, const tree_search& search,
                    output_file& output, report& to) {
  const auto chosen = choose_sources(loaded, trials());
  if (!chosen.ok()) return chosen.status();
  const std::vector<search_source>& sources = chosen.value();
  std::optional<verify::simple_graph> simple;
  if (verify()) {
    auto made = serial_graph(loaded.graph.here().weighted);
    if (!made.ok()) return made.status();
    simple = std::move(made).value();
    to.verified = true;
  }
  const bool symmetric = loaded.graph.here().symmetric;
  for (const search_source& source : sources) {
    tell(name, source, search.run(source.number), symmetric, to);
    const bool last = &source == &sources.back();
    if (!simple && !(last && output.wanted())) continue;
    const tree_at_core_0 tree = gather(loaded.graph, search.write_places());
    if (last && output.wanted()) write(tree, output);
    if (!simple) continue;
    const auto wrong = verify::check_search(*simple, source.position, tree.parents, tree.levels);
    if (!wrong) continue;
    to.verified = false;
    print("NOT VERIFIED: {}\n", *wrong);
  }
  print_means(to.trials);
  if (to.verified == true) print("verified {} searches\n", sources.size());
  return output.finish();
}

}  // namespace orujo::harness
