// The shape of a job: which cores belong to which locale.
#pragma once

#include <algorithm>
#include <vector>

#include "system/base/thread_state.hpp"

namespace orujo {

// A copyable value: the number of cores of each locale, in the order of locales.
class job_shape {
 public:
  // One locale of one core.
  job_shape() : job_shape(std::vector<int>{1}) {}
  // cores_of[k] is the number of cores of locale k, at least 1.
  explicit job_shape(const std::vector<int>& cores_of) : first_core_{0} {
    for (int cores : cores_of) first_core_.push_back(first_core_.back() + cores);
  }

  int locales() const { return static_cast<int>(first_core_.size()) - 1; }
  int cores() const { return first_core_.back(); }
  // The cores of locale l, by number: first_core_of(l) and the cores_of(l) - 1 that follow it.
  int cores_of(locale_id l) const { return first_core_[index(l) + 1] - first_core_[index(l)]; }
  core_id first_core_of(locale_id l) const { return first_core_[index(l)]; }
  // The locale that core c belongs to. Takes a binary search.
  locale_id locale_of(core_id c) const {
    return static_cast<locale_id>(std::upper_bound(first_core_.begin(), first_core_.end(), c) -
                                  first_core_.begin()) -
           1;
  }
  // The core of locale l that core c sends to, if all cores of two locales exchange data: the k-th of a
  // locale has the k-th of the other, or one in turn if that has fewer.
  core_id partner(core_id c, locale_id l) const { return first_core_of(l) + c % cores_of(l); }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  std::vector<core_id> first_core_;  // locales() + 1 of them
};

}  // namespace orujo
