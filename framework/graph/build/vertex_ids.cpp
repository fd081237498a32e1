#include "framework/graph/build/vertex_ids.hpp"

#include <algorithm>
#include <utility>

#include "system/collectives/exchange_by.hpp"
#include "system/delegates/bulk.hpp"

namespace orujo::internal::graph {
namespace {

// Ids are compact when a bitmap of them is no larger than the edges: 2 bits per id against 16 bytes per edge.
constexpr std::uint64_t ids_per_edge = 64;
constexpr std::size_t samples_per_core = 32;

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// Cuts the id space into one range per core by a sample of all cores' ids (sample sort). Core c gets the ids
// from result[c - 1] up to, not including, result[c].
std::vector<std::uint64_t> choose_splitters(const std::vector<std::uint64_t>& sorted_mine) {
  struct sample {
    std::uint64_t count = 0;
    std::uint64_t ids[samples_per_core] = {};
  } mine;
  mine.count = std::min(samples_per_core, sorted_mine.size());
  for (std::uint64_t k = 0; k < mine.count; ++k)
    mine.ids[k] = sorted_mine[k * sorted_mine.size() / mine.count];
  std::vector<std::uint64_t> all;
  for (const sample& s : collectives::all_gather(mine)) all.insert(all.end(), s.ids, s.ids + s.count);
  std::sort(all.begin(), all.end());
  std::vector<std::uint64_t> splitters;
  const auto parts = static_cast<std::size_t>(cores());
  for (std::size_t c = 1; c < parts; ++c) splitters.push_back(all.empty() ? 0 : all[c * all.size() / parts]);
  return splitters;
}

}  // namespace

std::shared_ptr<const vertex_ids> vertex_ids::identity(std::uint64_t count) {
  auto made = std::make_shared<vertex_ids>();
  made->count_ = count;
  return made;
}

std::shared_ptr<const vertex_ids> vertex_ids::of_edges(const std::vector<edge>& mine,
                                                       const std::vector<std::uint64_t>& more) {
  std::uint64_t largest = more.empty() ? 0 : *std::ranges::max_element(more);
  for (const edge& e : mine) largest = std::max({largest, e.source, e.target});
  largest = collectives::all_reduce(largest, [](auto a, auto b) { return std::max(a, b); });
  const std::uint64_t edges = collectives::all_reduce<std::uint64_t>(mine.size() + more.size());
  return largest / ids_per_edge <= edges + 1024 ? compact(mine, more, largest) : sparse(mine, more);
}

std::shared_ptr<const vertex_ids> vertex_ids::compact(const std::vector<edge>& mine,
                                                      const std::vector<std::uint64_t>& more,
                                                      std::uint64_t largest) {
  auto shared = collectives::share_on_locale<vertex_ids>([&] {
    auto made = std::make_shared<vertex_ids>();
    made->kind_ = kind::compact;
    made->occurring_ = ranked_bitmap(largest + 1);
    return made;
  });
  for (const edge& e : mine) {
    shared->occurring_.set(e.source);
    shared->occurring_.set(e.target);
  }
  for (const std::uint64_t id : more) shared->occurring_.set(id);
  collectives::barrier(collectives::group::locale);
  if (leads_locale()) {
    if (locales() > 1) {
      collectives::all_reduce(shared->occurring_.words(), std::bit_or<std::uint64_t>(),
                              collectives::group::leaders);
    }
    shared->count_ = shared->occurring_.count();
  }
  collectives::barrier(collectives::group::locale);
  return shared;
}

std::shared_ptr<const vertex_ids> vertex_ids::sparse(const std::vector<edge>& mine,
                                                     const std::vector<std::uint64_t>& more) {
  std::vector<std::uint64_t> ids = more;
  ids.reserve(2 * mine.size() + more.size());
  for (const edge& e : mine) ids.insert(ids.end(), {e.source, e.target});
  sort_unique(ids);
  const std::vector<std::uint64_t> splitters = choose_splitters(ids);

  // Every core gathers and sorts the ids of its range ...
  const auto owner_of = [&](std::uint64_t id) {
    return std::upper_bound(splitters.begin(), splitters.end(), id) - splitters.begin();
  };
  std::vector<std::uint64_t> gathered = collectives::exchange_by(std::exchange(ids, {}), owner_of);
  sort_unique(gathered);

  // ... and gives them to every locale.
  const std::uint64_t before = collectives::exclusive_sum<std::uint64_t>(gathered.size());
  const std::uint64_t total = collectives::all_reduce<std::uint64_t>(gathered.size());
  auto shared = collectives::share_on_locale<vertex_ids>([&] {
    auto made = std::make_shared<vertex_ids>();
    made->kind_ = kind::sparse;
    made->count_ = total;
    made->sorted_ = machine::huge_array<std::uint64_t>(total);
    return made;
  });
  const by_core<std::uint64_t*> tables = collectives::all_gather(shared->sorted_.data());
  delegates::completion_event copied;
  for (locale_id l = 0; l < locales(); ++l) {
    const core_id leader = shape().first_core_of(l);
    delegates::async_put(copied, memory::global_address(leader, tables[leader] + before),
                         std::span<const std::uint64_t>(gathered));
  }
  copied.wait();
  collectives::barrier();
  return shared;
}

std::uint64_t vertex_ids::position(std::uint64_t id) const {
  switch (kind_) {
    case kind::identity:
      return id;
    case kind::compact:
      return occurring_.rank(id);
    case kind::sparse:
      break;
  }
  return static_cast<std::uint64_t>(std::lower_bound(sorted_.begin(), sorted_.end(), id) - sorted_.begin());
}

std::vector<std::uint64_t> vertex_ids::ids(std::uint64_t first, std::uint64_t last) const {
  std::vector<std::uint64_t> range;
  range.reserve(last - first);
  if (kind_ == kind::compact) {
    occurring_.for_each(first, last, [&](std::uint64_t id) { range.push_back(id); });
  } else {
    for (std::uint64_t v = first; v < last; ++v) range.push_back(kind_ == kind::identity ? v : sorted_[v]);
  }
  return range;
}

std::uint64_t vertex_ids::id(std::uint64_t position) const {
  switch (kind_) {
    case kind::identity:
      return position;
    case kind::compact: {
      std::uint64_t found = 0;
      occurring_.for_each(position, position + 1, [&](std::uint64_t id) { found = id; });
      return found;
    }
    case kind::sparse:
      break;
  }
  return sorted_[position];
}

std::shared_ptr<const vertex_ids> vertex_ids::of_input(const input_edges& input) {
  return input.vertex_count ? identity(*input.vertex_count) : of_edges(input.mine.edges, input.vertices);
}

void number_edges(input_edges& input, const vertex_ids& ids, const numbering& numbers) {
  if (input.generated) input.generated->numbers = numbers;
  if (ids.is_identity()) return numbers.number_all(std::span(input.mine.edges));
  for (edge& e : input.mine.edges)
    e = {numbers.number(ids.position(e.source)), numbers.number(ids.position(e.target))};
}

}  // namespace orujo::internal::graph
