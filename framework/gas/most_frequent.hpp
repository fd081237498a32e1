// Votes of neighbours, for collect(): the most frequent of what they show, or the one with the largest sum of
// weights.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <vector>

#include "framework/gas/program.hpp"
#include "framework/gas/weight_sums.hpp"

namespace orujo::internal::gas {

namespace detail {

// Memory of a thread for the votes on one vertex, so that a program that is copied to all cores needs none.
template <class Label>
struct votes {
  struct vote {
    Label label;
    float weight;
    friend auto operator<=>(const vote&, const vote&) = default;
  };
  std::vector<Label> labels;
  std::vector<vote> weighted;
  weight_sums counts;

  static votes& mine() {
    thread_local votes all;
    return all;
  }
};

}  // namespace detail

// Any thread; does not suspend. Returns what most of the neighbours show, the smallest of several, or
// `otherwise` if there are none. An edge counts once, whatever its weight.
//
// Counts all labels unless one has the majority: only such a label can be left when pairs of different labels
// cancel each other (Boyer, Moore, "MJRTY", 1981).
template <std::unsigned_integral Label, std::same_as<neighbours<Label>>... More>
Label most_frequent(Label otherwise, const neighbours<Label>& all, const More&... more) {
  auto& votes = detail::votes<Label>::mine();
  std::vector<Label>& labels = votes.labels;
  labels.clear();
  Label candidate = otherwise;
  std::size_t lead = 0;
  const auto add = [&](const neighbours<Label>& some) {
    for (const auto& [label, weight] : some) {
      labels.push_back(label);
      if (lead == 0) candidate = label;
      lead = label == candidate ? lead + 1 : lead - 1;
    }
  };
  add(all);
  (add(more), ...);
  if (labels.empty()) return otherwise;
  if (lead > 0 && std::count(labels.begin(), labels.end(), candidate) > std::ssize(labels) / 2)
    return candidate;
  if (labels.size() <= 8) {  // takes 0.9 of the time of a table on meshes
    std::ptrdiff_t most = 0;
    for (const Label label : labels) {
      const std::ptrdiff_t votes_for = std::count(labels.begin(), labels.end(), label);
      if (votes_for < most || (votes_for == most && label > candidate)) continue;
      most = votes_for;
      candidate = label;
    }
    return candidate;
  }
  votes.counts.clear(labels.size());
  for (const Label label : labels) votes.counts.add(label, 1);
  weight_sums::sum best{0, 0};
  for (const weight_sums::sum& one : votes.counts.all()) {
    if (one.weight > best.weight || (one.weight == best.weight && one.key < best.key)) best = one;
  }
  return static_cast<Label>(best.key);
}

// Any thread; does not suspend. Returns the label whose edges have the largest sum of weights, the smallest
// of several, or `otherwise` if there is none. Edges whose weight is not above 0 do not count. Weights are
// added in ascending order in double precision, so the result is the same on any process layout.
template <std::unsigned_integral Label, std::same_as<neighbours<Label>>... More>
Label heaviest(Label otherwise, const neighbours<Label>& all, const More&... more) {
  auto& votes = detail::votes<Label>::mine().weighted;
  votes.clear();
  const auto add = [&](const neighbours<Label>& some) {
    for (const auto& [label, weight] : some) {
      if (weight > 0) votes.push_back({label, weight});
    }
  };
  add(all);
  (add(more), ...);
  std::sort(votes.begin(), votes.end());
  Label best = otherwise;
  double most = 0, sum = 0;
  for (std::size_t k = 0; k < votes.size(); ++k) {
    if (k > 0 && votes[k].label != votes[k - 1].label) sum = 0;
    sum += static_cast<double>(votes[k].weight);
    const bool is_last = k + 1 == votes.size() || votes[k + 1].label != votes[k].label;
    if (!is_last || sum <= most) continue;
    most = sum;
    best = votes[k].label;
  }
  return best;
}

}  // namespace orujo::internal::gas
