// The interface of codecs of vertex lists, and all codecs. A new one is a file here and a line in codecs.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "system/base/status.hpp"

namespace orujo::internal::exchange {

// encode() returns this if a list does not suit the codec, for example a sparse list the bitmap.
inline constexpr std::size_t does_not_pay = ~std::size_t{0};

// Lists are strictly ascending and have at most 2^30 integers. Pure functions; any thread.
struct codec {
  std::string_view name;
  // Bytes that encode() may write to for a list of `count`, whatever its integers are.
  std::size_t (*room)(std::size_t count);
  // Returns the bytes used, or does_not_pay. Precondition: into.size() >= room(list.size()).
  std::size_t (*encode)(std::span<const std::uint32_t> list, std::span<std::byte> into);
  // Fills all of `into`, whose size travels beside the bytes. Bytes that encode() cannot produce for this
  // number of integers are an error, or decode to some strictly ascending list. Nothing outside of the two
  // spans is touched. After an error `into` is undefined.
  status (*decode)(std::span<const std::byte> bytes, std::span<std::uint32_t> into);
};

// The order is fixed: a codec's index stands for it in messages. The first is `none`.
std::span<const codec* const> codecs();
// Returns null if there is no codec of this name.
const codec* find_codec(std::string_view name);
// The index in codecs(), which is the same in every process of a job, unlike an address. -1 for null.
int place_of(const codec* c);
// The names of codecs, as flags list them: "none, bp128, ...".
std::string codec_names();

// For codecs: true if `list` ascends strictly from above `previous`; -1 allows any first integer.
bool ascends(std::int64_t previous, std::span<const std::uint32_t> list);

// The error that decode() of the codec `name` returns for bytes that encode() cannot have produced.
status corrupt(std::string_view name, std::string_view what);

}  // namespace orujo::internal::exchange
