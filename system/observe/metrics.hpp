// Metrics: named counters, summaries and histograms. Declare them where they are used, like flags.
//   const orujo::counter tasks_run("tasks.run", "tasks that have run to their end");
//   ... tasks_run.add();
// Each core has its own copy: recording is a few instructions on the core's own memory, without atomics.
// system/report/merged_metrics.hpp merges the copies for the whole job.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/base/thread_state.hpp"

namespace orujo::internal::observe {

enum class metric_kind { counter, summary, histogram };

namespace detail {

// Size limit of all metrics of a program together, on a core.
inline constexpr std::size_t most_bytes = 64 << 10;
// The values of a core, or of another thread that records something.
struct metrics_block {
  static constexpr base::core_part part = base::core_part::metrics;
  alignas(std::uint64_t) std::array<std::byte, most_bytes> values{};
};

}  // namespace detail

// What all kinds of metrics share. A metric is an object at namespace scope or a static member: all of them
// exist before a job starts, in the same order at every locale, which the start checks. Two metrics of one
// name end the program.
class metric {
 public:
  metric(const metric&) = delete;

 protected:
  metric(metric_kind kind, std::size_t bytes, const char* name, const char* meaning);
  ~metric() = default;
  // The calling core's values.
  template <class Values>
  Values& here() const {
    return *reinterpret_cast<Values*>(base::made_part<detail::metrics_block>().values.data() + place_);
  }

 private:
  std::size_t place_;
};

// A metric that counts events or sums integers. Define it at namespace scope, with a name and a sentence that
// says what it counts. Each core has its own value; reports show the sum of all.
class counter : public metric {
 public:
  counter(const char* name, const char* meaning)
      : metric(metric_kind::counter, sizeof(std::uint64_t), name, meaning) {}
  // [any thread] Adds to this core's value. Takes a few instructions.
  void add(std::uint64_t more = 1) const { here<std::uint64_t>() += more; }
  // [any thread] This core's value.
  std::uint64_t value_here() const { return here<std::uint64_t>(); }
};

// Count, sum, smallest, largest, mean and standard deviation of real numbers. Recording is Welford's update;
// merging is from Chan, Golub, LeVeque, "Updating Formulae and a Pairwise Algorithm for Computing Sample
// Variances", 1979.
struct summary_values {
  std::uint64_t count = 0;
  double mean = 0, squares = 0;  // of the distances from the mean
  double smallest = 0, largest = 0;

  void record(double x);
  void merge(const summary_values& other);
  double sum() const { return mean * static_cast<double>(count); }
  // The deviation of the recorded numbers themselves (divided by the count), or 0 without any.
  double standard_deviation() const;
};
// A metric of real numbers: reports show their count, sum, smallest, largest, mean and standard deviation
// over all cores. Define it at namespace scope.
class summary : public metric {
 public:
  summary(const char* name, const char* meaning)
      : metric(metric_kind::summary, sizeof(summary_values), name, meaning) {}
  // [any thread] Adds a number to this core's values.
  void record(double x) const { here<summary_values>().record(x); }
};

// Counts non-negative integers (bytes, nanoseconds) in log-linear buckets, four to each power of two: a
// quantile is off by an eighth of its value at most.
struct histogram_values {
  static constexpr std::size_t buckets = 4 + 62 * 4;

  static constexpr std::size_t bucket_of(std::uint64_t value) {
    if (value < 4) return value;
    const auto power = static_cast<std::size_t>(std::bit_width(value)) - 1;
    return 4 * (power - 1) + (value >> (power - 2) & 3);
  }
  // The least value of a bucket.
  static constexpr std::uint64_t first_of(std::size_t bucket) {
    return bucket < 4 ? bucket : (4 + bucket % 4) << (bucket / 4 - 1);
  }
  static constexpr std::uint64_t last_of(std::size_t bucket) {
    return bucket + 1 == buckets ? ~std::uint64_t{0} : first_of(bucket + 1) - 1;
  }

  std::uint64_t sum = 0, largest = 0;
  std::array<std::uint64_t, buckets> counts{};

  void record(std::uint64_t value) {
    sum += value;
    largest = std::max(largest, value);
    ++counts[bucket_of(value)];
  }
  void merge(const histogram_values& other);
  std::uint64_t count() const;
  // The value that the share q of all recorded ones does not exceed: the middle of its bucket. 0 of none.
  std::uint64_t quantile(double q) const;
};
// A metric of non-negative integers, such as bytes or nanoseconds: reports show their count, sum, largest
// value and quantiles over all cores. Values fall into four buckets per power of two, so a quantile is off by
// an eighth of its value at most. Define it at namespace scope.
class histogram : public metric {
 public:
  histogram(const char* name, const char* meaning)
      : metric(metric_kind::histogram, sizeof(histogram_values), name, meaning) {}
  // [any thread] Adds a value to this core's values.
  void record(std::uint64_t value) const { here<histogram_values>().record(value); }
};

// The calling core's copies of all metrics, one after the other.
std::span<std::byte> all_values_here();
void reset_metrics_here();

// The metrics of one core, or of several merged.
class metric_values {
 public:
  // Nothing recorded.
  metric_values();
  // Merges the bytes of all_values_here() of some core of the job.
  void merge(std::span<const std::byte> of_core);

  // The value of a counter, a summary or a histogram; of one that does not exist a CHECK fails.
  std::uint64_t count_of(const std::string& name) const;
  summary_values summary_of(const std::string& name) const;
  histogram_values histogram_of(const std::string& name) const;

  // All metrics by name. text() is for people: one metric a line, then the names of the metrics without a
  // value. json() is one JSON object (docs/reference/metrics.md has the keys).
  std::string text() const;
  std::string json() const;

 private:
  const std::byte* find(const std::string& name, metric_kind kind) const;
  std::vector<std::byte> values_;
};

}  // namespace orujo::internal::observe
