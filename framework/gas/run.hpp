// Runs vertex programs.
#pragma once

#include <span>
#include <type_traits>

#include "framework/gas/check_program.hpp"
#include "framework/gas/device_code.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/relaxing_runner.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/runner.hpp"
#include "framework/gas/search_runner.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/property.hpp"
#include "system/base/identity.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::gas {

using graph::property;

namespace detail {

template <vertex_program Program>
struct runner_of {
  using type = runner<Program>;
};
template <searching_program Program>
struct runner_of<Program> {
  using type = search_runner<Program>;
};
template <relaxing_program Program>
struct runner_of<Program> {
  using type = relaxing_runner<Program>;
};
template <vertex_program Program>
using runner_for = typename runner_of<Program>::type;

// [task; suspends; collective over the job] `shown` receives the final values of all own vertices of the
// locale, unless it is empty.
template <class Program>
run_report run_here(Program& program, graph::locale_graph& g, const run_options& options,
                    std::span<typename Program::value> shown = {}) {
  if (const auto told = run_on_device(program, g, options, shown)) return *told;
  runner_for<Program> mine(program, g, options);
  const run_report told = mine.run();
  if constexpr (requires { mine.copy_shown(shown); }) {
    if (!shown.empty()) mine.copy_shown(shown);
  }
  return told;
}

// [task; suspends] Runs a copy of the program at every core. values_of() returns the span for the final
// values.
template <class Program, class ValuesOf>
run_report run_on_all_cores(Program& program, graph::distributed_graph graph, const run_options& options,
                            ValuesOf values_of) {
  const memory::global_address<Program> original(my_core(), &program);
  return loops::on_all_cores([=, sent = program] {
    Program copy = sent;
    return run_here(my_core() == original.core() ? *original.local() : copy, graph.here(), options,
                    values_of());
  });
}

}  // namespace detail

// [task; suspends; collective over the job] Runs a vertex program. Every core passes its own copy of it.
template <class Program>
run_report run(Program& program, graph::locale_graph& g, const run_options& options = {}) {
  if constexpr (detail::check_program<Program>())
    return detail::run_here(program, g, options);
  else
    return {};  // an assertion has failed
}

// [task; suspends] Runs a vertex program from one task, such as the main one. Copies of the program travel to
// all cores, so it holds handles and numbers. In the end `program` has the state of the calling core's copy.
template <class Program>
run_report run(Program& program, graph::distributed_graph graph, const run_options& options = {}) {
  if constexpr (detail::check_travelling_program<Program>())
    return detail::run_on_all_cores(program, graph, options,
                                    [] { return std::span<typename Program::value>(); });
  else
    return {};  // an assertion has failed
}

// [task; suspends] As run above, and stores in `shown`, a property of this graph, what every vertex shows in
// the end.
template <class Program>
run_report run(Program& program, graph::distributed_graph graph, property<typename Program::value> shown,
               const run_options& options = {}, const call_site& at = call_site::current()) {
  shown.require_graph(graph.here(), at);
  if constexpr (detail::check_travelling_program<Program>()) {
    static_assert(!delta_program<Program>,
                  "with deltas a vertex shows changes: keep its state in a property");
    static_assert(!program_of_sources<Program>,
                  "with value = source a vertex shows which it is: keep what apply() receives in a property");
    return detail::run_on_all_cores(program, graph, options, [shown] { return shown.here(); });
  } else {
    return {};  // an assertion has failed
  }
}

}  // namespace orujo::internal::gas
