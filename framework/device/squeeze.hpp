// A GPU moves the bits of a segment that can be set at all together, as the CPU does
// (exchange/squeezed_bits.hpp).
#pragma once

#include <cstdint>

#include "framework/device/pack.hpp"
#include "framework/device/warp.hpp"

namespace orujo::internal::device {

// Plans which segments are squeezed, and the words that they travel from: segment s from word s * stride on.
// on.packed has the number of members of a segment. on.chunks has the number of bits that can be set in each
// chunk.
struct plan_squeeze {
  packing_view on;
  std::uint32_t stride;
  mask_segment* travelling;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t s = warp.number; s < on.size; s += warp.count) {
      const std::uint32_t room = sums_before(warp, on.chunks + s * on.chunks_each, on.chunks_each);
      const mask_segment& of = on.segments[s];
      // A list of few members is not squeezed, so its reader inspects few words (exchange::bit_packer).
      const bool squeezed = on.packed[s].count * std::uint64_t{64} >= of.words / 2;
      warp.lanes([&](std::uint32_t lane) {
        if (lane != 0) return;
        travelling[s] = {s * stride, squeezed ? packing::round_up(room, 64) / 32 : of.words, of.encodes};
        on.packed[s].squeezed = squeezed ? 1 : 0;
      });
    }
  }
};

// Moves the segments there. `to` is all zeros at first.
struct squeeze_segments {
  packing_view on;
  const mask_segment* travelling;
  const std::uint32_t* mask;
  const std::uint32_t* possible;
  std::uint32_t* to;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.chunks_each, [&](std::uint32_t s, std::uint32_t chunk) {
      std::uint32_t* const into = to + travelling[s].first;
      const std::uint32_t first = on.segments[s].first;
      const bool squeezed = on.packed[s].squeezed != 0;
      std::uint32_t start = on.chunks[s * on.chunks_each + chunk];
      typename Warp::template each<std::uint32_t> can, at;
      on.for_rounds(warp, s, chunk, [&](std::uint32_t w, std::uint32_t end) {
        if (!squeezed) {
          warp.lanes([&](std::uint32_t lane) {
            if (w + lane < end) into[w + lane] = mask[first + w + lane];
          });
          return;
        }
        warp.lanes([&](std::uint32_t lane) {
          can[lane] = w + lane < end ? possible[first + w + lane] : 0;
          at[lane] = Warp::popcount(can[lane]);
        });
        const std::uint32_t all = warp.scan(at);
        warp.lanes([&](std::uint32_t lane) {
          if (can[lane] != 0)
            put<Warp>(into, start + at[lane], gathered<Warp>(mask[first + w + lane], can[lane]));
        });
        start += all;
      });
    });
  }

 private:
  // The bits at the places of the mask, as the lowest ones.
  template <class Warp>
  static ORUJO_DEVICE std::uint32_t gathered(std::uint32_t bits, std::uint32_t places) {
    std::uint32_t lowest = 0;
    for (std::uint32_t rest = bits & places; rest != 0; rest &= rest - 1)
      lowest |= std::uint32_t{1} << Warp::popcount(places & ((rest & (~rest + 1)) - 1));
    return lowest;
  }
  template <class Warp>
  static ORUJO_DEVICE void put(std::uint32_t* into, std::uint32_t place, std::uint32_t bits) {
    const std::uint32_t at = place % 32, low = bits << at, high = bits >> 1 >> (31 - at);
    if (low != 0) Warp::fetch_or(into + place / 32, low);
    if (high != 0) Warp::fetch_or(into + place / 32 + 1, high);
  }
};

}  // namespace orujo::internal::device
