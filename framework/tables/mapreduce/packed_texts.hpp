// Texts as they travel, and how they are dealt to the cores in their order.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "framework/formats/names.hpp"
#include "system/base/by_core.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::mapreduce {

// A text after its length.
void append_text(std::vector<char>& to, std::string_view text);
// The first of packed texts, which it takes away from them.
std::string_view take_text(std::span<const char>& from);
void unpack_texts(std::span<const char> from, formats::name_table& to);

// A plain value as its bytes.
template <class T>
void append_value(std::vector<char>& to, const T& value) {
  const char* const bytes = reinterpret_cast<const char*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}
template <class T>
T take_value(std::span<const char>& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from = from.subspan(sizeof value);
  return value;
}

// [task; suspends; collective over the job] Cuts the texts of all cores into a range per core, by a sample of
// all. Core c gets those from [c - 1] up to, not including, [c]. sorted: the indices of the calling core's
// texts in ascending order.
formats::name_table choose_text_splitters(const formats::name_table& texts,
                                          const std::vector<std::uint64_t>& sorted);

// [task; suspends; collective over the job] Calls append(packet, index) for each text in the order `sorted`.
// Each core has a packet, which takes the texts of its range. Returns the packets.
template <class Append>
by_core<std::vector<char>> deal_texts(const formats::name_table& texts,
                                      const std::vector<std::uint64_t>& sorted, Append append) {
  const formats::name_table splitters = choose_text_splitters(texts, sorted);
  by_core<std::vector<char>> packets(cores());
  for (std::size_t core = 0; const std::uint64_t place : sorted) {
    while (core < splitters.size() && texts[place] >= splitters[core]) ++core;
    append(packets[static_cast<core_id>(core)], place);
  }
  return packets;
}
// The same for packets of texts only.
inline by_core<std::vector<char>> deal_texts(const formats::name_table& texts,
                                             const std::vector<std::uint64_t>& sorted) {
  return deal_texts(texts, sorted,
                    [&](std::vector<char>& to, std::uint64_t k) { append_text(to, texts[k]); });
}

}  // namespace orujo::internal::mapreduce
