#include "framework/exchange/codecs/bp128_blocks.hpp"

#include <cstring>
#include <utility>

#include "system/machine/isa.hpp"

namespace orujo::internal::exchange::bp128 {
namespace {

constexpr int rows = 32, lanes = 4, word_bits = 32;

[[gnu::always_inline]] inline std::uint32_t gaps_of(const std::uint32_t* in, std::uint32_t* gaps) {
  const std::uint32_t* const before = in - 1;
  std::uint32_t all = 0;
  for (std::size_t k = 0; k < block_size; ++k) {
    gaps[k] = in[k] - before[k] - 1;
    all |= gaps[k];
  }
  return all;
}

constexpr std::uint32_t low_bits(int width) {
  return width == word_bits ? ~std::uint32_t{0} : (std::uint32_t{1} << width) - 1;
}

// The scalar twin works lane by lane, gap by gap.
void pack_nothing(const std::uint32_t*, std::byte*) {}
void unpack_nothing(const std::byte*, std::uint32_t* out, std::uint32_t previous) {
  for (std::uint32_t k = 0; k < block_size; ++k) out[k] = previous + 1 + k;
}

template <int Width>
void pack_by_lane(const std::uint32_t* gaps, std::byte* out) {
  std::uint32_t words[lanes * widest] = {};
  for (int k = 0; k < rows * lanes; ++k) {
    const int bit = k / lanes * Width, shift = bit % word_bits;
    std::uint32_t* const word = &words[bit / word_bits * lanes + k % lanes];
    word[0] |= gaps[k] << shift;
    if (shift + Width > word_bits) word[lanes] = gaps[k] >> (word_bits - shift);
  }
  std::memcpy(out, words, std::size_t{Width} * lanes * sizeof words[0]);
}

template <int Width>
void unpack_by_lane(const std::byte* in, std::uint32_t* out, std::uint32_t previous) {
  std::uint32_t words[lanes * widest];
  std::memcpy(words, in, std::size_t{Width} * lanes * sizeof words[0]);
  for (int k = 0; k < rows * lanes; ++k) {
    const int bit = k / lanes * Width, shift = bit % word_bits;
    const std::uint32_t* const word = &words[bit / word_bits * lanes + k % lanes];
    std::uint32_t gap = word[0] >> shift;
    if (shift + Width > word_bits) gap |= word[lanes] << (word_bits - shift);
    out[k] = previous += (gap & low_bits(Width)) + 1;
  }
}

// Four lanes by the compiler's vector extension: SSE2, or with AVX2 the same operations in three-operand
// form.
using row = std::uint32_t __attribute__((vector_size(lanes * sizeof(std::uint32_t))));

template <int Width>
struct packer {
  std::byte* out;
  row word = {};

  template <int R>
  [[gnu::always_inline]] void add(const std::uint32_t* gaps) {
    constexpr int shift = R * Width % word_bits, end = shift + Width;
    row gap;
    std::memcpy(&gap, gaps + R * lanes, sizeof gap);
    if constexpr (shift == 0) {
      word = gap;
    } else {
      word |= gap << shift;
    }
    if constexpr (end >= word_bits) {
      std::memcpy(out + R * Width / word_bits * sizeof word, &word, sizeof word);
      if constexpr (end > word_bits) word = gap >> (word_bits - shift);
    }
  }
};

// Integer i is integer i - 4 plus the last four gaps plus 4. Sums of four gaps take two shuffles and two
// additions, so that each row waits for a single addition of the row before.
template <int Width>
struct unpacker {
  const std::byte* in;
  row values;  // the last four
  row last_gaps = {}, last_pairs = {};

  [[gnu::always_inline]] row word(int w) const {
    row loaded;
    std::memcpy(&loaded, in + static_cast<std::size_t>(w) * sizeof loaded, sizeof loaded);
    return loaded;
  }
  template <int R>
  [[gnu::always_inline]] void take(std::uint32_t* out) {
    constexpr int w = R * Width / word_bits, shift = R * Width % word_bits, end = shift + Width;
    row gaps = word(w) >> shift;
    if constexpr (end > word_bits) gaps |= word(w + 1) << (word_bits - shift);
    if constexpr (end != word_bits) gaps &= low_bits(Width);
    const row pairs = gaps + __builtin_shufflevector(last_gaps, gaps, 3, 4, 5, 6);
    values += pairs + __builtin_shufflevector(last_pairs, pairs, 2, 3, 4, 5) + 4;
    last_gaps = gaps;
    last_pairs = pairs;
    std::memcpy(out + R * lanes, &values, sizeof values);
  }
};

template <int Width>
[[gnu::always_inline]] inline void pack_rows(const std::uint32_t* __restrict gaps,
                                             std::byte* __restrict out) {
  packer<Width> to{out};
  [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
    (to.template add<R>(gaps), ...);
  }
  (std::make_integer_sequence<int, rows>());
}

template <int Width>
[[gnu::always_inline]] inline void unpack_rows(const std::byte* __restrict in, std::uint32_t* __restrict out,
                                               std::uint32_t previous) {
  unpacker<Width> from{in, row{previous - 3, previous - 2, previous - 1, previous}};
  [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
    (from.template take<R>(out), ...);
  }
  (std::make_integer_sequence<int, rows>());
}

struct scalar_kernels {
  static std::uint32_t gaps(const std::uint32_t* in, std::uint32_t* to) { return gaps_of(in, to); }
  template <int Width>
  static constexpr auto pack = &pack_by_lane<Width>;
  template <int Width>
  static constexpr auto unpack = &unpack_by_lane<Width>;
};

struct sse2_kernels {
  static std::uint32_t gaps(const std::uint32_t* in, std::uint32_t* to) { return gaps_of(in, to); }
  template <int Width>
  static void pack(const std::uint32_t* gaps, std::byte* out) {
    pack_rows<Width>(gaps, out);
  }
  template <int Width>
  static void unpack(const std::byte* in, std::uint32_t* out, std::uint32_t previous) {
    unpack_rows<Width>(in, out, previous);
  }
};

#ifdef __x86_64__
struct avx2_kernels {
  ORUJO_AVX2 static std::uint32_t gaps(const std::uint32_t* in, std::uint32_t* to) { return gaps_of(in, to); }
  template <int Width>
  ORUJO_AVX2 static void pack(const std::uint32_t* gaps, std::byte* out) {
    pack_rows<Width>(gaps, out);
  }
  template <int Width>
  ORUJO_AVX2 static void unpack(const std::byte* in, std::uint32_t* out, std::uint32_t previous) {
    unpack_rows<Width>(in, out, previous);
  }
};
#else
using avx2_kernels = sse2_kernels;
#endif

// The kernels provide all widths but 0.
template <class Kernels, int... Less>
const block_kernels& all_widths(std::integer_sequence<int, Less...>) {
  static constexpr block_kernels all{&Kernels::gaps,
                                     {pack_nothing, Kernels::template pack<Less + 1>...},
                                     {unpack_nothing, Kernels::template unpack<Less + 1>...}};
  return all;
}

}  // namespace

const block_kernels& blocks_of(kernel with) {
  constexpr std::make_integer_sequence<int, widest> widths;
  switch (with) {
    case kernel::avx2:
      return all_widths<avx2_kernels>(widths);
    case kernel::sse2:
      return all_widths<sse2_kernels>(widths);
    case kernel::scalar:
      break;
  }
  return all_widths<scalar_kernels>(widths);
}

}  // namespace orujo::internal::exchange::bp128
