// What every graph application shares beside harness.hpp: results by vertex, the statistics of a graph.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/by_position.hpp"
#include "applications/harness/harness.hpp"
#include "applications/harness/vertex_labels.hpp"
#include "framework/gas/property.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/vertex_names.hpp"
#include "framework/verify/simple_graph.hpp"
#include "framework/verify/value_comparison.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::harness {

struct trial {
  double seconds = 0;
  int iterations = 0;
  std::uint64_t edges_processed = 0;
  json more = json::object();  // the application's own keys
};

struct report {
  std::vector<trial> trials;
  std::optional<bool> verified;   // empty: nobody asked
  json further = json::object();  // the application's own keys
};

struct outputs {
  output_file values;  // --output
  output_file stats;   // --stats_json
  static result<outputs> from_flags();
};

// Any thread. A usage error without --symmetrize.
status wants_symmetrize(const std::string& application);

// Prints the line about the graph, and returns what the statistics of everyone who has one begin with.
stats tell_graph(const std::string& application, const graph::loaded_graph& g);

// [task; suspends] What is around every application's own part: opens the outputs, loads the graph, tells
// about it, runs work(loaded graph, output, report), writes the statistics; fails where the result was found
// wrong.
status run_on_graph(const std::string& application, const graph::edge_forms& keep,
                    const std::function<status(const graph::loaded_graph&, output_file&, report&)>& work);

// Prints what a comparison with the serial oracle came to, and notes it.
template <class Comparison>
void tell_verdict(const Comparison& check, report& to) {
  to.verified = check.agrees();
  print("\n{} {}\n", check.agrees() ? "verified" : "NOT VERIFIED", check.describe());
}

// Any thread. The graph that the flags name as the serial oracles want it, from the input's own edges.
result<verify::simple_graph> serial_graph();

// Some vertices' values.
template <class T>
struct vertex_values : vertex_labels {
  std::vector<T> values;
};

// [task; suspends] Calls visit(vertex_values<T>) until it has had all vertices, in ascending order of the
// external ids. Takes sizeof(T) + 8 bytes per vertex, spread over the cores, and a core's share here, with
// its names.
template <class T, class Visit>
void visit_vertices(graph::distributed_graph graph, gas::property<T> property, Visit visit) {
  struct vertex {
    std::uint64_t id;
    T value;
  };
  const auto all = by_position<vertex>(graph, [property](const graph::locale_graph& g, std::uint32_t v) {
    return vertex{g.external_id(v), property.here()[v]};
  });
  std::vector<vertex> fetched;
  vertex_values<T> some;
  for (std::size_t first = 0; first < all.size(); first += fetched.size()) {
    fetched.resize(std::min(all.block_size(), all.size() - first));
    const memory::global_address<vertex> from = all[first];
    delegates::get(memory::global_address<const vertex>(from.core(), from.local()), std::span(fetched));
    some.ids.clear();
    some.values.clear();
    for (const vertex& v : fetched) {
      some.ids.push_back(v.id);
      some.values.push_back(v.value);
    }
    if (const auto& names = graph.here().names) some.names = names->part(first, first + fetched.size());
    visit(some);
  }
  all.destroy();
}

// [task; suspends] Writes the values to --output, adds them to the comparison, if there is one, and passes
// them to also(vertex_label, value), in ascending order of the ids.
template <class T, class Comparison, class Also>
void tell_values(graph::distributed_graph graph, gas::property<T> values, std::optional<Comparison>& check,
                 output_file& output, Also also) {
  visit_vertices(graph, values, [&](const vertex_values<T>& part) {
    for (std::size_t k = 0; k < part.ids.size(); ++k) {
      also(part.label(k), part.values[k]);
      if (output.wanted()) output.write(fmt::format("{} {}\n", part.label(k), part.values[k]));
      if (check) check->add(part.ids[k], part.values[k]);
    }
  });
}

// After that: what tell_verdict() says of the comparison.
template <class Comparison>
status finish_values(const std::optional<Comparison>& check, output_file& output, report& to) {
  if (status written = output.finish(); !written.ok()) return written;
  if (check) tell_verdict(*check, to);
  return {};
}

// [task; suspends] Both, for those who have nothing to add.
template <class T, class Comparison>
status report_compared(graph::distributed_graph graph, gas::property<T> values,
                       std::optional<Comparison> check, output_file& output, report& to) {
  if (output.wanted() || check)
    tell_values(graph, values, check, output, [](const vertex_label&, const T&) {});
  return finish_values(check, output, to);
}

// [task; suspends] Writes the values to --output and, with --verify, compares them with what
// oracle(verify::simple_graph) computes; what: of the values, in the plural.
template <class T, class Oracle>
status report_values(graph::distributed_graph graph, gas::property<T> values, const std::string& what,
                     Oracle oracle, output_file& output, report& to) {
  std::optional<verify::value_comparison<T>> check;
  if (verify()) {
    const auto simple = serial_graph();
    if (!simple.ok()) return simple.status();
    check.emplace(what, simple.value().ids(), oracle(simple.value()));
  }
  return report_compared(graph, values, std::move(check), output, to);
}

}  // namespace orujo::harness
