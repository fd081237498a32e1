#include "framework/graph/build/position_names.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "framework/tables/mapreduce/packed_texts.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::graph {
namespace {

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

void renumber(formats::edge_list& list, const std::vector<std::uint64_t>& positions) {
  for (edge& e : list.edges) e = {positions[e.source], positions[e.target]};
}

}  // namespace

std::shared_ptr<const vertex_names> position_names(formats::edge_list& mine,
                                                   const formats::name_table& names) {
  // Every core sorts its names, and sends each to the core that has its range ...
  const std::vector<std::uint64_t> sorted = formats::sorted_places(names);
  formats::name_table gathered, distinct;
  std::vector<std::size_t> ends;  // in it, by core
  for (const std::vector<char>& of_core : collectives::all_to_all(mapreduce::deal_texts(names, sorted))) {
    mapreduce::unpack_texts(of_core, gathered);
    ends.push_back(gathered.size());
  }

  // ... which numbers the distinct ones ...
  std::vector<std::uint64_t> numbers(gathered.size());
  const std::uint64_t mine_here =
      number_sorted(gathered, formats::sorted_places(gathered), [&](std::size_t place, std::uint64_t number) {
        if (number == distinct.size()) distinct.push_back(gathered[place]);
        numbers[place] = number;
      });
  const std::uint64_t before = collectives::exclusive_sum(mine_here);

  // ... and report that to their senders.
  std::vector<std::vector<std::uint64_t>> answers(ends.size());
  for (std::size_t core = 0, k = 0; core < ends.size(); ++core) {
    for (; k < ends[core]; ++k) answers[core].push_back(before + numbers[k]);
  }
  std::vector<std::uint64_t> positions(names.size());
  std::size_t k = 0;
  for (const std::vector<std::uint64_t>& of_core : collectives::all_to_all(answers)) {
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

void position_names_serially(formats::edge_list& all, const formats::name_table& names) {
  std::vector<std::uint64_t> positions(names.size());
  number_sorted(names, formats::sorted_places(names),
                [&](std::size_t place, std::uint64_t number) { positions[place] = number; });
  renumber(all, positions);
}

}  // namespace orujo::internal::graph
