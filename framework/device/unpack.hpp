// The opposite of pack.hpp: messages become members of a mask.
#pragma once

#include <cstdint>

#include "framework/device/pack.hpp"
#include "framework/device/warp.hpp"

namespace orujo::device {

// These four run one after the other on a packing_view of which `segments`, `packed` and `bytes` are those of
// the messages. Every message has packing::slack bytes behind it that may be read.

// Where the blocks of each message begin. A message that its widths do not fit loses its members, and counts
// in *wrong.
struct find_blocks {
  packing_view on;
  std::uint32_t* wrong;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t s = warp.number; s < on.size; s += warp.count) {
      const packed_segment packed = on.packed[s];
      if (packed.codec != on.rule.bp128) continue;
      const std::uint8_t* const widths = on.bytes + packed.offset + packing::list_head + 4;
      std::uint32_t* const blocks = on.blocks + s * on.blocks_each;
      const std::uint32_t size = packing::blocks_of(packed.count);
      typename Warp::template each<std::uint32_t> wide;
      warp.lanes([&](std::uint32_t lane) {
        wide[lane] = 0;
        for (std::uint32_t b = lane; b < size; b += lanes_of_warp) {
          wide[lane] |= widths[b] > 32 ? 1 : 0;
          blocks[b] = packing::bytes_of_block(packing::integers_of_block(packed.count, b), widths[b]);
        }
      });
      const std::uint32_t all = sums_before(warp, blocks, size);
      const bool fits = warp.ballot([&](std::uint32_t lane) { return wide[lane] != 0; }) == 0 &&
                        packing::bytes_before(packed, on.rule.none) + all == packed.bytes;
      if (fits) continue;
      warp.lanes([&](std::uint32_t lane) {
        if (lane != 0) return;
        on.packed[s].count = 0;
        Warp::fetch_add(wrong, std::uint32_t{1});
      });
    }
  }
};

// How far the integers of each block are from the one before it.
struct unpack_blocks {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.blocks_each, [&](std::uint32_t s, std::uint32_t block) {
      const packed_segment packed = on.packed[s];
      const std::uint32_t blocks = packing::blocks_of(packed.count);
      if (packed.codec != on.rule.bp128 || block >= blocks) return;
      const std::uint8_t* const message = on.bytes + packed.offset;
      const std::uint32_t width = message[packing::list_head + 4 + block],
                          size = packing::integers_of_block(packed.count, block);
      const std::uint8_t* const from =
          message + packing::list_head + 4 + blocks + on.blocks[s * on.blocks_each + block];
      typename Warp::template each<std::uint32_t> before;
      warp.lanes([&](std::uint32_t lane) {
        before[lane] = 0;
        for (std::uint32_t k = 4 * lane; k < 4 * lane + 4 && k < size; ++k)
          before[lane] += 1 + gap(from, width, size, k);
      });
      const std::uint32_t all = warp.scan(before);
      std::uint32_t* const to = on.list_of(s) + 1 + block * packing::block_size;
      warp.lanes([&](std::uint32_t lane) {
        std::uint32_t sum = before[lane];
        for (std::uint32_t k = 4 * lane; k < 4 * lane + 4 && k < size; ++k)
          to[k] = sum += 1 + gap(from, width, size, k);
        if (lane == 0) on.sums[s * on.blocks_each + block] = all;
      });
    });
  }

 private:
  static ORUJO_DEVICE std::uint32_t gap(const std::uint8_t* from, std::uint32_t width, std::uint32_t size,
                                        std::uint32_t k) {
    if (width == 0) return 0;
    if (size < packing::block_size) {
      const std::uint8_t* const at = from + k * width / 8;
      return packing::cut_bits(packing::load_bits(at), packing::load_bits(at + 4), k * width % 8, width);
    }
    const std::uint32_t bit = k / 4 * width;
    const std::uint8_t* const at = from + bit / 32 * 16 + k % 4 * 4;
    const bool crosses = bit % 32 + width > 32;
    return packing::cut_bits(packing::load_bits(at), crosses ? packing::load_bits(at + 16) : 0, bit % 32,
                             width);
  }
};

// The integer before each block.
struct add_blocks {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t s = warp.number; s < on.size; s += warp.count) {
      const packed_segment packed = on.packed[s];
      if (packed.codec != on.rule.bp128 || packed.count == 0) continue;
      sums_before(warp, on.sums + s * on.blocks_each, packing::blocks_of(packed.count),
                  packing::load_bits(on.bytes + packed.offset + packing::list_head));
    }
  }
};

// `mask` gets the members of all messages beside what it has. *wrong also counts those that are outside of
// their segment.
struct merge_messages {
  packing_view on;
  std::uint32_t* mask;
  std::uint32_t* wrong;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.blocks_each, [&](std::uint32_t s, std::uint32_t part) {
      const packed_segment packed = on.packed[s];
      const std::uint8_t* const message = on.bytes + packed.offset;
      std::uint32_t* const to = mask + on.segments[s].first;
      const std::uint32_t words = on.segments[s].words;
      if (packed.codec == packed_segment::as_words) {
        for_share(warp, words, part, [&](std::uint32_t k) { to[k] |= packing::load_bits(message + 4 * k); });
        return;
      }
      const std::uint8_t* const integers = message + packing::list_head;
      const bool plain = packed.codec == on.rule.none;
      for_share(warp, packed.count, part, [&](std::uint32_t k) {
        const std::uint32_t place =
            plain || k == 0 ? packing::load_bits(integers + 4 * k) : on.list_of(s)[k] + before(s, k);
        if (place / 32 >= words) {
          Warp::fetch_add(wrong, std::uint32_t{1});
        } else {
          Warp::fetch_or(to + place / 32, std::uint32_t{1} << place % 32);
        }
      });
    });
  }

 private:
  ORUJO_DEVICE std::uint32_t before(std::uint32_t s, std::uint32_t k) const {
    return on.sums[s * on.blocks_each + (k - 1) / packing::block_size];
  }
  // Of 0 .. size - 1, the share of part `part` of blocks_each.
  template <class Warp, class Of>
  ORUJO_DEVICE void for_share(const Warp& warp, std::uint32_t size, std::uint32_t part, Of of) const {
    warp.lanes([&](std::uint32_t lane) {
      for (std::uint32_t k = part * lanes_of_warp + lane; k < size; k += on.blocks_each * lanes_of_warp)
        of(k);
    });
  }
};

}  // namespace orujo::device
