#include <algorithm>
#include <array>

#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/isa.hpp"

// One line per codec; new ones go last, so that the numbers of the others stay.
#define ORUJO_CODECS(codec_line)                                                                            \
  codec_line(none) codec_line(bp128) codec_line(varint) codec_line(bitmap) codec_line(lz4) codec_line(pfor) \
      codec_line(stream_varint)

namespace orujo::internal::exchange {

namespace detail {
#define ORUJO_DECLARE_CODEC(name) extern const codec name##_codec;
ORUJO_CODECS(ORUJO_DECLARE_CODEC)
}  // namespace detail

std::span<const codec* const> codecs() {
#define ORUJO_CODEC_ADDRESS(name) &detail::name##_codec,
  static constexpr std::array all = {ORUJO_CODECS(ORUJO_CODEC_ADDRESS)};
  return all;
}

const codec* find_codec(std::string_view name) {
  for (const codec* c : codecs()) {
    if (c->name == name) return c;
  }
  return nullptr;
}

int place_of(const codec* c) {
  if (!c) return -1;
  return static_cast<int>(std::find(codecs().begin(), codecs().end(), c) - codecs().begin());
}

std::string codec_names() {
  std::string names;
  for (const codec* c : codecs()) names.append(names.empty() ? "" : ", ").append(c->name);
  return names;
}

bool ascends(std::int64_t previous, std::span<const std::uint32_t> list) {
  if (list.empty()) return true;
  if (previous >= list[0]) return false;
  return machine::compiled_for(machine::simd_from_flags(), [list] {
    std::uint32_t wrong = 0;  // without a branch, so that compilers use vectors
    for (std::size_t k = 1; k < list.size(); ++k) wrong |= list[k - 1] < list[k] ? 0 : 1;
    return wrong == 0;
  });
}

status corrupt(std::string_view name, std::string_view what) {
  return {exit_status::bad_data, std::string(name) + ": " + std::string(what)};
}

}  // namespace orujo::internal::exchange
