#include "applications/graph_tool/convert.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <chrono>
#include <filesystem>

#include "applications/harness/graph_harness.hpp"
#include "framework/graph/orj_write.hpp"
#include "framework/layout/flags.hpp"

DECLARE_string(output);

namespace orujo::graph_tool {

status convert() {
  if (!FLAGS_output.ends_with(".orj")) return {exit_status::usage, "convert wants --output=FILE.orj"};
  const auto loaded = layout::load_from_flags(graph::forms_to_write);
  if (!loaded.ok()) return loaded.status();
  harness::tell_graph("graph_tool", loaded.value());
  const auto start = std::chrono::steady_clock::now();
  if (status failed = graph::write_orj(loaded.value().graph, FLAGS_output); !failed.ok()) return failed;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  loaded.value().graph.destroy();
  fmt::print("wrote {}: {} bytes in {:.2f} s\n", FLAGS_output,
             harness::grouped(std::filesystem::file_size(FLAGS_output)), seconds);
  return {};
}

}  // namespace orujo::graph_tool
