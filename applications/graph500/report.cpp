#include "applications/graph500/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "applications/graph500/statistics.hpp"
#include "applications/harness/harness.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::graph500 {
namespace {

constexpr std::size_t value_column = 32;

template <class Value>
void print_line(const std::string& name, const Value& value, std::string_view mark = "") {
  harness::print("{:<{}}{:<{}}{:g}\n", name + ":", value_column - mark.size(), mark, mark.size(),
                 static_cast<double>(value));
}

void print_count(const std::string& name, std::uint64_t value) {
  harness::print("{:<{}}{}\n", name + ":", value_column, value);
}

// The lines in the reference code's order: name and value.
std::vector<std::pair<std::string, double>> lines_of(const statistics& s, const std::string& what,
                                                     const std::string& of_mean = "") {
  return {{"min_" + what, s.minimum},
          {"firstquartile_" + what, s.first_quartile},
          {"median_" + what, s.median},
          {"thirdquartile_" + what, s.third_quartile},
          {"max_" + what, s.maximum},
          {of_mean + "mean_" + what, s.mean},
          {of_mean + "stddev_" + what, s.standard_deviation}};
}

std::string prefix_of(const kernel_record& kernel) { return fmt::format("{:<5}", kernel.name); }

void print_statistics(const kernel_record& of, const std::string& what, const statistics& s,
                      const std::string& of_mean = "") {
  for (const auto& [name, value] : lines_of(s, what, of_mean))
    print_line(prefix_of(of) + name, value, name.starts_with("harmonic_mean") ? "!  " : "");
}

template <class Value>
std::vector<double> values_of(const kernel_record& of, Value value) {
  std::vector<double> values;
  for (const search_record& s : of.searches) values.push_back(value(s));
  return values;
}

double rate(const search_record& s) { return static_cast<double>(s.edges) / s.figures.seconds; }

}  // namespace

namespace {

// Prints the lines that the reference code does not have.
void print_parts(const kernel_record& of) {
  const auto& parts = of.searches.front().figures.parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto mean_of = [&](double part_seconds::*which) {
      return describe(values_of(of, [=](const auto& s) { return s.figures.parts[k].*which; })).mean;
    };
    print_line(prefix_of(of) + "mean_" + parts[k].name + "_time", mean_of(&part_seconds::mean));
    print_line(prefix_of(of) + "max_" + parts[k].name + "_time", mean_of(&part_seconds::most));
  }
  const auto& bytes = of.searches.front().figures.bytes;
  for (std::size_t k = 0; k < bytes.size(); ++k) {
    const auto mean = [&](std::uint64_t exchange::byte_counts::*which) {
      return describe(values_of(of,
                                [=](const auto& s) {
                                  return static_cast<double>(s.figures.bytes[k].second.*which);
                                }))
          .mean;
    };
    print_line(prefix_of(of) + "mean_" + bytes[k].first + "_bytes_raw", mean(&exchange::byte_counts::raw));
    print_line(prefix_of(of) + "mean_" + bytes[k].first + "_bytes", mean(&exchange::byte_counts::sent));
  }
}

}  // namespace

void print_block(const std::vector<kernel_record>& kernels) {
  if (!std::ranges::all_of(kernels, &kernel_record::right)) {
    harness::print("No results printed for invalid run.\n");
    return;
  }
  const kernel_record& last = kernels.back();
  double generation = 0, construction = 0;
  for (const kernel_record& of : kernels) {
    generation += of.generation_seconds;
    construction += of.construction_seconds;
  }
  print_count("SCALE", last.scale);
  print_count("edgefactor", last.edge_factor);
  print_count("NBFS", last.searches.size());
  print_line("graph_generation", generation);
  print_count("num_mpi_processes", static_cast<std::uint64_t>(locales()));
  print_line("construction_time", construction);
  for (const kernel_record& of : kernels)
    print_statistics(of, "time", describe(values_of(of, [](const auto& s) { return s.figures.seconds; })));
  const auto edges = describe(values_of(last, [](const auto& s) { return static_cast<double>(s.edges); }));
  for (const auto& [name, value] : lines_of(edges, "nedge"))
    harness::print("{:<{}}{:.11g}\n", name + ":", value_column, value);
  for (const kernel_record& of : kernels) {
    if (of.validated) print_statistics(of, "TEPS", describe_rates(values_of(of, rate)), "harmonic_");
  }
  for (const kernel_record& of : kernels) {
    if (of.validated)
      print_statistics(of, "validate",
                       describe(values_of(of, [](const auto& s) { return s.validate_seconds; })));
  }
  for (const kernel_record& of : kernels) print_parts(of);
}

void append_trials(const kernel_record& of, base::json& trials) {
  for (const search_record& s : of.searches) {
    base::json one = {{"seconds", s.figures.seconds},
                      {"kernel", of.name},
                      {"root", s.root},
                      {"edges", s.edges},
                      {"construction_seconds", of.construction_seconds}};
    if (of.right && of.validated) one["edges_per_second"] = rate(s);
    if (of.validated) one["validate_seconds"] = s.validate_seconds;
    for (const auto& [name, mean, most] : s.figures.parts) {
      one[name + "_seconds"] = mean;
      one[name + "_seconds_max"] = most;
    }
    for (const auto& [name, bytes] : s.figures.bytes) {
      one[name + "_bytes_raw"] = bytes.raw;
      one[name + "_bytes"] = bytes.sent;
    }
    trials.push_back(std::move(one));
  }
}

}  // namespace orujo::internal::graph500
