// Clusters the rows of a table by k-means.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"
#include "applications/kmeans/lloyd.hpp"
#include "applications/kmeans/points.hpp"
#include "applications/tally/flags.hpp"
#include "applications/tally/table_flags.hpp"
#include "framework/formats/text_tokens.hpp"
#include "framework/results/gathered_text.hpp"
#include "framework/verify/kmeans_oracle.hpp"
#include "framework/verify/plain_table.hpp"
#include "system/base/flags.hpp"
#include "system/base/numbers.hpp"
#include "system/base/ticks.hpp"
#include "system/collectives/collectives.hpp"
#include "system/containers/symmetric.hpp"
#include "system/files/file_flags.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_string(generate, "",
              "points to generate, ROWSxCOLUMNS such as 1000000x8; exactly one of this and --input");
DEFINE_uint64(blobs, 16,
              "number of random centres around which generated points lie; 0: points are uniform in a cube");
DEFINE_string(
    columns, "",
    "names or numbers, from 1 on, of the columns of --input to use, separated by commas; empty: all");
DEFINE_int32(clusters, 8, "number of clusters");
DEFINE_string(
    start, "kmeans++",
    "choice of the first centres: kmeans++ (rows far from each other) or random (any different rows)");
DEFINE_int32(max_iterations, 300, "maximum number of iterations");
DEFINE_double(tolerance, 1e-4,
              "sum of the squared moves of all centres at which to stop, as a multiple of the mean variance "
              "of the columns; 0: stop when no row changes its cluster");
DEFINE_string(centers_output, "", "file for the centres, one line per centre, columns separated by commas");
DEFINE_uint64(seed, 1, "seed of the first centres and of generated points");

namespace orujo::internal {
namespace {

using kmeans::local_points, kmeans::made_points;

// ROWSxCOLUMNS; no rows or columns if the flag has another form.
made_points made_points_from_flags() {
  made_points made{0, 0, FLAGS_blobs, FLAGS_seed};
  const std::string_view text = FLAGS_generate;
  const std::size_t by = std::min(text.find('x'), text.size());
  const auto rows = base::number_of<decltype(made.rows)>(text.substr(0, by));
  const auto columns = base::number_of<decltype(made.columns)>(text.substr(std::min(by + 1, text.size())));
  if (!rows || !columns) return {};
  made.rows = *rows, made.columns = *columns;
  return made;
}

const files::file_flag written_centers("centers_output", files::file_flag::written);
const flag_rule generate_rule(
    "generate",
    [] {
      const made_points made = made_points_from_flags();
      return FLAGS_generate.empty() ||
             (made.rows > 0 && made.columns > 0 && made.rows <= std::uint64_t{1} << 32);
    },
    "ROWSxCOLUMNS, such as 1000000x8");
const base::flag_need generate_need(
    {"blobs"}, [] { return !FLAGS_generate.empty(); }, "with --generate");
const base::flag_need input_need(
    {"columns", "separator", "header"}, [] { return FLAGS_generate.empty(); }, "with --input");
const flag_rule clusters_rule(
    "clusters", [] { return FLAGS_clusters >= 1 && FLAGS_clusters <= 1'000'000; }, "from 1 to 1000000");
const flag_rule iterations_rule(
    "max_iterations", [] { return FLAGS_max_iterations >= 1; }, "at least 1");
const flag_rule tolerance_rule(
    "tolerance", [] { return FLAGS_tolerance >= 0 && std::isfinite(FLAGS_tolerance); }, "at least 0");
const flag_rule start_rule(
    "start", [] { return FLAGS_start == "kmeans++" || FLAGS_start == "random"; }, "kmeans++ or random");

std::size_t clusters() { return static_cast<std::size_t>(FLAGS_clusters); }

// Each core's objects, from the points to the labels of the last trial.
struct part {
  local_points points;
  std::vector<double> start;  // centres
  std::unique_ptr<kmeans::lloyd> found;
};
using parts = containers::symmetric<part>;

// The results that core 0 collects, in the main task's memory.
struct heard {
  status failed = {};
  std::uint64_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::string> names = {};  // of the columns; none without a header
  double start_seconds = 0, seconds = 0;
  kmeans::outcome of = {};
  std::vector<double> start = {}, centers = {};
  std::vector<std::vector<double>> values = {};  // by core
  std::vector<std::vector<std::uint32_t>> labels = {};
};
using address_of_heard = memory::global_address<heard>;

// [collective over the job]
result<local_points> points_here(std::vector<std::string>& names) {
  if (!FLAGS_generate.empty()) return kmeans::make_points(made_points_from_flags());
  const auto files = mapreduce::find_input_on_all(tally::input());
  if (!files.ok()) return files.status();
  const auto shape = mapreduce::find_table(
      files.value(), tally::table_request_from_flags(tally::parts_of_list(FLAGS_columns), true));
  if (status failed = collectives::first_failure(shape.status()); !failed.ok()) return failed;
  if (shape.value().header) names = shape.value().names;
  return kmeans::read_points(files.value(), shape.value());
}

heard load(parts all) {
  heard h;
  const address_of_heard to(my_core(), &h);
  loops::on_all_cores([all, to] {
    std::vector<std::string> names;
    auto points = points_here(names);
    const status failed = points.status();
    if (failed.ok()) all.emplace_here().points = std::move(points).value();
    if (my_core() != to.core()) return;
    to.local()->failed = failed;
    if (!failed.ok()) return;
    to.local()->rows = all.here().points.count;
    to.local()->columns = all.here().points.columns;
    to.local()->names = names;
  });
  if (h.failed.ok() && h.rows < clusters())
    h.failed = {exit_status::bad_data, fmt::format("{}: {}, and --clusters={}; expected as many rows or more",
                                                   FLAGS_generate.empty() ? tally::input() : FLAGS_generate,
                                                   harness::counted(h.rows, "row"), clusters())};
  return h;
}

void run_trial(parts all, int trial, heard& h) {
  const address_of_heard to(my_core(), &h);
  loops::on_all_cores([all, to, trial] {
    part& mine = all.here();
    const std::uint64_t begun = base::now_ns(), seed = FLAGS_seed + static_cast<std::uint64_t>(trial);
    mine.start = FLAGS_start == "random" ? kmeans::random_centers(mine.points, clusters(), seed)
                                         : kmeans::spread_centers(mine.points, clusters(), seed);
    const std::uint64_t started = base::now_ns();
    mine.found = std::make_unique<kmeans::lloyd>(mine.points, mine.start, machine::simd_from_flags());
    const kmeans::outcome outcome = mine.found->run({FLAGS_max_iterations, FLAGS_tolerance});
    if (my_core() != to.core()) return;
    heard& told = *to.local();
    told.start_seconds = 1e-9 * static_cast<double>(started - begun);
    told.seconds = 1e-9 * static_cast<double>(base::now_ns() - started);
    told.of = outcome;
    told.start = mine.start;
    told.centers.assign(mine.found->centers().begin(), mine.found->centers().end());
  });
}

void tell_trial(const heard& h, harness::stats& to) {
  const kmeans::outcome& o = h.of;
  const double all = std::max(1e-9, o.spent.map + o.spent.reduce + o.spent.network);
  const double distances = static_cast<double>(o.looked_at) * static_cast<double>(clusters());
  const double of_all = static_cast<double>(h.rows) * static_cast<double>(clusters()) * o.iterations;
  harness::print(
      "kmeans: {}, {}{}, inertia {:.6e}, {:.4f} s (start {:.4f} s): {:.2f} ms per "
      "iteration; map "
      "{:.0f}%, reduce {:.0f}%, network {:.0f}%; {:.0f}% of the distances were computed\n",
      harness::counted(clusters(), "cluster"), harness::counted(o.iterations, "iteration"),
      o.converged ? "" : " (not converged)", o.inertia, h.seconds, h.start_seconds,
      1e3 * h.seconds / o.iterations, 100 * o.spent.map / all, 100 * o.spent.reduce / all,
      100 * o.spent.network / all, 100 * distances / of_all);
  if (o.refilled > 0)
    harness::print("kmeans: {} given a point\n", harness::counted(o.refilled, "empty cluster"));
  if (o.empty > 0)
    harness::print("kmeans: {} without a row: there are fewer different rows than --clusters={}\n",
                   harness::counted(o.empty, "cluster"), clusters());
  to.trials.push_back({{"seconds", h.seconds},
                       {"iterations", o.iterations},
                       {"converged", o.converged},
                       {"inertia", o.inertia},
                       {"start_seconds", h.start_seconds},
                       {"map_seconds", o.spent.map},
                       {"reduce_seconds", o.spent.reduce},
                       {"network_seconds", o.spent.network},
                       {"distances", distances},
                       {"refilled", o.refilled},
                       {"empty", o.empty}});
}

// "ROW LABEL", with rows from 0 on.
void write_labels(parts all, files::output_file& output) {
  const auto lines = containers::symmetric<results::text_pieces>::reserve();
  loops::on_all_cores([all, lines] {
    constexpr std::size_t piece_bytes = std::size_t{1} << 20;
    results::text_pieces& pieces = lines.emplace_here(1);
    std::uint64_t row = all.here().points.first;
    for (const std::uint32_t label : all.here().found->labels()) {
      if (pieces.back().size() > piece_bytes) pieces.emplace_back();
      fmt::format_to(std::back_inserter(pieces.back()), "{} {}\n", row++, label);
    }
  });
  results::write_texts(lines, output);
  lines.destroy();
}

void write_centers(const heard& h, files::output_file& output) {
  if (!h.names.empty()) output.write(fmt::format("{}\n", fmt::join(h.names, ",")));
  for (std::size_t k = 0; k < clusters(); ++k) {
    const auto first = h.centers.begin() + static_cast<std::ptrdiff_t>(k * h.columns);
    output.write(fmt::format("{}\n", fmt::join(first, first + static_cast<std::ptrdiff_t>(h.columns), ",")));
  }
}

// Compares the points with the rows of the files, in their order. Returns the first difference, or an empty
// text.
std::string difference_of_rows(const std::vector<double>& points, std::size_t columns) {
  if (!FLAGS_generate.empty()) return "";
  const auto files = mapreduce::find_input(tally::input());
  if (!files.ok()) return files.status().message();
  const mapreduce::table_request as =
      tally::table_request_from_flags(tally::parts_of_list(FLAGS_columns), true);
  const auto read = verify::read_plain_table(mapreduce::paths_of(files.value()), {as.separator, as.header});
  if (!read.ok()) return read.status().message();
  const verify::plain_table& table = read.value();
  if (table.rows.size() * columns != points.size())
    return "they have " + harness::counted(table.rows.size(), "row");
  for (std::size_t j = 0; j < columns; ++j) {
    const std::size_t column = as.columns.empty() ? j : table.column(as.columns[j]);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const std::string& text = table.rows[i][column].text;
      if (std::strtod(text.c_str(), nullptr) != points[i * columns + j])
        return fmt::format("row {} has {} in column {}", i, formats::shown(text), j + 1);
    }
  }
  return "";
}

// Computes everything at core 0 once more, one point after the other.
void check(parts all, heard& h, harness::stats& stats) {
  constexpr double tolerance = 1e-6;  // of the sums, which cores add in another order
  const address_of_heard to(my_core(), &h);
  loops::on_all_cores([all, to] {
    const part& mine = all.here();
    auto values =
        collectives::gather(std::vector<double>(mine.points.values.begin(), mine.points.values.end()), 0);
    auto labels = collectives::gather(
        std::vector<std::uint32_t>(mine.found->labels().begin(), mine.found->labels().end()), 0);
    if (my_core() == to.core())
      to.local()->values = std::move(values), to.local()->labels = std::move(labels);
  });
  std::vector<double> points;
  std::vector<std::uint32_t> labels;
  for (const auto& of_core : h.values) points.insert(points.end(), of_core.begin(), of_core.end());
  for (const auto& of_core : h.labels) labels.insert(labels.end(), of_core.begin(), of_core.end());
  const std::string misread = difference_of_rows(points, h.columns);
  const verify::cluster_check fit = verify::check_clusters(points, h.columns, h.centers, labels);
  const verify::serial_clusters serial =
      verify::cluster_serially(points, h.columns, h.start, FLAGS_max_iterations, FLAGS_tolerance);
  const auto apart = [](double a, double b) { return std::abs(a - b) / std::max({a, b, 1e-300}); };
  const double of_told = apart(h.of.inertia, fit.inertia), of_serial = apart(h.of.inertia, serial.inertia);
  const bool right = misread.empty() && fit.farther == 0 && labels.size() == h.rows && of_told <= tolerance &&
                     of_serial <= tolerance;
  stats.verified = right;
  if (!misread.empty())
    return harness::print("\nNOT VERIFIED against a plain reader of the files: {}\n", misread);
  harness::print(
      "\n{} against the serial oracle: {} in another cluster than the nearest, the inertia "
      "differs by {:.1e} "
      "from that of these centres and by {:.1e} from the oracle's after {}\n",
      right ? "verified" : "NOT VERIFIED", harness::counted(fit.farther, "point"), of_told, of_serial,
      harness::counted(serial.iterations, "iteration"));
}

status main_task() {
  if (FLAGS_generate.empty() == tally::input().empty())
    return {exit_status::usage, "pass exactly one of --input and --generate"};
  auto stats_file = harness::open_stats();
  if (!stats_file.ok()) return stats_file.status();
  auto output = tally::open_output();
  if (!output.ok()) return output.status();
  auto centers = files::output_file::open(FLAGS_centers_output);
  if (!centers.ok()) return centers.status();

  const auto all = parts::reserve();
  const std::uint64_t begun = base::now_ns();
  heard h = load(all);
  if (!h.failed.ok()) return h.failed;
  const double load_seconds = 1e-9 * static_cast<double>(base::now_ns() - begun);
  const std::string source = FLAGS_generate.empty() ? tally::input() : FLAGS_generate;
  harness::print("points: {}, {} x {}, loaded in {:.2f} s ({})\n", source, harness::grouped(h.rows),
                 h.columns, load_seconds, harness::job_shape_text());
  harness::stats stats{"kmeans", "points", {{"source", source}, {"rows", h.rows}, {"columns", h.columns}}};
  stats.further["clusters"] = FLAGS_clusters;
  stats.further["start"] = FLAGS_start;
  stats.further["load_seconds"] = load_seconds;
  for (int k = 0; k < harness::trials(); ++k) {
    run_trial(all, k, h);
    tell_trial(h, stats);
  }
  if (output.value().wanted()) write_labels(all, output.value());
  if (status written = output.value().finish(); !written.ok()) return written;
  if (centers.value().wanted()) write_centers(h, centers.value());
  if (status written = centers.value().finish(); !written.ok()) return written;
  if (harness::verify()) check(all, h, stats);
  all.destroy();
  if (status written = write_stats(stats, stats_file.value()); !written.ok()) return written;
  if (stats.verified == false)
    return {exit_status::failed, "the clusters are not those of the serial oracle"};
  return {};
}

}  // namespace
}  // namespace orujo::internal

int main(int argc, char** argv) {
  return orujo::run(
      argc, argv,
      "kmeans: clusters of the rows of a table, by k-means.\n\n"
      "  bin/orujo run kmeans --input=points.csv --columns=x,y --clusters=5 --output=labels.txt\n"
      "  bin/orujo run -n 2 kmeans --generate=1000000x8 --clusters=16 --verify",
      &orujo::internal::main_task);
}
