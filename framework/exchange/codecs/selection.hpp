// Which codec a list travels in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/exchange/codecs/codec.hpp"

namespace orujo::exchange {

// What a message is worth: with fewer bytes of raw list it travels raw. Short lists gain little beside the
// headers of their message, and cost a buffer (docs/design/exchange.md has the measurement).
inline constexpr std::size_t default_codec_min_bytes = 256;

// May travel between processes.
struct codec_options {
  int wanted = -1;  // place in codecs(); -1: the rules of choose_codec()
  std::size_t min_bytes = default_codec_min_bytes;
};
// What --codec and --codec_min_bytes ask for.
codec_options codec_options_from_flags();

// Where integers make up this part of a list's range or more, automatic takes the bitmap. It is shorter from
// a fifth on, but slower: from a third on a wire of 1 Gbit/s, 1 ns per bit, saves more than it costs.
inline constexpr std::uint64_t bitmap_density_inverse = 3;

// Where pfor saves so many bits per integer over bp128, it is worth the time that it takes more on a wire of
// 1 Gbit/s, 1 ns per bit.
inline constexpr unsigned pfor_least_bits_saved = 2;

// Of automatic: raw to locales of the same node, which share memory; bitmap where integers are dense;
// otherwise bp128, the fastest, or pfor where wide gaps among short ones make its blocks wide. A wanted codec
// is used wherever there is enough to encode. The codec may still not pay: append_list() sees to that.
const codec& choose_codec(const codec_options& options, std::span<const std::uint32_t> list, bool same_node);

}  // namespace orujo::exchange
