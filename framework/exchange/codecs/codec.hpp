// What a codec of vertex lists is, and all there are. A new one is a file here and a line in codecs.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::exchange {

// encode()'s answer where a list is not for this codec: the bitmap of a sparse list.
inline constexpr std::size_t does_not_pay = ~std::size_t{0};

// Lists are strictly ascending and have at most 2^30 integers. Pure functions; any thread.
struct codec {
  std::string_view name;
  // Bytes that encode() may touch for a list of `count`, whatever is in it.
  std::size_t (*room)(std::size_t count);
  // Returns the bytes used, or does_not_pay. Precondition: into.size() >= room(list.size()).
  std::size_t (*encode)(std::span<const std::uint32_t> list, std::span<std::byte> into);
  // Fills all of `into`, whose size travels beside the bytes. Bytes that encode() could not have made for so
  // many integers are an error, or else decode to some strictly ascending list; nothing outside of the two
  // spans is touched. `into` is undefined after an error.
  status (*decode)(std::span<const std::byte> bytes, std::span<std::uint32_t> into);
};

// In a fixed order: a codec's place stands for it in messages. The first is `none`.
std::span<const codec* const> codecs();
// Null where there is none of this name.
const codec* find_codec(std::string_view name);
// In codecs(): a number that means the same in every process of a job, as an address does not. -1 for null.
int place_of(const codec* c);
// Their names, as flags list them: "none, bp128, ...".
std::string codec_names();

// For codecs: whether `list` ascends strictly from above `previous` (which for -1 is nothing).
bool ascends(std::int64_t previous, std::span<const std::uint32_t> list);

// What decode() of the codec `name` returns for bytes that it cannot have made.
status corrupt(std::string_view name, std::string_view what);

}  // namespace orujo::exchange
