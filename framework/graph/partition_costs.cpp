#include "framework/graph/partition_costs.hpp"

namespace orujo::graph {

partition_counter::partition_counter(const partition& owners, const job_shape& shape)
    : owners_(owners),
      locales_(static_cast<std::size_t>(shape.locales())),
      sums_(static_cast<std::size_t>(shape.cores()) + locales_ + 1),
      seen_by_(locales_) {
  for (core_id c = 0; c < shape.cores(); ++c)
    locale_of_.push_back(static_cast<std::size_t>(shape.locale_of(c)));
}

void partition_counter::add(std::uint64_t vertex, std::span<const std::uint64_t> targets) {
  ++calls_;
  const std::size_t home = locale_of_[static_cast<std::size_t>(owners_.owner(vertex))];
  for (const std::uint64_t target : targets) {
    const auto core = static_cast<std::size_t>(owners_.owner(target));
    const std::size_t there = locale_of_[core];
    ++sums_[core];
    if (there == home) continue;
    ++sums_.back();
    if (seen_by_[there] == calls_) continue;
    seen_by_[there] = calls_;
    ++sums_[cores() + there];
  }
}

partition_costs partition_counter::costs() const {
  partition_costs made;
  for (std::size_t c = 0; c < cores(); ++c) {
    const auto core = static_cast<core_id>(c);
    made.vertices.push_back(owners_.last_of(core) - owners_.first_of(core));
  }
  const auto mirrors = sums_.begin() + static_cast<std::ptrdiff_t>(cores());
  made.in_edges.assign(sums_.begin(), mirrors);
  made.mirrors.assign(mirrors, sums_.end() - 1);
  made.cut_edges = sums_.back();
  return made;
}

}  // namespace orujo::graph
