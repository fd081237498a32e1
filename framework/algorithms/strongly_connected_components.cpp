#include "framework/algorithms/strongly_connected_components.hpp"

#include <fmt/format.h>

#include <chrono>

#include "framework/algorithms/component_labels.hpp"
#include "framework/graph/kept_forms.hpp"
#include "framework/graph/neighbours.hpp"
#include "framework/graph/transposed.hpp"
#include "framework/graph/vertex_map.hpp"
#include "framework/graph/vertex_set.hpp"
#include "system/loops/forall.hpp"
#include "system/observe/progress.hpp"
#include "system/observe/step_log.hpp"

namespace orujo::internal::algorithms {
namespace {

using graph::vertex, graph::vertex_set;

// The order of colours is a random one of vertices: multiplications by odd numbers and a shift, which have
// inverses.
constexpr std::uint64_t first_factor = 0x9e3779b97f4a7c15, second_factor = 0xbf58476d1ce4e5b9;
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;  // in the lowest 3 bits; each of Newton's steps doubles them
  for (int step = 0; step < 5; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}
constexpr std::uint64_t color_of(std::uint64_t number) {
  const std::uint64_t x = number * first_factor;
  return (x ^ x >> 32) * second_factor;
}
constexpr std::uint64_t number_of(std::uint64_t color) {
  const std::uint64_t x = color * inverse_of(second_factor);
  return (x ^ x >> 32) * inverse_of(first_factor);
}
static_assert(number_of(color_of(1)) == 1 && number_of(color_of(1ull << 40 | 12345)) == (1ull << 40 | 12345));
// No vertex has the colour that is the identity of minima.
static_assert(number_of(~std::uint64_t{0}) > std::uint64_t{1} << 48);

enum mark : std::uint8_t { nothing, reached, member };

// The properties of a run. Visitors and closures have copies of these handles.
struct state {
  bool is_open(const vertex& v) const { return labels[v] == no_component; }

  graph::property<std::uint64_t> labels, colors;
  graph::property<std::uint32_t> sources;  // edges from open vertices, loops included
  graph::property<std::uint8_t> marks;     // of the last search
};

std::uint32_t loops_of(const vertex& v) {
  const graph::neighbour_row row = graph::out_neighbours(v);
  const std::uint64_t number = v.number();
  std::size_t first = 0;
  for (std::size_t last = row.size(); first < last;) {
    const std::size_t middle = first + (last - first) / 2;
    if (row[middle].number < number) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  std::uint32_t loops = 0;
  while (first + loops < row.size() && row[first + loops].number == number) ++loops;
  return loops;
}

// Labels a vertex without edges from other open vertices, and returns true of it. A vertex with more loops is
// left to colouring, so that few rows are searched for loops.
bool trims(const state& of, const vertex& v) {
  constexpr std::uint32_t most_loops = 4;
  const std::uint32_t sources = of.sources[v];
  if (sources > most_loops || (sources != 0 && sources != loops_of(v))) return false;
  of.labels[v] = v.number();
  return true;
}

struct counted : state {
  using value = std::uint32_t;
  static constexpr auto combine = gas::sum{};
  value show(const vertex&) const { return 1; }
  bool wants(const vertex& v) const { return is_open(v); }
  bool visit(const vertex& v, value total) const {
    sources[v] = total;
    return false;
  }
};

struct trimmed : state {
  using value = std::uint32_t;
  static constexpr auto combine = gas::sum{};
  value show(const vertex&) const { return 1; }
  bool wants(const vertex& v) const { return is_open(v); }
  bool visit(const vertex& v, value total) const {
    sources[v] -= total;
    return trims(*this, v);
  }
};

// A search that goes on from vertices with the mark `before` only, and leaves `after`.
struct searched : state {
  using value = graph::source;
  static constexpr auto combine = gas::any{};
  bool wants(const vertex& v) const { return marks[v] == before && is_open(v); }
  bool visit(const vertex& v, value) const {
    marks[v] = after;
    return true;
  }

  mark before, after;
};

struct colored : state {
  using value = std::uint64_t;
  static constexpr auto combine = gas::maximum{};
  value show(const vertex& v) const { return colors[v]; }
  bool wants(const vertex& v) const { return is_open(v); }
  bool visit(const vertex& v, value color) const {
    if (color <= colors[v]) return false;
    colors[v] = color;
    return true;
  }
};

// A member of the component of a vertex has the vertex's colour, and no vertex that an edge leads to has a
// smaller one. So the minimum says whether one of them is a member.
struct joins_root : state {
  using value = std::uint64_t;
  static constexpr auto combine = gas::minimum{};
  value show(const vertex& v) const { return colors[v]; }
  bool wants(const vertex& v) const { return marks[v] == nothing && is_open(v); }
  bool visit(const vertex& v, value color) const {
    if (color != colors[v]) return false;
    marks[v] = member;
    return true;
  }
};

// The vertex with the largest product of degrees.
struct pivot {
  std::uint64_t product, number;
};

class component_finder {
 public:
  component_finder(graph::distributed_graph graph, graph::property<std::uint64_t> labels,
                   const strong_components_options& options)
      : graph_(graph),
        reversed_(graph::transposed(graph)),
        state_{labels, graph::property<std::uint64_t>::create(graph),
               graph::property<std::uint32_t>::create(graph), graph::property<std::uint8_t>::create(graph)},
        options_(options) {}
  ~component_finder() {
    state_.marks.destroy();
    state_.sources.destroy();
    state_.colors.destroy();
    reversed_.destroy();
  }
  component_finder(const component_finder&) = delete;

  strong_components_report run() {
    vertex_map(vertex_set::all(graph_), [of = state_](const vertex& v) { of.labels[v] = no_component; });
    observe::progress_line line;
    vertex_set open = vertex_set::all(graph_);
    for (int round = 0; !open.empty(); ++round) {
      undecided_ = open.size() + open.out_edges();
      bool done = trim(graph_, round, open) && trim(reversed_, round, open);
      open = vertex_filter(open, [of = state_](const vertex& v) { return of.is_open(v); });
      if (round == 0) report_.trimmed = graph_.here().vertices - open.size();
      if (line.due()) line.show(fmt::format("round {}, {} vertices undecided", round + 1, open.size()));
      undecided_ = open.size() + open.out_edges();
      if (!open.empty())
        done = done && undecided_ > serial_below(round) && (round == 0 ? search(open) : color(open));
      if (stopped()) {
        report_.ended = false;
        return report_;
      }
      if (!done) {
        report_.serial = open.size();
        report_.ended = label_at_core_0(graph_, state_.labels, options_.stop);
        break;
      }
    }
    if (report_.ended) label_by_positions(graph_, state_.labels);
    return report_;
  }

 private:
  bool stopped() const { return options_.stop.is_set(); }
  std::uint64_t serial_below(int round) const {
    return round > 0 && locales() == 1 ? options_.serial_at_most : options_.serial_below;
  }

  // Repeats an edge map until it reaches no vertex. Returns false if it gives up: the run is stopped, or
  // takes too many steps, and core 0 can compute the undecided part.
  template <class Visitor>
  bool follow(graph::distributed_graph along, vertex_set frontier, const Visitor& visitor) {
    for (int step = 0; !frontier.empty(); ++step, ++report_.steps) {
      if (stopped() || (step >= options_.patience && undecided_ <= options_.serial_at_most)) return false;
      frontier = edge_map(along, frontier, visitor, options_.maps);
    }
    return true;
  }

  // Trims vertices without edges from others. Vertices without edges to others can be trimmed after these,
  // and leave none of the first kind, as no edge leads from them. `open` may have trimmed vertices, too:
  // edges to these come from other such vertices only.
  bool trim(graph::distributed_graph along, int round, const vertex_set& open) {
    if (round > 0) {
      vertex_map(open, [of = state_](const vertex& v) { of.sources[v] = 0; });
      edge_map(along, open, counted{state_}, options_.maps);
      ++report_.steps;
    }
    vertex_set first = vertex_filter(vertex_set::all(along), [of = state_, round](const vertex& v) {
      if (!of.is_open(v)) return false;
      if (round == 0) of.sources[v] = v.in_degree();
      return trims(of, v);
    });
    return follow(along, std::move(first), trimmed{state_});
  }

  // Takes what it finds out of `open`, as color() does, or returns false.
  bool search(vertex_set& open) {
    const std::uint64_t start =
        vertex_reduce(
            open,
            [](const vertex& v) {
              return pivot{std::uint64_t{v.in_degree()} * v.out_degree, v.number()};
            },
            [](const pivot& a, const pivot& b) {
              return a.product > b.product || (a.product == b.product && a.number < b.number) ? a : b;
            })
            .number;
    return search_from(start, graph_, nothing, reached) && search_from(start, reversed_, reached, member) &&
           label_members(open, [start](const vertex&) { return start; });
  }
  bool search_from(std::uint64_t start, graph::distributed_graph along, mark before, mark after) {
    vertex_set frontier = vertex_set::of(along, {start});
    vertex_map(frontier, [of = state_, after](const vertex& v) { of.marks[v] = after; });
    return follow(along, std::move(frontier), searched{state_, before, after});
  }

  bool color(vertex_set& open) {
    ++report_.colorings;
    vertex_map(open, [of = state_](const vertex& v) {
      of.colors[v] = color_of(v.number());
      of.marks[v] = nothing;
    });
    if (!follow(graph_, open.copy(), colored{state_})) return false;
    vertex_set roots = vertex_filter(vertex_set::all(reversed_), [of = state_](const vertex& v) {
      const bool is_root = of.is_open(v) && of.colors[v] == color_of(v.number());
      if (is_root) of.marks[v] = member;
      return is_root;
    });
    return follow(reversed_, std::move(roots), joins_root{state_}) &&
           label_members(open, [of = state_](const vertex& v) { return number_of(of.colors[v]); });
  }

  template <class LabelOf>
  bool label_members(vertex_set& open, const LabelOf& label_of) {
    open = vertex_filter(open, [of = state_, label_of](const vertex& v) {
      const bool is_member = of.marks[v] == member;
      if (is_member) of.labels[v] = label_of(v);
      return !is_member;
    });
    return true;
  }

  const graph::distributed_graph graph_, reversed_;
  const state state_;
  const strong_components_options& options_;
  strong_components_report report_;
  std::uint64_t undecided_ = 0;  // vertices and their out-edges
};

// True if core 0 computes all.
bool is_serial(const graph::locale_graph& g, const strong_components_options& options) {
  if (locales() > 1 || options.serial_below == 0) return false;
  return g.vertices + g.edges <= options.serial_below || (cores() < 4 && g.edges <= 4 * g.vertices);
}

}  // namespace

strong_components_report strongly_connected_components(graph::distributed_graph graph,
                                                       graph::property<std::uint64_t> labels,
                                                       const strong_components_options& options,
                                                       const call_site& at) {
  labels.require_graph(graph.here(), at);
  graph::require_forms(graph.here(), {.in_rows = true, .out_rows = true}, "strongly_connected_components:");
  const auto begin = std::chrono::steady_clock::now();
  loops::on_all_cores([] { observe::begin_run_of_steps(); });
  strong_components_report report;
  if (is_serial(graph.here(), options)) {
    report.serial = graph.here().vertices;
    report.ended = label_locale(graph, labels, options.stop);
  } else {
    report = component_finder(graph, labels, options).run();
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace orujo::internal::algorithms
