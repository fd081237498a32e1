#include "applications/graph500/report.hpp"

#include "applications/graph500/statistics.hpp"
#include "applications/harness/harness.hpp"
#include "system/base/identity.hpp"

namespace orujo::graph500 {
namespace {

template <class Value>
void print_line(const std::string& name, const Value& value) {
  harness::print("{:<31} {:g}\n", name + ":", static_cast<double>(value));
}

void print_count(const std::string& name, std::uint64_t value) {
  harness::print("{:<31} {}\n", name + ":", value);
}

void print_statistics(const std::string& kernel, const std::string& what, const statistics& s,
                      const std::string& of_mean = "") {
  const std::string before = kernel + "  ";
  print_line(before + "min_" + what, s.minimum);
  print_line(before + "firstquartile_" + what, s.first_quartile);
  print_line(before + "median_" + what, s.median);
  print_line(before + "thirdquartile_" + what, s.third_quartile);
  print_line(before + "max_" + what, s.maximum);
  print_line(before + of_mean + "mean_" + what, s.mean);
  print_line(before + of_mean + "stddev_" + what, s.standard_deviation);
}

template <class Value>
std::vector<double> values_of(const kernel_record& of, Value value) {
  std::vector<double> values;
  for (const search_record& s : of.searches) values.push_back(value(s));
  return values;
}

double rate(const search_record& s) { return static_cast<double>(s.edges) / s.figures.seconds; }

}  // namespace

void print_block(const kernel_record& of) {
  print_count("SCALE", of.scale);
  print_count("edgefactor", of.edge_factor);
  print_count("NBFS", of.searches.size());
  print_line("graph_generation", of.generation_seconds);
  print_count("num_mpi_processes", static_cast<std::uint64_t>(locales()));
  print_line("construction_time", of.construction_seconds);
  print_statistics(of.name, "time", describe(values_of(of, [](const auto& s) { return s.figures.seconds; })));
  print_statistics(of.name, "nedge",
                   describe(values_of(of, [](const auto& s) { return static_cast<double>(s.edges); })));
  print_statistics(of.name, "TEPS", describe_rates(values_of(of, rate)), "harmonic_");
  if (of.validated)
    print_statistics(of.name, "validate",
                     describe(values_of(of, [](const auto& s) { return s.validate_seconds; })));
  const auto& parts = of.searches.front().figures.parts;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto seconds = values_of(of, [k](const auto& s) { return s.figures.parts[k].second; });
    print_line(of.name + "  mean_" + parts[k].first + "_time", describe(seconds).mean);
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
    print_line(of.name + "  mean_" + bytes[k].first + "_bytes_raw", mean(&exchange::byte_counts::raw));
    print_line(of.name + "  mean_" + bytes[k].first + "_bytes", mean(&exchange::byte_counts::sent));
  }
}

void append_trials(const kernel_record& of, json& trials) {
  for (const search_record& s : of.searches) {
    json one = {{"seconds", s.figures.seconds},
                {"edges_per_second", rate(s)},
                {"kernel", of.name},
                {"root", s.root},
                {"edges", s.edges},
                {"construction_seconds", of.construction_seconds}};
    if (of.validated) one["validate_seconds"] = s.validate_seconds;
    for (const auto& [name, seconds] : s.figures.parts) one[name + "_seconds"] = seconds;
    for (const auto& [name, bytes] : s.figures.bytes) {
      one[name + "_bytes_raw"] = bytes.raw;
      one[name + "_bytes"] = bytes.sent;
    }
    trials.push_back(std::move(one));
  }
}

}  // namespace orujo::graph500
