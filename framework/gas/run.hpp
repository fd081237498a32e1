// Runs vertex programs.
#pragma once

#include "framework/gas/check_program.hpp"
#include "framework/gas/program.hpp"
#include "framework/gas/run_options.hpp"
#include "framework/gas/runner.hpp"
#include "framework/graph/distributed_graph.hpp"

namespace orujo::gas {

// [task; suspends; collective over the job] Every core passes its copy of the program.
template <class Program>
run_report run(Program& program, graph::locale_graph& g, const run_options& options = {}) {
  detail::check_program<Program>();
  if constexpr (vertex_program<Program>) return runner<Program>(program, g, options).run();
}

}  // namespace orujo::gas
