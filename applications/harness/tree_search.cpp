#include "applications/harness/tree_search.hpp"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/sources.hpp"
#include "framework/verify/breadth_first_search_oracle.hpp"

namespace orujo::internal {
namespace {

// A vertex in the result.
struct written_place {
  results::vertex_at<std::int64_t> parent;
  std::int64_t level;
};

}  // namespace

template <>
struct results::numbers_of<written_place> {
  template <class Visit>
  static void visit(const written_place& place, const Visit& visit) {
    visit(place.parent);
    visit(place.level);
  }
};

namespace harness {
namespace {

using written_tree = results::ordered_values<written_place>;

written_tree by_positions(graph::distributed_graph graph, graph::property<place_in_tree> places) {
  return written_tree::create(graph, [places](const graph::locale_graph& g, std::uint32_t v) {
    const place_in_tree& place = places.here()[v];
    const std::int64_t parent =
        place.parent < 0
            ? place.parent
            : static_cast<std::int64_t>(g.numbers.position(static_cast<std::uint64_t>(place.parent)));
    return written_place{{parent}, place.level};
  });
}

void write(const written_tree& tree, files::output_file& output) {
  begin_step(step::writing);
  if (!writes_ldbc()) return tree.write_table(output, output_row_format(), {"parent", "level"});
  tree.write_lines(output, [](std::string& to, const written_place& place) {
    const bool reached = place.level >= 0;
    results::as_decimals()(to, reached ? place.level : std::numeric_limits<std::int64_t>::max());
  });
}

// Returns the first fault that the oracle finds.
std::optional<std::string> check(const written_tree& tree, const verify::simple_graph& simple,
                                 std::uint64_t source) {
  std::vector<std::int64_t> parents, levels;
  tree.visit([&](const results::vertex_values<written_place>& part) {
    for (const written_place& place : part.values) {
      parents.push_back(place.parent.position);
      levels.push_back(place.level);
    }
  });
  return verify::check_search(simple, source, parents, levels);
}

// Prints figures over the trials: the mean time, and the harmonic mean of the rates, as the Graph500 defines
// it.
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
  // A symmetrized graph has each edge twice.
  const std::uint64_t edges = symmetric ? found.out_edges / 2 : found.out_edges;
  to.trials.push_back(
      {found.seconds, found.levels, edges, {{"source", source.told()}, {"reached", found.vertices}}});
  to.trials.back().more.update(found.more);
  print("{}: source {}, {}, {} reached, {} traversed, {:.3f} ms, {} TEPS\n", name, source.label(),
        counted(found.levels, "level"), counted(found.vertices, "vertex", "vertices"), counted(edges, "edge"),
        found.seconds * 1e3, engineering(static_cast<double>(edges) / found.seconds));
}

}  // namespace

status run_searches(const std::string& name, const graph::loaded_graph& loaded, const tree_search& search,
                    files::output_file& output, report& to) {
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
    const written_tree tree = by_positions(loaded.graph, search.write_places());
    if (last && output.wanted()) write(tree, output);
    const auto wrong = simple ? check(tree, *simple, source.position) : std::nullopt;
    tree.destroy();
    if (!wrong) continue;
    to.verified = false;
    print("NOT VERIFIED: {}\n", *wrong);
  }
  print_means(to.trials);
  if (to.verified == true) print("verified {}\n", counted(sources.size(), "search", "searches"));
  return output.finish();
}

}  // namespace harness
}  // namespace orujo::internal
