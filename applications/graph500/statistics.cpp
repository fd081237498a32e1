#include "applications/graph500/statistics.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orujo::internal::graph500 {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double sum_of_squared_distances(const std::vector<double>& values, double from) {
  return std::accumulate(values.begin(), values.end(), 0.0,
                         [=](double sum, double x) { return sum + (x - from) * (x - from); });
}

// All but the mean and the deviation. Quartiles are as in the reference code: between two values if the
// number of values is a multiple of four.
statistics describe_order(std::vector<double> values) {
  CHECK(!values.empty());
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  const auto between = [&](std::size_t a, std::size_t b) { return (values[a] + values[b]) / 2; };
  statistics s;
  s.minimum = values.front();
  s.first_quartile = between((n - 1) / 4, n / 4);
  s.median = between((n - 1) / 2, n / 2);
  s.third_quartile = between(n - 1 - (n - 1) / 4, n - 1 - n / 4);
  s.maximum = values.back();
  return s;
}

}  // namespace

statistics describe(std::vector<double> values) {
  statistics s = describe_order(values);
  s.mean = mean_of(values);
  if (values.size() > 1) {
    s.standard_deviation =
        std::sqrt(sum_of_squared_distances(values, s.mean) / static_cast<double>(values.size() - 1));
  }
  return s;
}

statistics describe_rates(std::vector<double> rates) {
  statistics s = describe_order(rates);
  for (double& rate : rates) rate = 1 / rate;
  const double mean_inverse = mean_of(rates);
  s.mean = 1 / mean_inverse;
  if (rates.size() > 1) {
    s.standard_deviation = std::sqrt(sum_of_squared_distances(rates, mean_inverse)) /
                           static_cast<double>(rates.size() - 1) * s.mean * s.mean;
  }
  return s;
}

}  // namespace orujo::internal::graph500
