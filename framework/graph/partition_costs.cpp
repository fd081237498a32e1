#include "framework/graph/partition_costs.hpp"

#include <utility>

namespace orujo::internal::graph {

partition_counter::partition_counter(const partition& owners, const job_shape& shape, grid_of_locales grid)
    : owners_(owners),
      cores_(shape.cores()),
      grid_(std::move(grid)),
      sums_(shape.cores() + shape.locales() + 2),
      seen_by_(shape.locales()),
      seen_by_row_(static_cast<std::size_t>(grid_.rows)),
      seen_by_column_(static_cast<std::size_t>(grid_.columns)) {
  for (core_id c = 0; c < cores_; ++c) locale_of_.push_back(shape.locale_of(c));
}

void partition_counter::add(std::uint64_t vertex, std::span<const std::uint64_t> targets,
                            std::span<const std::uint64_t> sources) {
  ++calls_;
  const locale_id home = locale_of_[owners_.owner(vertex)];
  std::uint64_t& cut_edges = sums_[cores_ + seen_by_.size()];
  const auto count_on_grid = [&](std::vector<std::uint64_t>& seen, int here, int there) {
    if (there != here && std::exchange(seen[static_cast<std::size_t>(there)], calls_) != calls_)
      ++sums_.back();
  };
  for (const std::uint64_t source : sources)
    count_on_grid(seen_by_column_, grid_.column_of(home), grid_.column_of(locale_of_[owners_.owner(source)]));
  for (const std::uint64_t target : targets) {
    const core_id core = owners_.owner(target);
    const locale_id there = locale_of_[core];
    ++sums_[core];
    if (there == home) continue;
    ++cut_edges;
    count_on_grid(seen_by_row_, grid_.row_of(home), grid_.row_of(there));
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
  made.mirrors.assign(mirrors, sums_.end() - 2);
  made.cut_edges = sums_.end()[-2];
  made.values_on_grid = sums_.back();
  return made;
}

}  // namespace orujo::internal::graph
