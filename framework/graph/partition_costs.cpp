#include "framework/graph/partition_costs.hpp"

namespace orujo::internal::graph {

partition_counter::partition_counter(const partition& owners, const job_shape& shape)
    : owners_(owners),
      cores_(shape.cores()),
      sums_(shape.cores() + shape.locales() + 1),
      seen_by_(shape.locales()) {
  for (core_id c = 0; c < cores_; ++c) locale_of_.push_back(shape.locale_of(c));
}

void partition_counter::add(std::uint64_t vertex, std::span<const std::uint64_t> targets) {
  ++calls_;
  const locale_id home = locale_of_[owners_.owner(vertex)];
  for (const std::uint64_t target : targets) {
    const core_id core = owners_.owner(target);
    const locale_id there = locale_of_[core];
    ++sums_[core];
    if (there == home) continue;
    ++sums_.back();
    if (seen_by_[there] == calls_) continue;
    seen_by_[there] = calls_;
    ++sums_[cores_ + there];
  }
}

partition_costs partition_counter::costs() const {
  partition_costs made;
  for (core_id c = 0; c < cores_; ++c) made.vertices.push_back(owners_.last_of(c) - owners_.first_of(c));
  const auto mirrors = sums_.begin() + cores_;
  made.in_edges.assign(sums_.begin(), mirrors);
  made.mirrors.assign(mirrors, sums_.end() - 1);
  made.cut_edges = sums_.back();
  return made;
}

}  // namespace orujo::internal::graph
