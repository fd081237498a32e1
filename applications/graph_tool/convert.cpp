// graph_tool convert: a graph from a file or a generator to a file of any format.
#include "applications/graph_tool/convert.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "applications/harness/graph_harness.hpp"
#include "framework/formats/graph_files.hpp"
#include "framework/graph/store/orj/write.hpp"
#include "framework/graph/store/save.hpp"
#include "framework/layout/flags.hpp"
#include "framework/layout/load.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"

DECLARE_string(output);

static const std::string to_choices = "auto, " + std::string(orujo::internal::formats::format_list);
static const std::string to_help = "format of --output, of convert and generate: " + to_choices +
                                   "; auto: by its name (.el .wel .txt .csv .tsv .mtx .gr .graph .metis .sg "
                                   ".wsg .adj .g500 .packed .orj .graphml .gml; text may be "
                                   "compressed: .gz, .zst)";
DEFINE_string(to, "auto", to_help.c_str());
DEFINE_bool(renumber, false,
            "convert: number the vertices in the output by ascending ids, from 0 on, or from 1 on if the "
            "format begins there");

namespace orujo::internal::graph_tool {
namespace {

const flag_rule to_rule(
    "to", [] { return FLAGS_to == "auto" || formats::find_format(FLAGS_to).has_value(); },
    to_choices.c_str());

// The format may write files beside --output, which run_on_graph.cpp declares.
const files::file_flag written_beside("output", files::file_flag::written, [](const std::string& path) {
  std::vector<std::string> files = formats::files_of_graph(path, formats::find_format(FLAGS_to));
  files.erase(files.begin());
  return files;
});

// The request of the flags, as far as it is known before a graph is loaded.
result<graph::save_request> request_from_flags() {
  const auto usage = [](const std::string& what) { return status(exit_status::usage, what); };
  if (FLAGS_output.empty()) return usage("no file to write: pass --output=FILE");
  const auto format =
      FLAGS_to == "auto" ? formats::format_of_path(FLAGS_output) : formats::find_format(FLAGS_to);
  if (!format)
    return usage(fmt::format("--output={}: no format has this suffix; pass --to={}", FLAGS_output,
                             formats::format_list));
  const bool own = format == formats::file_format::orj;
  std::string_view rest = FLAGS_output;
  const bool binary = own || format == formats::file_format::gap || format == formats::file_format::graph500;
  if (!formats::take_compression(rest).empty() && binary)
    return usage(fmt::format("--output={}: {} is not compressed; remove the suffix", FLAGS_output,
                             formats::name_of(*format)));
  if (own && FLAGS_output == "-")
    return usage("--output=-: an .orj file cannot be streamed; pass the name of a file");
  if (own && FLAGS_renumber) return usage("--renumber: an .orj file keeps the ids; remove it");
  if (!own && (graph::partition_name() != "range" || layout::requests_order()))
    return usage(
        "vertices are written in the order of their ids, except in .orj files; remove --partition and "
        "--layout");
  return graph::save_request{FLAGS_output, *format, FLAGS_renumber};
}

using opened_sink = std::unique_ptr<formats::byte_sink>;

// Null for .orj files, which all cores write.
result<opened_sink> open_sink(const graph::save_request& request) {
  if (request.format == formats::file_format::orj) {
    if (status failed = graph::can_write_orj(request.path); !failed.ok()) return failed;
    return opened_sink();
  }
  return formats::byte_sink::open(request.path);
}

// The sink comes from open_sink().
result<graph::saved_file> write_graph(const graph::save_request& request, const graph::loaded_graph& g,
                                      const opened_sink& sink) {
  if (sink) return graph::save(g.graph, request, *sink);
  if (status failed = graph::write_orj(g.graph, request.path); !failed.ok()) return failed;
  std::error_code error;
  return graph::saved_file{.bytes = std::filesystem::file_size(request.path, error)};
}

}  // namespace

status convert() {
  const auto request = request_from_flags();
  if (!request.ok()) return request.status();
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  auto sink = open_sink(request.value());
  if (!sink.ok()) return sink.status();
  const auto loaded = layout::load_from_flags(sink.value() ? graph::forms_to_save(request.value().format)
                                                           : graph::forms_to_write);
  if (!loaded.ok()) return loaded.status();
  harness::stats all = harness::tell_graph("graph_tool", loaded.value());

  const auto start = std::chrono::steady_clock::now();
  const auto saved = write_graph(request.value(), loaded.value(), sink.value());
  if (!saved.ok()) return saved.status();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::string_view format = formats::name_of(request.value().format);
  if (const std::uint64_t lost = saved.value().isolated; lost > 0)
    LOG(WARNING) << FLAGS_output << ": " << format << " cannot hold vertices without edges; " << lost
                 << " of " << loaded.value().vertices << " are dropped";
  if (const std::int64_t shift = saved.value().id_shift; shift != 0)
    LOG(WARNING) << FLAGS_output << ": " << format << " numbers vertices from " << (shift > 0 ? 1 : 0)
                 << ", so each id in it is " << (shift > 0 ? "larger" : "less") << " by 1 than in "
                 << loaded.value().source;
  harness::print("written: {} ({}), {} bytes in {:.2f} s\n", FLAGS_output, format,
                 harness::grouped(saved.value().bytes), seconds);
  // Keys are set one by one, because g++ 12 destroys a partial list wrongly if memory runs out within it.
  base::json& written = all.further["written"];
  written["file"] = FLAGS_output;
  written["format"] = format;
  written["bytes"] = saved.value().bytes;
  written["seconds"] = seconds;
  loaded.value().graph.destroy();
  return harness::write_stats(all, stats_file.value());
}

}  // namespace orujo::internal::graph_tool
