#include "framework/exchange/codecs/list_message.hpp"

#include <cstring>

namespace orujo::internal::exchange {

void append_list(const codec& with, std::span<const std::uint32_t> list, std::vector<std::byte>& message) {
  const std::size_t start = message.size();
  const codec* used = &with;
  const auto encode = [&] {
    const std::size_t room = used->room(list.size());
    message.resize(start + list_head_bytes + room);
    return used->encode(list, std::span(message).subspan(start + list_head_bytes, room));
  };
  std::size_t bytes = encode();
  if (bytes >= list.size_bytes() && used != codecs().front()) {
    used = codecs().front();
    bytes = encode();
  }
  const auto count = static_cast<std::uint32_t>(list.size());
  std::memcpy(message.data() + start, &count, sizeof count);
  message[start + sizeof count] = static_cast<std::byte>(place_of(used));
  message.resize(start + list_head_bytes + bytes);
}

status read_list(std::span<const std::byte> message, std::size_t most, std::vector<std::uint32_t>& list) {
  if (message.size() < list_head_bytes) return corrupt("list", "shorter than its head");
  std::uint32_t count;
  std::memcpy(&count, message.data(), sizeof count);
  const auto place = std::to_integer<std::size_t>(message[sizeof count]);
  if (count > most) return corrupt("list", "more integers than there can be");
  if (place >= codecs().size()) return corrupt("list", "no codec of this number");
  list.resize(count);
  return codecs()[place]->decode(message.subspan(list_head_bytes), list);
}

}  // namespace orujo::internal::exchange
