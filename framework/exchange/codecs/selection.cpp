#include "framework/exchange/codecs/selection.hpp"

#include "framework/exchange/codecs/pfor.hpp"

namespace orujo::internal::exchange {

const codec& choose_codec(const codec_options& options, std::span<const std::uint32_t> list, bool same_node) {
  static const codec& none = *find_codec("none");
  static const codec& bitmap = *find_codec("bitmap");
  static const codec& bp128 = *find_codec("bp128");
  static const codec& patched = *find_codec("pfor");
  if (list.empty() || list.size_bytes() < options.min_bytes) return none;
  if (options.wanted >= 0) return *codecs()[static_cast<std::size_t>(options.wanted)];
  if (same_node) return none;
  const std::uint64_t range = std::uint64_t{list.back()} - list.front() + 1;
  if (range <= bitmap_density_inverse * list.size()) return bitmap;
  const pfor::sample sampled = pfor::compare(pfor::best_kernel(), list);
  return sampled.bits_saved >= pfor_least_bits_saved * sampled.integers && sampled.integers > 0 ? patched
                                                                                                : bp128;
}

}  // namespace orujo::internal::exchange
