// Sets of vertices in messages, packed by a GPU with the bytes of the CPU. A segment of a mask is packed as
// its words, or as a list message (exchange/codecs/list_message.hpp) of its members' positions, plain or by
// bp128 (exchange/codecs/bp128.hpp).
//
// After Lemire, Boytsov, Kurz, "SIMD compression and the intersection of sorted integers", 2016: a block of
// 128 gaps is packed by a warp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "framework/device/warp.hpp"

namespace orujo::internal::device {

// Words of a mask, 32 bits each, an even number of them.
struct mask_segment {
  std::uint32_t first, words;
  std::uint32_t encodes;  // lists may travel by bp128
};

// A segment's message. codec: of `exchange::codecs()`, or as_words.
struct packed_segment {
  static constexpr std::uint32_t as_words = ~std::uint32_t{0};
  std::uint32_t count, codec;  // members
  std::uint32_t offset, bytes;
  std::uint32_t squeezed;  // 1: its words are those of squeeze.hpp
};

// Which codec the list of a segment travels in. A list that is not shorter than the words is not sent.
struct pack_rule {
  std::uint32_t none, bp128;      // places in exchange::codecs()
  std::uint32_t least_bytes;      // shorter lists, at 4 bytes per member, are plain
  std::uint32_t density_inverse;  // where members are a larger part, the words travel
};

namespace packing {

inline constexpr std::uint32_t words_of_chunk = 256;  // of a segment, for a warp
inline constexpr std::uint32_t block_size = 128;
inline constexpr std::uint32_t list_head = 5;   // number of members, codec
inline constexpr std::uint32_t alignment = 16;  // of what follows the head, on the GPU

ORUJO_HOST_DEVICE constexpr std::uint32_t round_up(std::uint32_t n, std::uint32_t to) {
  return (n + to - 1) / to * to;
}
ORUJO_HOST_DEVICE constexpr std::uint32_t blocks_of(std::uint32_t count) {
  return count == 0 ? 0 : (count - 1 + block_size - 1) / block_size;
}
// The bytes before the first block, or before the first integer of a plain list.
ORUJO_HOST_DEVICE constexpr std::uint32_t bytes_before(const packed_segment& s, std::uint32_t none) {
  return s.codec == none ? list_head : list_head + 4 + blocks_of(s.count);
}
ORUJO_HOST_DEVICE constexpr std::uint32_t integers_of_block(std::uint32_t count, std::uint32_t block) {
  const std::uint32_t left = count - 1 - block * block_size;
  return left < block_size ? left : block_size;
}
ORUJO_HOST_DEVICE constexpr std::uint32_t bytes_of_block(std::uint32_t integers, std::uint32_t width) {
  return (integers * width + 7) / 8;
}

// Bits begin .. begin + 31 of a string of `count` integers that have `width` bits each.
template <class Value>
ORUJO_DEVICE std::uint32_t bits_of_string(std::uint32_t begin, std::uint32_t width, std::uint32_t count,
                                          Value value) {
  std::uint32_t bits = 0;
  for (std::uint32_t k = begin / width; k < count && k * width < begin + 32; ++k)
    bits |= k * width >= begin ? value(k) << (k * width - begin) : value(k) >> (begin - k * width);
  return bits;
}

ORUJO_DEVICE inline void store_bits(std::uint8_t* to, std::uint32_t bits) {
  for (std::uint32_t k = 0; k < 4; ++k) to[k] = static_cast<std::uint8_t>(bits >> 8 * k);
}

}  // namespace packing

// The kernels' arrays, in the GPU's memory. A segment has a fixed number of entries in the arrays by chunk,
// by block and by member, and uses as many as it needs, from the first on.
struct packing_view {
  const mask_segment* segments;
  packed_segment* packed;  // by segment
  std::uint32_t size;      // segments
  std::uint32_t chunks_each, blocks_each, members_each;
  std::uint32_t* chunks;   // members of the chunks before
  std::uint8_t* widths;    // of blocks
  std::uint32_t* blocks;   // bytes of the blocks before
  std::uint32_t* members;  // places of members, ascending, from the segment's first word on
  std::uint8_t* bytes;
  pack_rule rule;

  ORUJO_DEVICE bool is_list(std::uint32_t s) const {
    return packed[s].count * std::uint64_t{rule.density_inverse} <= std::uint64_t{segments[s].words} * 32;
  }
  ORUJO_DEVICE std::uint32_t* list_of(std::uint32_t s) const {
    return members + std::size_t{s} * members_each;
  }
  // For gap k of a block: how far apart two integers of the list are, less 1.
  ORUJO_DEVICE std::uint32_t gap(const std::uint32_t* before, std::uint32_t k) const {
    return before[k + 1] - before[k] - 1;
  }
  // Calls of(segment, item) for each item of each segment, a warp each.
  template <class Warp, class Of>
  static ORUJO_DEVICE void for_items(const Warp& warp, std::uint32_t segments, std::uint32_t each, Of of) {
    for (std::uint32_t k = warp.number; k < segments * each; k += warp.count) of(k / each, k % each);
  }
  // The words of a chunk that lane `lane` examines in each of its rounds.
  template <class Warp, class Of>
  ORUJO_DEVICE void for_rounds(const Warp&, std::uint32_t s, std::uint32_t chunk, Of of) const {
    const std::uint32_t first = chunk * packing::words_of_chunk,
                        end = first + packing::words_of_chunk < segments[s].words
                                  ? first + packing::words_of_chunk
                                  : segments[s].words;
    for (std::uint32_t w = first; w < end; w += lanes_of_warp) of(w, end);
  }
};

// Counts the members of each segment's chunks.
struct count_chunks {
  packing_view on;
  const std::uint32_t* mask;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.chunks_each, [&](std::uint32_t s, std::uint32_t chunk) {
      typename Warp::template each<std::uint32_t> count;
      warp.lanes([&](std::uint32_t lane) { count[lane] = 0; });
      on.for_rounds(warp, s, chunk, [&](std::uint32_t w, std::uint32_t end) {
        warp.lanes([&](std::uint32_t lane) {
          if (w + lane < end) count[lane] += Warp::popcount(mask[on.segments[s].first + w + lane]);
        });
      });
      const std::uint32_t all = warp.scan(count);
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) on.chunks[s * on.chunks_each + chunk] = all;
      });
    });
  }
};

// The sums of `size` numbers before each; returns that of all.
template <class Warp>
ORUJO_DEVICE std::uint32_t sums_before(const Warp& warp, std::uint32_t* numbers, std::uint32_t size,
                                       std::uint32_t start = 0) {
  typename Warp::template each<std::uint32_t> part;
  for (std::uint32_t first = 0; first < size; first += lanes_of_warp) {
    warp.lanes([&](std::uint32_t lane) { part[lane] = first + lane < size ? numbers[first + lane] : 0; });
    const std::uint32_t all = warp.scan(part);
    warp.lanes([&](std::uint32_t lane) {
      if (first + lane < size) numbers[first + lane] = start + part[lane];
    });
    start += all;
  }
  return start;
}

struct count_segments {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t s = warp.number; s < on.size; s += warp.count) {
      const std::uint32_t all = sums_before(warp, on.chunks + s * on.chunks_each, on.chunks_each);
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) on.packed[s].count = all;
      });
    }
  }
};

struct list_in_order {
  packing_view on;
  const std::uint32_t* mask;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.chunks_each, [&](std::uint32_t s, std::uint32_t chunk) {
      if (!on.is_list(s)) return;
      std::uint32_t* list = on.list_of(s) + on.chunks[s * on.chunks_each + chunk];
      typename Warp::template each<std::uint32_t> bits, at;
      on.for_rounds(warp, s, chunk, [&](std::uint32_t w, std::uint32_t end) {
        warp.lanes([&](std::uint32_t lane) {
          bits[lane] = w + lane < end ? mask[on.segments[s].first + w + lane] : 0;
          at[lane] = Warp::popcount(bits[lane]);
        });
        const std::uint32_t all = warp.scan(at);
        warp.lanes([&](std::uint32_t lane) {
          std::uint32_t* to = list + at[lane];
          for (std::uint32_t rest = bits[lane]; rest != 0; rest &= rest - 1)
            *to++ = (w + lane) * 32 + Warp::first_bit(rest);
        });
        list += all;
      });
    });
  }
};

struct measure_blocks {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.blocks_each, [&](std::uint32_t s, std::uint32_t block) {
      const std::uint32_t count = on.packed[s].count;
      if (!on.is_list(s) || block >= packing::blocks_of(count)) return;
      const std::uint32_t* const before = on.list_of(s) + block * packing::block_size;
      const std::uint32_t size = packing::integers_of_block(count, block);
      typename Warp::template each<std::uint32_t> all;
      warp.lanes([&](std::uint32_t lane) {
        all[lane] = 0;
        for (std::uint32_t k = lane; k < size; k += lanes_of_warp) all[lane] |= on.gap(before, k);
      });
      warp.fold(all, [](std::uint32_t a, std::uint32_t b) { return a | b; });
      warp.lanes([&](std::uint32_t lane) {
        if (lane != 0) return;
        const std::uint32_t width = Warp::bits_of(all[lane]), at = s * on.blocks_each + block;
        on.widths[at] = static_cast<std::uint8_t>(width);
        on.blocks[at] = packing::bytes_of_block(size, width);
      });
    });
  }
};

// Selects the form in which each segment is sent.
struct choose_forms {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    for (std::uint32_t s = warp.number; s < on.size; s += warp.count) {
      const packed_segment now = on.packed[s];
      const std::uint32_t words_bytes = on.segments[s].words * 4, plain = now.count * 4;
      packed_segment form{now.count, packed_segment::as_words, 0, words_bytes, now.squeezed};
      if (on.is_list(s)) {
        const std::uint32_t blocks = packing::blocks_of(now.count);
        const std::uint32_t encoded = 4 + blocks + sums_before(warp, on.blocks + s * on.blocks_each, blocks);
        const bool encodes =
            on.segments[s].encodes != 0 && now.count > 0 && plain >= on.rule.least_bytes && encoded < plain;
        const std::uint32_t bytes = packing::list_head + (encodes ? encoded : plain);
        if (bytes < words_bytes)
          form = {now.count, encodes ? on.rule.bp128 : on.rule.none, 0, bytes, now.squeezed};
      }
      warp.lanes([&](std::uint32_t lane) {
        if (lane == 0) on.packed[s] = form;
      });
    }
  }
};

// Places messages one after the other, with the bytes after each head aligned. One warp.
struct place_messages {
  packing_view on;
  std::uint32_t* all_bytes;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    typename Warp::template each<std::uint32_t> before, room;
    std::uint32_t start = 0;
    for (std::uint32_t first = 0; first < on.size; first += lanes_of_warp) {
      warp.lanes([&](std::uint32_t lane) {
        before[lane] = room[lane] = 0;
        if (first + lane >= on.size) return;
        const packed_segment& s = on.packed[first + lane];
        const std::uint32_t head =
            s.codec == packed_segment::as_words ? 0 : packing::bytes_before(s, on.rule.none);
        before[lane] = packing::round_up(head, packing::alignment) - head;
        room[lane] = packing::round_up(before[lane] + s.bytes, packing::alignment);
      });
      const std::uint32_t all = warp.scan(room);
      warp.lanes([&](std::uint32_t lane) {
        if (first + lane < on.size) on.packed[first + lane].offset = start + room[lane] + before[lane];
      });
      start += all;
    }
    warp.lanes([&](std::uint32_t lane) {
      if (lane == 0) *all_bytes = start;
    });
  }
};

// The messages of segments that travel as words or as plain lists.
struct write_plain {
  packing_view on;
  const std::uint32_t* mask;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.chunks_each, [&](std::uint32_t s, std::uint32_t chunk) {
      const packed_segment packed = on.packed[s];
      const bool words = packed.codec == packed_segment::as_words;
      if (!words && packed.codec != on.rule.none) return;
      const std::uint32_t* const from = words ? mask + on.segments[s].first : on.list_of(s);
      const std::uint32_t size = words ? on.segments[s].words : packed.count;
      std::uint8_t* const message = on.bytes + packed.offset;
      auto* const to = reinterpret_cast<std::uint32_t*>(message + (words ? 0 : packing::list_head));
      warp.lanes([&](std::uint32_t lane) {
        for (std::uint32_t k = chunk * lanes_of_warp + lane; k < size; k += on.chunks_each * lanes_of_warp)
          to[k] = from[k];
        if (words || chunk != 0 || lane != 0) return;
        packing::store_bits(message, packed.count);
        message[4] = static_cast<std::uint8_t>(packed.codec);
      });
    });
  }
};

// The blocks of segments that travel by bp128.
struct write_blocks {
  packing_view on;

  template <class Warp>
  ORUJO_DEVICE void operator()(const Warp& warp) const {
    packing_view::for_items(warp, on.size, on.blocks_each, [&](std::uint32_t s, std::uint32_t block) {
      const packed_segment packed = on.packed[s];
      const std::uint32_t blocks = packing::blocks_of(packed.count);
      if (packed.codec != on.rule.bp128 || (block >= blocks && block > 0)) return;
      std::uint8_t* const message = on.bytes + packed.offset;
      const std::uint32_t at = s * on.blocks_each + block, width = block < blocks ? on.widths[at] : 0;
      warp.lanes([&](std::uint32_t lane) {
        if (lane != 0) return;
        if (block < blocks) message[packing::list_head + 4 + block] = static_cast<std::uint8_t>(width);
        if (block > 0) return;
        packing::store_bits(message, packed.count);
        message[4] = static_cast<std::uint8_t>(packed.codec);
        packing::store_bits(message + packing::list_head, on.list_of(s)[0]);
      });
      if (width == 0) return;
      std::uint8_t* const to = message + packing::bytes_before(packed, on.rule.none) + on.blocks[at];
      const std::uint32_t* const before = on.list_of(s) + block * packing::block_size;
      const std::uint32_t size = packing::integers_of_block(packed.count, block);
      if (size == packing::block_size) {
        write_full(warp, before, width, reinterpret_cast<std::uint32_t*>(to));
      } else {
        write_rest(warp, before, width, size, to);
      }
    });
  }

 private:
  // Word w of string l, of four, is word 4 w + l; string l has the gaps 4 r + l.
  template <class Warp>
  ORUJO_DEVICE void write_full(const Warp& warp, const std::uint32_t* before, std::uint32_t width,
                               std::uint32_t* to) const {
    warp.lanes([&](std::uint32_t lane) {
      for (std::uint32_t k = lane; k < 4 * width; k += lanes_of_warp)
        to[k] = packing::bits_of_string(k / 4 * 32, width, packing::block_size / 4,
                                        [&](std::uint32_t r) { return on.gap(before, 4 * r + k % 4); });
    });
  }
  template <class Warp>
  ORUJO_DEVICE void write_rest(const Warp& warp, const std::uint32_t* before, std::uint32_t width,
                               std::uint32_t size, std::uint8_t* to) const {
    const std::uint32_t bytes = packing::bytes_of_block(size, width);
    warp.lanes([&](std::uint32_t lane) {
      for (std::uint32_t first = lane * 4; first < bytes; first += lanes_of_warp * 4) {
        const std::uint32_t bits = packing::bits_of_string(
            first * 8, width, size, [&](std::uint32_t k) { return on.gap(before, k); });
        for (std::uint32_t k = first; k < bytes && k < first + 4; ++k)
          to[k] = static_cast<std::uint8_t>(bits >> 8 * (k - first));
      }
    });
  }
};

}  // namespace orujo::internal::device
