// Groups by text in the order of the texts, and those with the largest values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "framework/tables/mapreduce/global_groups.hpp"
#include "system/collectives/collectives.hpp"

namespace orujo::internal::mapreduce {

// Texts in ascending order, each with its value: text k has values[k].
template <class V>
struct text_values {
  formats::name_table texts;
  std::vector<V> values;

  void add(std::string_view text, const V& value) {
    texts.push_back(text);
    values.push_back(value);
  }
  void add_packed(std::span<const char> packed) {
    while (!packed.empty()) {
      const std::string_view text = take_text(packed);
      add(text, take_value<V>(packed));
    }
  }
};

// [task; suspends; collective over the job] Returns all groups in ascending order of the bytes of their
// texts: core 0 gets the first ones, and each core about equally many.
template <class V>
text_values<V> sorted(global_groups<std::string_view, V> groups) {
  text_values<V> mine, received, ordered;
  groups.local().visit([&](std::string_view text, const V& value) { mine.add(text, value); });
  const std::vector<std::uint64_t> places = formats::sorted_places(mine.texts);
  auto outgoing = deal_texts(mine.texts, places, [&](std::vector<char>& to, std::uint64_t place) {
    append_text(to, mine.texts[place]);
    append_value(to, mine.values[place]);
  });
  mine = {};
  for (const std::vector<char>& of_core : collectives::all_to_all(std::exchange(outgoing, {})))
    received.add_packed(of_core);
  for (const std::uint64_t place : formats::sorted_places(received.texts))
    ordered.add(received.texts[place], received.values[place]);
  return ordered;
}

// [task; suspends; collective over the job] Returns at core 0 the n groups with the largest values, largest
// first; of equal values those whose texts come first. Returns nothing at other cores.
template <class V>
std::vector<std::pair<std::string, V>> largest(global_groups<std::string_view, V> groups, std::size_t n) {
  using group = std::pair<std::string_view, V>;
  const auto keep_foremost = [n](std::vector<group>& of) {
    const auto middle = of.begin() + static_cast<std::ptrdiff_t>(std::min(n, of.size()));
    std::partial_sort(of.begin(), middle, of.end(), [](const group& a, const group& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    of.erase(middle, of.end());
  };
  std::vector<group> mine;
  groups.local().visit([&](std::string_view text, const V& value) { mine.push_back({text, value}); });
  keep_foremost(mine);
  std::vector<char> packed;
  for (const auto& [text, value] : mine) {
    append_text(packed, text);
    append_value(packed, value);
  }
  text_values<V> gathered;
  for (const std::vector<char>& of_core : collectives::gather(packed, 0)) gathered.add_packed(of_core);
  std::vector<group> all;
  for (std::size_t k = 0; k < gathered.values.size(); ++k)
    all.push_back({gathered.texts[k], gathered.values[k]});
  keep_foremost(all);
  return {all.begin(), all.end()};
}

}  // namespace orujo::internal::mapreduce
