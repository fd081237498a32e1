#include "framework/algorithms/centrality_mirrors.hpp"

#include <algorithm>
#include <functional>

namespace orujo::algorithms::detail {
namespace {

template <class T>
T& at(std::vector<T>& by_level, std::size_t level) {
  if (by_level.size() <= level) by_level.resize(level + 1);
  return by_level[level];
}

}  // namespace

centrality_mirrors::centrality_mirrors(const graph::locale_graph& g, centrality_state& shared)
    : shared_(shared),
      own_(g.own),
      places_(locales() > 1 ? exchange::find_mirror_places(g) : nullptr),
      values_out_(*this) {}

void centrality_mirrors::begin() {
  for (std::vector<std::uint32_t>& told : told_) told.clear();
  counts_.clear();
  open_ = no_level;
}

void centrality_mirrors::tell(std::span<const std::uint32_t> vertices, std::size_t level) {
  push(vertices, {static_cast<std::uint32_t>(level), 0});
}

void centrality_mirrors::tell_back(std::span<const std::uint32_t> vertices, std::size_t level) {
  push(vertices, {static_cast<std::uint32_t>(level), 1});
}

void centrality_mirrors::push(std::span<const std::uint32_t> vertices, note of) {
  const double* const values = shared_.values[of.level % 2].data();
  const std::uint64_t* const offsets = places_->offsets();
  values_out_.set_note(of);
  mirrored_.clear();
  for (const std::uint32_t v : vertices) {
    if (!places_->has(v)) continue;
    __builtin_prefetch(offsets + v);
    mirrored_.push_back(v);
  }
  constexpr std::size_t ahead = 8;
  for (std::size_t k = 0; k < mirrored_.size(); ++k) {
    __builtin_prefetch(places_->data() + offsets[mirrored_[std::min(k + ahead, mirrored_.size() - 1)]]);
    const double value = values[mirrored_[k]];
    for (const auto& [core, index] : places_->of(mirrored_[k])) values_out_.push(core, {index, {value}});
  }
}

engine::frontier_counts centrality_mirrors::finish(std::size_t level, const engine::frontier_counts& mine) {
  told_[1 - level % 2].clear();
  const engine::frontier_counts all = values_out_.finish(mine, std::plus<>());
  values_out_.open();
  at(counts_, level) = told_[level % 2].size();
  return all;
}

void centrality_mirrors::go_back_to(std::size_t level) {
  open_ = level;
  back_ = 0;
  if (early_.size() <= level) return;
  write(level, early_[level]);
  back_ = early_[level].size();
  early_[level] = {};
}

void centrality_mirrors::await_back(std::size_t level) {
  values_out_.flush();
  while (back_ < counts_[level])
    tasks::scheduler::here()->suspend(arrivals_, "dependencies of mirrored vertices");
}

void centrality_mirrors::receive(const note& of, told_values values) {
  if (of.back == 0) {
    write(of.level, values);
    for (const auto& one : values) told_[of.level % 2].push_back(one.target - own_);
  } else if (of.level == open_) {
    write(of.level, values);
    back_ += values.size();
    tasks::scheduler::here()->wake_all(arrivals_);
  } else {
    auto& waiting = at(early_, of.level);
    waiting.insert(waiting.end(), values.begin(), values.end());
  }
}

void centrality_mirrors::write(std::size_t level, told_values values) {
  double* const into = shared_.values[level % 2].data();
  for (const auto& one : values) into[one.target] = one.value.value;
}

}  // namespace orujo::algorithms::detail
