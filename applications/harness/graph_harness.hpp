// The common parts of graph applications beside harness.hpp: results by vertex, the statistics of a graph.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/harness/label_format.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/property.hpp"
#include "framework/results/ordered_values.hpp"
#include "framework/verify/simple_graph.hpp"
#include "framework/verify/value_comparison.hpp"

namespace orujo::internal::harness {

struct trial {
  double seconds = 0;
  int iterations = 0;
  std::uint64_t edges_processed = 0;
  base::json more = base::json::object();  // the application's own keys
};

struct report {
  std::vector<trial> trials;
  std::optional<bool> verified;                  // empty: not requested
  std::vector<std::string> columns = {"value"};  // names of a vertex's numbers, in --output
  base::json further = base::json::object();     // the application's own keys
};

struct outputs {
  files::output_file values;  // --output
  files::output_file stats;   // --stats_json
  static result<outputs> from_flags();
};

// Any thread. A usage error without --symmetrize, which `of` requires, such as a flag's value.
status require_symmetrize(const std::string& of = "this application");

// [task] A usage error if the graph has no weights, which --weighted requires.
status require_weights(const graph::loaded_graph& g);

// [task; suspends] Prints the line about the graph, and returns the first members of all graph applications'
// statistics.
stats tell_graph(const std::string& application, const graph::loaded_graph& g);

// Any thread, one at a time. Shows the step on the terminal (`observe::progress_line`), and as a span of its
// name in the trace, until the next step begins or run_on_graph() ends. `application` is the line of
// computing.
enum class step { computing, verifying, writing };
void begin_step(step which, std::string application = {});
void end_step();

// [task; suspends] The frame of every graph application. It opens the outputs, loads the graph, prints its
// line, runs work(loaded graph, output, report), and writes the statistics. Fails if the result was found
// wrong.
status run_on_graph(
    const std::string& application, const graph::edge_forms& keep,
    const std::function<status(const graph::loaded_graph&, files::output_file&, report&)>& work);

// --output_format=ldbc
bool writes_ldbc();

// The format that the name of --output's file implies.
results::row_format output_row_format();

// A number in the output, as text.
struct value_text {
  bool ldbc;
  template <class T>
  void operator()(std::string& to, T value) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (ldbc && std::isinf(value)) {
        to += value < 0 ? "-Infinity" : "Infinity";
        return;
      }
    }
    results::as_decimals()(to, value);
  }
};

// Prints the outcome of a comparison with the serial oracle, and notes it.
template <class Comparison>
void tell_verdict(const Comparison& check, report& to) {
  to.verified = check.agrees();
  print("\n{} {}\n", check.agrees() ? "verified" : "NOT VERIFIED", check.describe());
}

// Any thread. The graph of the flags in the form of the serial oracles, from the input's own edges. It has
// weights if they are wanted and exist.
result<verify::simple_graph> serial_graph(bool with_weights = false);

// [task; suspends] Writes the values to --output, by all cores, in the report's columns. Passes all of them
// to `visit(results::vertex_values<T>)`, if given, in ascending order of the ids.
template <class T>
void tell_values(graph::distributed_graph graph, graph::property<T> values, files::output_file& output,
                 const std::type_identity_t<std::function<void(const results::vertex_values<T>&)>>& visit,
                 const report& to) {
  if (!output.wanted() && !visit) return;
  const auto ordered = results::ordered_values<T>::create(graph, values);
  if (output.wanted()) {
    begin_step(step::writing);
    ordered.write_table(output, output_row_format(), to.columns, value_text{writes_ldbc()});
  }
  if (visit) ordered.visit(visit);
  ordered.destroy();
}

// Reports the comparison by tell_verdict() afterwards.
template <class Comparison>
status finish_values(const std::optional<Comparison>& check, files::output_file& output, report& to) {
  if (status written = output.finish(); !written.ok()) return written;
  if (check) tell_verdict(*check, to);
  return {};
}

// [task; suspends] Does both, for applications that add only a comparison.
template <class T, class Comparison>
status report_compared(graph::distributed_graph graph, graph::property<T> values,
                       std::optional<Comparison> check, files::output_file& output, report& to) {
  std::function<void(const results::vertex_values<T>&)> compare;
  if (check) {
    compare = [&](const results::vertex_values<T>& part) {
      for (std::size_t k = 0; k < part.ids.size(); ++k) check->add(part.ids[k], part.values[k]);
    };
  }
  tell_values(graph, values, output, compare, to);
  return finish_values(check, output, to);
}

// [task; suspends] Writes the values to --output. With --verify, compares them with those of
// `oracle(verify::simple_graph)`. `what` names the values, in the plural.
template <class T, class Oracle>
status report_values(graph::distributed_graph graph, graph::property<T> values, const std::string& what,
                     Oracle oracle, files::output_file& output, report& to) {
  std::optional<verify::value_comparison<T>> check;
  if (verify()) {
    const auto simple = serial_graph(graph.here().weighted);
    if (!simple.ok()) return simple.status();
    check.emplace(what, simple.value().ids(), oracle(simple.value()));
  }
  return report_compared(graph, values, std::move(check), output, to);
}

}  // namespace orujo::internal::harness
