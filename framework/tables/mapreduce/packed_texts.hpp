// Texts as they travel, and how they are dealt to the cores in their order.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "framework/formats/names.hpp"

namespace orujo::mapreduce {

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

}  // namespace orujo::mapreduce
