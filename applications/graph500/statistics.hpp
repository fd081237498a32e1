// The statistics of the Graph500 benchmark's output.
#pragma once

#include <vector>

namespace orujo::internal::graph500 {

struct statistics {
  double minimum = 0, first_quartile = 0, median = 0, third_quartile = 0, maximum = 0;
  double mean = 0;                // harmonic, of rates
  double standard_deviation = 0;  // of the sample; of rates the standard error of the harmonic mean
};

// Statistics of at least one value. The deviations of a single one are 0.
statistics describe(std::vector<double> values);

// Statistics of rates, each above 0, as the benchmark requires them (Norris, "The Standard Errors of the
// Geometric and Harmonic Means", Annals of Mathematical Statistics 11, 1940).
statistics describe_rates(std::vector<double> rates);

}  // namespace orujo::internal::graph500
