#include "framework/exchange/codecs/pfor.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "framework/exchange/codecs/bit_string.hpp"
#include "framework/exchange/codecs/bp128_blocks.hpp"
#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/isa.hpp"

namespace orujo::internal::exchange::pfor {
namespace {

using bp128::block_counts, bp128::block_kernels, bp128::block_size;

constexpr std::size_t head = sizeof(std::uint32_t);
constexpr unsigned patched = 0x80, width_bits = 0x3f, place_bits = 7;
constexpr std::size_t patch_head = 2;

constexpr std::size_t packed_bytes(std::size_t size, unsigned width) { return bit_string_bytes(size, width); }
constexpr std::size_t patch_bytes(std::size_t count, unsigned upper) {
  return count == 0 ? 0 : patch_head + bit_string_bytes(count, place_bits) + bit_string_bytes(count, upper);
}

// The layout of a block: gaps of more than `width` bits are exceptions, with `upper` more bits each.
struct cut {
  unsigned width = 0, upper = 0;
  std::size_t exceptions = 0;

  std::size_t bytes(std::size_t size) const {
    return packed_bytes(size, width) + patch_bytes(exceptions, upper);
  }
};

// Returns the cut with the fewest bytes. `gaps` has 128 gaps of up to `bits` bits, zeros after the first
// `size`.
[[gnu::always_inline]] inline cut shortest_cut(const std::uint32_t* gaps, std::size_t size, unsigned bits) {
  cut best{bits, 0, 0};
  std::size_t least = packed_bytes(size, bits);
  for (unsigned width = bits; width-- > 0;) {
    std::uint32_t wider = 0;
    for (std::size_t k = 0; k < block_size; ++k) wider += gaps[k] >> width != 0 ? 1 : 0;
    const std::size_t apart = patch_bytes(wider, bits - width);
    if (apart >= least) break;  // less width has no fewer exceptions
    if (const std::size_t bytes = packed_bytes(size, width) + apart; bytes < least) {
      least = bytes;
      best = {width, bits - width, wider};
    }
  }
  return best;
}

// Four lanes, as in bp128_blocks.cpp.
using row = std::uint32_t __attribute__((vector_size(4 * sizeof(std::uint32_t))));

// Adds to every integer of a full block what the gaps up to it lack.
[[gnu::always_inline]] inline void add_sums(const std::uint32_t* lacking, std::uint32_t* out) {
  constexpr row none = {};
  row before = {};
  for (std::size_t k = 0; k < block_size; k += 4) {
    row sums, values;
    std::memcpy(&sums, lacking + k, sizeof sums);
    std::memcpy(&values, out + k, sizeof values);
    sums += __builtin_shufflevector(none, sums, 0, 4, 5, 6);
    sums += __builtin_shufflevector(none, sums, 0, 1, 4, 5);
    sums += before;
    values += sums;
    std::memcpy(out + k, &values, sizeof values);
    before = __builtin_shufflevector(sums, sums, 3, 3, 3, 3);
  }
}

void add_sums_one_by_one(const std::uint32_t* lacking, std::uint32_t* out) {
  std::uint32_t sum = 0;
  for (std::size_t k = 0; k < block_size; ++k) out[k] += sum += lacking[k];
}

// Runs f() for the kernel, as it is or compiled for AVX2.
template <class Function>
auto run(kernel with, Function f) {
#ifdef __x86_64__
  if (with == kernel::avx2) return machine::compiled_for(machine::isa::avx2{}, f);
#endif
  return f();
}

// Computes the gaps of integers that follow block[-1], with zeros after them; returns the bits of the widest.
unsigned gaps_of(kernel with, std::span<const std::uint32_t> block, std::uint32_t* gaps) {
  std::uint32_t all = 0;
  if (block.size() == block_size) {
    all = bp128::blocks_of(with).gaps(block.data(), gaps);
  } else {
    const std::uint32_t* const before = block.data() - 1;
    std::fill_n(gaps, block_size, 0);
    for (std::size_t k = 0; k < block.size(); ++k) all |= gaps[k] = block[k] - before[k] - 1;
  }
  return static_cast<unsigned>(std::bit_width(all));
}

// Writes the block that follows its head. Overwrites the gaps.
std::byte* encode_block(kernel with, std::uint32_t* gaps, std::size_t size, unsigned bits, std::byte& head_of,
                        std::byte* to) {
  const cut c = run(with, [=] { return shortest_cut(gaps, size, bits); });
  head_of = static_cast<std::byte>(c.width | (c.exceptions > 0 ? patched : 0));
  std::uint32_t upper[block_size + 1];
  std::uint8_t places[block_size + 1];
  if (c.exceptions > 0) {
    std::size_t e = 0;
    for (std::size_t k = 0; k < size; ++k) {
      places[e] = static_cast<std::uint8_t>(k);
      upper[e] = gaps[k] >> c.width;
      e += upper[e] != 0 ? 1 : 0;
    }
    const std::uint32_t low = (std::uint32_t{1} << c.width) - 1;
    for (std::size_t k = 0; k < block_size; ++k) gaps[k] &= low;
  }
  if (size == block_size) {
    bp128::blocks_of(with).pack[c.width](gaps, to);
    to += packed_bytes(size, c.width);
  } else {
    to = write_bits(
        size, c.width, [=](std::size_t k) { return gaps[k]; }, to);
  }
  if (c.exceptions == 0) return to;
  *to++ = static_cast<std::byte>(c.exceptions);
  *to++ = static_cast<std::byte>(c.upper);
  to = write_bits(
      c.exceptions, place_bits, [&](std::size_t k) { return places[k]; }, to);
  return write_bits(
      c.exceptions, c.upper, [&](std::size_t k) { return upper[k]; }, to);
}

// The exceptions of a block.
struct patches {
  std::size_t count = 0;
  unsigned upper = 0;
  std::span<const std::byte> places, uppers;

  // Removes them from the front of `bytes`. Returns an empty string if they suit a block of this size and
  // width.
  std::string_view take(std::span<const std::byte>& bytes, std::size_t size, unsigned width) {
    if (bytes.size() < patch_head) return "ends within a block's exceptions";
    count = std::to_integer<std::size_t>(bytes[0]);
    upper = std::to_integer<unsigned>(bytes[1]);
    if (count == 0 || count > size) return "no or more exceptions than integers in a block";
    if (upper == 0 || upper + width > bp128::widest) return "an exception of more than 32 bits";
    const std::size_t whole = patch_bytes(count, upper);
    if (bytes.size() < whole) return "ends within a block's exceptions";
    places = bytes.subspan(patch_head, bit_string_bytes(count, place_bits));
    uppers = bytes.subspan(patch_head + places.size(), bit_string_bytes(count, upper));
    bytes = bytes.subspan(whole);
    return "";
  }

  // Writes what the gaps of the exceptions lack, and leaves others. Returns false if one is beyond the block.
  bool spread(std::size_t size, unsigned width, std::uint32_t* lacking) const {
    std::uint32_t at[block_size];
    bool right = true;
    read_bits(places, count, place_bits, [&](std::size_t k, std::uint32_t place) {
      right &= place < size;
      at[k] = place;
    });
    read_bits(uppers, count, upper,
              [&](std::size_t k, std::uint32_t value) { lacking[at[k]] = value << width; });
    return right;
  }
};

// Decodes one block that follows `previous`, from the front of `bytes`. Returns an empty string or the error.
std::string_view decode_block(kernel with, unsigned head_of, std::span<const std::byte>& bytes,
                              std::uint32_t previous, std::span<std::uint32_t> out) {
  const unsigned width = head_of & width_bits;
  if (width > bp128::widest || (head_of & ~(width_bits | patched)) != 0) return "no head of a block";
  const std::size_t size = out.size(), packed = packed_bytes(size, width);
  if (bytes.size() < packed) return "ends within a block";
  const std::span<const std::byte> gaps = bytes.first(packed);
  bytes = bytes.subspan(packed);
  const bool has_patches = (head_of & patched) != 0;
  patches apart;
  std::uint32_t lacking[block_size];
  if (has_patches) {
    if (const std::string_view wrong = apart.take(bytes, size, width); !wrong.empty()) return wrong;
    std::ranges::fill(lacking, 0);
    if (!apart.spread(size, width, lacking)) return "an exception beyond its block";
  }
  if (size == block_size) {
    bp128::blocks_of(with).unpack[width](gaps.data(), out.data(), previous);
    if (has_patches && with == kernel::scalar) {
      add_sums_one_by_one(lacking, out.data());
    } else if (has_patches) {
      run(with, [&lacking, to = out.data()] { add_sums(lacking, to); });
    }
  } else {
    std::uint32_t last = previous;
    read_bits(gaps, size, width, [&](std::size_t k, std::uint32_t gap) {
      out[k] = last += gap + (has_patches ? lacking[k] : 0) + 1;
    });
  }
  if (!bp128::may_wrap(previous, width + apart.upper) || ascends(previous, out)) return "";
  return "the list does not ascend";
}

}  // namespace

std::size_t room(std::size_t count) {
  if (count == 0) return 0;
  return bp128::room(count) + bit_string_margin;
}

sample compare(kernel with, std::span<const std::uint32_t> list) {
  constexpr std::size_t step = 8 * block_size;
  sample sum;
  alignas(64) std::uint32_t gaps[block_size];
  for (std::size_t k = 1; k + block_size / 2 <= list.size(); k += step) {
    const auto block = list.subspan(k, std::min(block_size, list.size() - k));
    const unsigned bits = gaps_of(with, block, gaps);
    const cut c = run(with, [&gaps, size = block.size(), bits] { return shortest_cut(gaps, size, bits); });
    sum.integers += block.size();
    sum.bits_saved += 8 * (packed_bytes(block.size(), bits) - c.bytes(block.size()));
  }
  return sum;
}

std::size_t encode(kernel with, std::span<const std::uint32_t> list, std::span<std::byte> into) {
  if (list.empty()) return 0;
  const block_counts l(list.size());
  std::memcpy(into.data(), list.data(), head);
  std::byte* head_of = into.data() + head;
  std::byte* to = head_of + l.blocks;
  alignas(64) std::uint32_t gaps[block_size];
  for (std::size_t k = 1; k < list.size(); k += block_size) {
    const auto block = list.subspan(k, std::min(block_size, list.size() - k));
    const unsigned bits = gaps_of(with, block, gaps);
    to = encode_block(with, gaps, block.size(), bits, *head_of++, to);
  }
  return static_cast<std::size_t>(to - into.data());
}

status decode(kernel with, std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  if (into.empty()) return bytes.empty() ? status() : corrupt("pfor", "bytes for no integers");
  const block_counts l(into.size());
  if (bytes.size() < head + l.blocks) return corrupt("pfor", "shorter than its head");
  std::uint32_t previous;
  std::memcpy(&previous, bytes.data(), head);
  into[0] = previous;
  const std::span<const std::byte> heads = bytes.subspan(head, l.blocks);
  std::span<const std::byte> rest = bytes.subspan(head + l.blocks);
  std::span<std::uint32_t> out = into.subspan(1);
  for (const std::byte head_of : heads) {
    const auto block = out.first(std::min(block_size, out.size()));
    const std::string_view wrong =
        decode_block(with, std::to_integer<unsigned>(head_of), rest, previous, block);
    if (!wrong.empty()) return corrupt("pfor", wrong);
    previous = block.back();
    out = out.subspan(block.size());
  }
  return rest.empty() ? status() : corrupt("pfor", "bytes after the last block");
}

}  // namespace orujo::internal::exchange::pfor

namespace orujo::internal::exchange::detail {

static std::size_t encode_pfor(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  return pfor::encode(pfor::best_kernel(), list, into);
}
static status decode_pfor(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  return pfor::decode(pfor::best_kernel(), bytes, into);
}
extern const codec pfor_codec{"pfor", pfor::room, encode_pfor, decode_pfor};

}  // namespace orujo::internal::exchange::detail
