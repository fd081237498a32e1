// Chooses the codec of a list in a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "framework/exchange/codecs/codec.hpp"

namespace orujo::internal::exchange {

// Lists with fewer raw bytes travel raw. Short lists gain little compared with the headers of their message,
// and cost a buffer (docs/design/exchange.md has the measurement).
inline constexpr std::size_t default_codec_min_bytes = 256;

// May travel between processes.
struct codec_options {
  int wanted = -1;  // place in codecs(); -1: the rules of choose_codec()
  std::size_t min_bytes = default_codec_min_bytes;
};
// The options of --codec and --codec_min_bytes.
codec_options codec_options_from_flags();

// If integers make up this part of a list's range or more, the automatic choice is the bitmap. It is shorter
// from a fifth on, but slower. From a third on it saves more than it costs on a wire of 1 Gbit/s, 1 ns per
// bit.
inline constexpr std::uint64_t bitmap_density_inverse = 3;

// If pfor saves this number of bits per integer over bp128, it is worth its longer time on a wire of 1
// Gbit/s, 1 ns per bit.
inline constexpr unsigned pfor_least_bits_saved = 2;

// The automatic choice is raw for locales of the same node, which share memory, and the bitmap for dense
// integers. For others it is bp128, the fastest, or pfor if wide gaps among short ones make bp128's blocks
// wide. A requested codec is used for all lists that are long enough. If the codec does not pay,
// append_list() sends the list raw.
const codec& choose_codec(const codec_options& options, std::span<const std::uint32_t> list, bool same_node);

}  // namespace orujo::internal::exchange
