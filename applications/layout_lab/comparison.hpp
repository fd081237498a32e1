// Layouts of one experiment, each measured in turn with the pseudorandom one.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "applications/harness/harness.hpp"

namespace orujo::internal::layout_lab {

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// A trial's processor time, and its result as one number, which is the same in every layout.
struct trial_result {
  double seconds;
  std::uint64_t answer;
};
using trial = std::function<trial_result()>;

// The layouts of one experiment, each in turn with the pseudorandom one.
class comparison {
 public:
  comparison(std::string experiment, trial pseudorandom, harness::stats& stats)
      : experiment_(std::move(experiment)), pseudorandom_(std::move(pseudorandom)), stats_(stats) {}

  status add(const std::string& layout, const trial& run, double layout_seconds) {
    std::vector<double> before, after;
    bool same = true;
    for (int t = 0; t < harness::trials(); ++t) {
      const trial_result expected = pseudorandom_(), found = run();
      before.push_back(expected.seconds);
      after.push_back(found.seconds);
      same &= found.answer == expected.answer;
    }
    const double gain = median(before) / median(after);
    harness::print("{}: {:<32} {:10.3f} ms, {:6.2f} times as fast as pseudorandom, laid out in {:.3f} s\n",
                   experiment_, layout, median(after) * 1e3, gain, layout_seconds);
    stats_.trials.push_back({{"seconds", median(after)},
                             {"experiment", experiment_},
                             {"layout", layout},
                             {"gain", gain},
                             {"layout_seconds", layout_seconds}});
    stats_.verified = stats_.verified.value_or(true) && same;
    if (same) return {};
    return {exit_status::failed,
            fmt::format("{}: layout '{}' gives another answer than pseudorandom", experiment_, layout)};
  }

 private:
  const std::string experiment_;
  const trial pseudorandom_;
  harness::stats& stats_;
};

}  // namespace orujo::internal::layout_lab
