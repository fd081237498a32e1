#include "applications/graph_tool/check.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

#include "applications/harness/harness.hpp"
#include "framework/formats/orj_file.hpp"
#include "framework/graph/build/load.hpp"
#include "framework/graph/store/orj/check.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph_tool {
namespace {

// Returns nothing if the file is of another format.
result<std::optional<formats::orj_header>> check_if_orj() {
  return loops::on_all_cores([]() -> result<std::optional<formats::orj_header>> {
    const graph::load_request request = graph::load_request_from_flags().value();
    std::optional<formats::orj_header> none;
    if (request.source.format && request.source.format != formats::file_format::orj) return none;
    const auto opened = formats::open_source(request.source.file);
    if (status failed = collectives::first_failure(opened.status()); !failed.ok()) return failed;
    const auto header = formats::find_orj_header(*opened.value());
    if (status failed = collectives::first_failure(header.status()); !failed.ok()) return failed;
    if (!header.value()) return none;
    const auto all = graph::check_orj(request.source.file);
    if (!all.ok()) return all.status();
    return std::optional(all.value());
  });
}

void print_orj(const std::string& file, const formats::orj_header& h) {
  using harness::grouped;
  harness::print("{}: orj, version {}, {} bytes\n", file, formats::orj_version, grouped(h.file_bytes));
  harness::print("  {}, {}, {}, {}, layout {}\n", harness::counted(h.vertices, "vertex", "vertices"),
                 harness::counted(h.edges, "edge"), h.symmetric ? "symmetric" : "directed",
                 h.weighted ? "weighted" : "without weights", h.layout);
  for (std::size_t k = 0; k < formats::orj_sections; ++k) {
    const formats::orj_header::place& p = h.places[k];
    if (p.bytes == 0) continue;
    harness::print("  {:>14}  {:>18} bytes from {:>18}  {:016x}\n",
                   formats::name_of(static_cast<formats::orj_section>(k)), grouped(p.bytes), grouped(p.first),
                   p.checksum);
  }
}

status check_other(const std::string& file) {
  const auto loaded = graph::load_from_flags({.in_vectors = false, .in_rows = true});
  if (!loaded.ok()) return loaded.status();
  const graph::loaded_graph& g = loaded.value();
  harness::print("{}: {}, {} bytes\n", file, g.format, harness::grouped(std::filesystem::file_size(file)));
  harness::print("  {}, {}, {}\n", harness::counted(g.vertices, "vertex", "vertices"),
                 harness::counted(g.edges, "edge"), g.graph.here().weighted ? "weighted" : "without weights");
  g.graph.destroy();
  return {};
}

}  // namespace

status check() {
  const auto request = graph::load_request_from_flags();
  if (!request.ok()) return request.status();
  const std::string& file = request.value().source.file;
  if (file.empty()) return {exit_status::usage, "check requires a file: add --graph=FILE"};
  const auto start = std::chrono::steady_clock::now();
  const auto orj = check_if_orj();
  if (!orj.ok()) return orj.status();
  if (orj.value()) {
    print_orj(file, *orj.value());
  } else if (status failed = check_other(file); !failed.ok()) {
    return failed;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  harness::print("all is well ({:.2f} s)\n", seconds);
  return {};
}

}  // namespace orujo::internal::graph_tool
