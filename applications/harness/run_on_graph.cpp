// A source apart from graph_harness.cpp, so that only programs that write a result have --output.
#include <gflags/gflags.h>

#include <utility>

#include "applications/harness/graph_harness.hpp"
#include "framework/layout/load.hpp"
#include "system/base/flags.hpp"
#include "system/files/file_flags.hpp"

DEFINE_string(output, "",
              "file for the result, one line per vertex in ascending order of the ids or names; -: stdout; "
              "FILE.csv: with a header; FILE.npy: an array for NumPy");
DEFINE_string(output_format, "plain",
              "format of --output: plain, or ldbc (LDBC Graphalytics: levels only for a search, "
              "9223372036854775807 for an unreached vertex, Infinity for an infinite distance)");

static const orujo::internal::base::telling_flags told_to_files{"output"};
static const orujo::internal::files::file_flag written_values("output",
                                                              orujo::internal::files::file_flag::written);

namespace orujo::internal::harness {
namespace {

const flag_rule output_format_rule(
    "output_format", [] { return FLAGS_output_format == "plain" || FLAGS_output_format == "ldbc"; },
    "plain or ldbc");
const base::flag_need output_format_need(
    {"output_format"}, [] { return !FLAGS_output.empty(); }, "with --output");

}  // namespace

results::row_format output_row_format() { return results::row_format_of(FLAGS_output); }

bool writes_ldbc() { return FLAGS_output_format == "ldbc"; }

result<outputs> outputs::from_flags() {
  if (writes_ldbc() && output_row_format() != results::row_format::text)
    return status(exit_status::usage,
                  "--output_format=ldbc is text: pass --output another name than " + FLAGS_output);
  auto stats_file = open_stats();
  if (!stats_file.ok()) return stats_file.status();
  auto values = files::output_file::open(FLAGS_output);
  if (!values.ok()) return values.status();
  return outputs{std::move(values).value(), std::move(stats_file).value()};
}

status run_on_graph(
    const std::string& application, const graph::edge_forms& keep,
    const std::function<status(const graph::loaded_graph&, files::output_file&, report&)>& work) {
  auto files = outputs::from_flags();
  if (!files.ok()) return files.status();
  auto loaded = layout::load_from_flags(keep);
  if (!loaded.ok()) return loaded.status();
  const graph::loaded_graph& g = loaded.value();
  if (output_row_format() == results::row_format::npy && g.graph.here().names)
    return {exit_status::usage, ".npy output requires integer ids, and this graph has names: write a .csv"};
  stats all = tell_graph(application, g);
  report about;
  begin_step(step::computing, application);
  const status done = work(g, files.value().values, about);
  end_step();
  if (!done.ok()) return done;
  for (const trial& t : about.trials) {
    all.trials.push_back({{"seconds", t.seconds},
                          {"iterations", t.iterations},
                          {"edges_per_second", static_cast<double>(t.edges_processed) / t.seconds}});
    all.trials.back().update(t.more);
  }
  all.verified = about.verified;
  all.further.update(about.further);
  if (status written = write_stats(all, files.value().stats); !written.ok()) return written;
  g.graph.destroy();
  if (about.verified == false) return {exit_status::failed, "the result differs from the serial oracle's"};
  return {};
}

}  // namespace orujo::internal::harness
