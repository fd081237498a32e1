#include <algorithm>
#include <array>

#include "framework/exchange/codecs/codec.hpp"
#include "system/machine/cpus.hpp"

// One line per codec; new ones go last, so that the numbers of the others stay.
#define ORUJO_CODECS(codec_line) \
  codec_line(none) codec_line(bp128) codec_line(varint) codec_line(bitmap) codec_line(lz4)

namespace orujo::exchange {

namespace detail {
#define ORUJO_DECLARE_CODEC(name) extern const codec name##_codec;
ORUJO_CODECS(ORUJO_DECLARE_CODEC)
}  // namespace detail

namespace {

// Without a branch, so that it is done by lanes.
[[gnu::always_inline]] inline bool ascends_here(const std::uint32_t* list, std::size_t count) {
  std::uint32_t wrong = 0;
  for (std::size_t k = 1; k < count; ++k) wrong |= list[k - 1] < list[k] ? 0 : 1;
  return wrong == 0;
}
#ifdef __x86_64__
[[gnu::target("avx2")]] bool ascends_by_avx2(const std::uint32_t* list, std::size_t count) {
  return ascends_here(list, count);
}
#endif

}  // namespace

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

bool may_use_v3() {
  return machine::chosen_simd() != machine::simd_choice::scalar && machine::runs_x86_64_v3();
}

bool ascends(std::int64_t previous, std::span<const std::uint32_t> list) {
  if (list.empty()) return true;
  if (previous >= list[0]) return false;
#ifdef __x86_64__
  static const bool wide = machine::runs_x86_64_v3();
  if (wide) return ascends_by_avx2(list.data(), list.size());
#endif
  return ascends_here(list.data(), list.size());
}

status corrupt(std::string_view name, std::string_view what) {
  return {exit_status::bad_data, std::string(name) + ": " + std::string(what)};
}

}  // namespace orujo::exchange
