// The list as it is: 32 bits per integer.
#include <cstring>

#include "framework/exchange/codecs/codec.hpp"

namespace orujo::internal::exchange::none {
namespace {

std::size_t room(std::size_t count) { return count * sizeof(std::uint32_t); }

std::size_t encode(std::span<const std::uint32_t> list, std::span<std::byte> into) {
  if (!list.empty()) std::memcpy(into.data(), list.data(), list.size_bytes());
  return list.size_bytes();
}

status decode(std::span<const std::byte> bytes, std::span<std::uint32_t> into) {
  if (bytes.size() != into.size_bytes()) return corrupt("none", "not 4 bytes per integer");
  if (!into.empty()) std::memcpy(into.data(), bytes.data(), bytes.size());
  return ascends(-1, into) ? status() : corrupt("none", "the list does not ascend");
}

}  // namespace
}  // namespace orujo::internal::exchange::none

namespace orujo::internal::exchange::detail {
extern const codec none_codec{"none", none::room, none::encode, none::decode};
}
