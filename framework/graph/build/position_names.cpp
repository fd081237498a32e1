#include "framework/graph/build/position_names.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "system/loops/collectives.hpp"

namespace orujo::graph {
namespace {

constexpr std::size_t name_samples_per_core = 32;

// Names as they travel: each behind its length.
void append_name(std::vector<char>& to, std::string_view name) {
  const auto length = static_cast<std::uint32_t>(name.size());
  const char* const bytes = reinterpret_cast<const char*>(&length);
  to.insert(to.end(), bytes, bytes + sizeof length);
  to.insert(to.end(), name.begin(), name.end());
}

void unpack(std::span<const char> from, formats::name_table& to) {
  while (!from.empty()) {
    std::uint32_t length = 0;
    std::memcpy(&length, from.data(), sizeof length);
    to.push_back({from.data() + sizeof length, length});
    from = from.subspan(sizeof length + length);
  }
}

// Calls visit(place, number): equal names get the same number, ascending from 0 on. Returns how many differ.
template <class Visit>
std::uint64_t number_sorted(const formats::name_table& names, const std::vector<std::uint64_t>& sorted,
                            Visit visit) {
  std::uint64_t number = 0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    if (k > 0 && names[sorted[k]] != names[sorted[k - 1]]) ++number;
    visit(sorted[k], number);
  }
  return sorted.empty() ? 0 : number + 1;
}

// Cuts all names into a range per core by a sample of everybody's: core c gets those from [c - 1] up to, not
// including, [c].
formats::name_table choose_name_splitters(const formats::name_table& names,
                                          const std::vector<std::uint64_t>& sorted) {
  std::vector<char> mine;
  const std::size_t samples = std::min(name_samples_per_core, sorted.size());
  for (std::size_t k = 0; k < samples; ++k) append_name(mine, names[sorted[k * sorted.size() / samples]]);
  formats::name_table all, splitters;
  for (const std::vector<char>& of_core : loops::all_gather(mine)) unpack(of_core, all);
  const std::vector<std::uint64_t> order = formats::sorted_places(all);
  const auto parts = static_cast<std::size_t>(cores());
  for (std::size_t c = 1; c < parts; ++c)
    splitters.push_back(order.empty() ? std::string_view() : all[order[c * order.size() / parts]]);
  return splitters;
}

void renumber(edge_list& list, const std::vector<std::uint64_t>& positions) {
  for (edge& e : list.edges) e = {positions[e.source], positions[e.target]};
}

}  // namespace

std::shared_ptr<const vertex_names> position_names(edge_list& mine, const formats::name_table& names) {
  // Every core sorts its names, and sends each to the core that has its range ...
  const std::vector<std::uint64_t> sorted = formats::sorted_places(names);
  const formats::name_table splitters = choose_name_splitters(names, sorted);
  std::vector<std::vector<char>> outgoing(static_cast<std::size_t>(cores()));
  for (std::size_t core = 0; const std::uint64_t place : sorted) {
    while (core < splitters.size() && names[place] >= splitters[core]) ++core;
    append_name(outgoing[core], names[place]);
  }
  formats::name_table gathered, distinct;
  std::vector<std::size_t> ends;  // in it, by core
  for (const std::vector<char>& of_core : loops::all_to_all(std::exchange(outgoing, {}))) {
    unpack(of_core, gathered);
    ends.push_back(gathered.size());
  }

  // ... which numbers the distinct ones ...
  std::vector<std::uint64_t> numbers(gathered.size());
  const std::uint64_t mine_here =
      number_sorted(gathered, formats::sorted_places(gathered), [&](std::size_t place, std::uint64_t number) {
        if (number == distinct.size()) distinct.push_back(gathered[place]);
        numbers[place] = number;
      });
  const std::uint64_t before = loops::exclusive_sum(mine_here);

  // ... and says so to who sent them.
  std::vector<std::vector<std::uint64_t>> answers(ends.size());
  for (std::size_t core = 0, k = 0; core < ends.size(); ++core) {
    for (; k < ends[core]; ++k) answers[core].push_back(before + numbers[k]);
  }
  std::vector<std::uint64_t> positions(names.size());
  std::size_t k = 0;
  for (const std::vector<std::uint64_t>& of_core : loops::all_to_all(answers)) {
    for (const std::uint64_t position : of_core) positions[sorted[k++]] = position;
  }
  renumber(mine, positions);
  return vertex_names::share(std::move(distinct));
}

void set_names(input_edges& input, std::shared_ptr<const vertex_names> names) {
  input.named = true;
  input.vertex_count = names->count();
  input.first_id = 0;
  input.ids = nullptr;
  input.names = std::move(names);
}

void position_names_serially(edge_list& all, const formats::name_table& names) {
  std::vector<std::uint64_t> positions(names.size());
  number_sorted(names, formats::sorted_places(names),
                [&](std::size_t place, std::uint64_t number) { positions[place] = number; });
  renumber(all, positions);
}

}  // namespace orujo::graph
