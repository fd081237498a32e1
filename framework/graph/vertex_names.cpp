#include "framework/graph/vertex_names.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/future.hpp"

namespace orujo::internal::graph {

std::shared_ptr<const vertex_names> vertex_names::share(formats::name_table mine) {
  const auto shared = collectives::share_on_locale<vertex_names>([] {
    auto made = std::make_shared<vertex_names>();
    made->tables_.resize(my_locales_cores());
    return made;
  });
  formats::name_table& table = shared->tables_[my_core_of_locale()];
  table = std::move(mine);
  const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(table.size());
  const std::uint64_t total = collectives::all_reduce<std::uint64_t>(table.size());
  const auto places = collectives::all_gather(place{before, table.offsets().data(), table.bytes().data()});
  if (leads_locale()) {
    shared->parts_ = places;
    shared->parts_.push_back({total, nullptr, nullptr});
  }
  collectives::barrier();
  return shared;
}

const formats::name_table& vertex_names::here() const { return tables_[my_core_of_locale()]; }

index_range vertex_names::range_here() const {
  return {parts_[my_core()].first, parts_[my_core() + 1].first};
}

core_id vertex_names::keeper_of(std::uint64_t position) const {
  const auto begins_behind = [](std::uint64_t p, const place& part) { return p < part.first; };
  return static_cast<core_id>(std::upper_bound(parts_.begin(), parts_.end(), position, begins_behind) -
                              parts_.begin() - 1);
}

formats::name_table vertex_names::part(std::uint64_t first, std::uint64_t last) const {
  const auto address = [](core_id core, const auto* at) { return memory::global_address(core, at); };
  std::vector<std::uint64_t> ends{0};
  std::vector<char> bytes;
  for (auto at = parts_.begin() + keeper_of(first); first < last; ++at) {
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

formats::name_table vertex_names::at(std::span<const std::uint64_t> positions) const {
  struct request {
    std::vector<std::uint64_t> indices;  // of the keeper's names
    std::vector<std::size_t> places;     // of them among the positions
  };
  std::map<core_id, request> requests;
  for (std::size_t k = 0; k < positions.size(); ++k) {
    const core_id keeper = keeper_of(positions[k]);
    request& to = requests[keeper];
    to.indices.push_back(positions[k] - parts_[keeper].first);
    to.places.push_back(k);
  }
  std::vector<delegates::future<std::vector<std::string>>> answers;
  for (const auto& [keeper, wanted] : requests) {
    const auto find = [from = parts_[keeper]](const std::vector<std::uint64_t>& indices) {
      std::vector<std::string> found;
      for (const std::uint64_t k : indices)
        found.emplace_back(from.bytes + from.offsets[k], from.bytes + from.offsets[k + 1]);
      return found;
    };
    answers.push_back(delegates::async_call(keeper, find, wanted.indices));
  }
  std::vector<std::string> names(positions.size());
  auto answer = answers.begin();
  for (const auto& [keeper, wanted] : requests) {
    std::vector<std::string> found = (answer++)->get();
    for (std::size_t k = 0; k < found.size(); ++k) names[wanted.places[k]] = std::move(found[k]);
  }
  formats::name_table table;
  for (const std::string& name : names) table.push_back(name);
  return table;
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

}  // namespace orujo::internal::graph
