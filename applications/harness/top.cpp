#include "applications/harness/top.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "applications/harness/harness.hpp"
#include "applications/harness/label_format.hpp"
#include "system/base/flags.hpp"

DEFINE_int32(top, 10, "number of top results to print; 0: none");

static const orujo::flag_rule top_rule(
    "top", [] { return FLAGS_top >= 0; }, "at least 0");

static const orujo::internal::base::telling_flags told_top{"top"};

namespace orujo::internal::harness {
namespace {

// The number that is printed for a value. std::stod would throw for subnormal numbers, so it is not used. A
// value whose decimals are beyond the largest double stays as it is.
double printed(double value) {
  char text[32];
  const char* const end = fmt::format_to(text, "{:.4e}", value);
  std::from_chars(text, end, value);
  return value;
}

}  // namespace

int top() { return FLAGS_top; }

foremost::foremost(std::string what) : what_(std::move(what)), places_(static_cast<std::size_t>(FLAGS_top)) {}

void foremost::add(const results::vertex_label& vertex, double value) {
  const bool full = best_.size() == places_;
  // Printing is slow, and few vertices are candidates.
  if (full && (places_ == 0 || value < best_.back().value * 0.999)) return;
  const entry e{printed(value), vertex.id, std::string(vertex.name)};
  best_.insert(std::upper_bound(best_.begin(), best_.end(), e, before), e);
  if (full) best_.pop_back();
}

void foremost::print() const {
  if (best_.empty()) return;
  harness::print("\n  place  {:>20}  {}\n", "vertex", what_);
  for (std::size_t k = 0; k < best_.size(); ++k)
    harness::print("  {:>5}  {:>20}  {:.4e}\n", k + 1, results::vertex_label{best_[k].id, best_[k].name},
                   best_[k].value);
}

}  // namespace orujo::internal::harness
