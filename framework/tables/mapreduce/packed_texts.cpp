#include "framework/tables/mapreduce/packed_texts.hpp"

#include <algorithm>
#include <cstddef>

#include "system/collectives/collectives.hpp"

namespace orujo::internal::mapreduce {
namespace {
constexpr std::size_t samples_per_core = 32;
}

void append_text(std::vector<char>& to, std::string_view text) {
  append_value(to, static_cast<std::uint32_t>(text.size()));
  to.insert(to.end(), text.begin(), text.end());
}

std::string_view take_text(std::span<const char>& from) {
  const auto length = take_value<std::uint32_t>(from);
  const std::string_view text(from.data(), length);
  from = from.subspan(length);
  return text;
}

void unpack_texts(std::span<const char> from, formats::name_table& to) {
  while (!from.empty()) to.push_back(take_text(from));
}

formats::name_table choose_text_splitters(const formats::name_table& texts,
                                          const std::vector<std::uint64_t>& sorted) {
  std::vector<char> mine;
  const std::size_t samples = std::min(samples_per_core, sorted.size());
  for (std::size_t k = 0; k < samples; ++k) append_text(mine, texts[sorted[k * sorted.size() / samples]]);
  formats::name_table all, splitters;
  for (const std::vector<char>& of_core : collectives::all_gather(mine)) unpack_texts(of_core, all);
  const std::vector<std::uint64_t> order = formats::sorted_places(all);
  const auto parts = static_cast<std::size_t>(cores());
  for (std::size_t c = 1; c < parts; ++c)
    splitters.push_back(order.empty() ? std::string_view() : all[order[c * order.size() / parts]]);
  return splitters;
}

}  // namespace orujo::internal::mapreduce
