#include "framework/graph/vertex_names.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "system/delegates/bulk.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::graph {

std::shared_ptr<const vertex_names> vertex_names::share(formats::name_table mine) {
  const auto shared = loops::share_on_locale<vertex_names>([] {
    auto made = std::make_shared<vertex_names>();
    made->tables_.resize(static_cast<std::size_t>(shape().cores_of(my_locale())));
    return made;
  });
  formats::name_table& table = shared->tables_[static_cast<std::size_t>(my_core_of_locale())];
  table = std::move(mine);
  const std::uint64_t before = loops::exclusive_sum<std::uint64_t>(table.size());
  const std::uint64_t total = loops::all_reduce<std::uint64_t>(table.size());
  const auto places = loops::all_gather(place{before, table.offsets().data(), table.bytes().data()});
  if (leads_locale()) {
    shared->parts_ = places;
    shared->parts_.push_back({total, nullptr, nullptr});
  }
  loops::barrier();
  return shared;
}

const formats::name_table& vertex_names::here() const {
  return tables_[static_cast<std::size_t>(my_core_of_locale())];
}

loops::index_range vertex_names::range_here() const {
  const auto core = static_cast<std::size_t>(my_core());
  return {parts_[core].first, parts_[core + 1].first};
}

formats::name_table vertex_names::part(std::uint64_t first, std::uint64_t last) const {
  const auto address = [](core_id core, const auto* at) { return memory::global_address(core, at); };
  std::vector<std::uint64_t> ends{0};
  std::vector<char> bytes;
  const auto begins_behind = [](std::uint64_t position, const place& p) { return position < p.first; };
  auto at = std::upper_bound(parts_.begin(), parts_.end(), first, begins_behind) - 1;
  for (; first < last; ++at) {
    const auto core = static_cast<core_id>(at - parts_.begin());
    const std::uint64_t end = std::min(last, at[1].first);
    if (end <= first) continue;
    std::vector<std::uint64_t> offsets(end - first + 1);
    delegates::get(address(core, at->offsets + (first - at->first)), std::span(offsets));
    const std::size_t before = bytes.size();
    bytes.resize(before + (offsets.back() - offsets.front()));
    delegates::get(address(core, at->bytes + offsets.front()), std::span(bytes).subspan(before));
    for (std::size_t k = 1; k < offsets.size(); ++k) ends.push_back(before + (offsets[k] - offsets.front()));
    first = end;
  }
  return {std::move(ends), std::move(bytes)};
}

std::optional<std::uint64_t> vertex_names::find(std::string_view wanted) const {
  std::uint64_t first = 0, last = count();
  while (first < last) {
    const std::uint64_t middle = first + (last - first) / 2;
    const std::string found = name(middle);
    if (found == wanted) return middle;
    if (found < wanted) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return {};
}

}  // namespace orujo::graph
