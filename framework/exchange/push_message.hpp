// Pushes in one message: as they are, or sorted by target and encoded.
//
// Encoded, a message is
//   | list message of the targets | what each of them is told |
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

#include "framework/exchange/codecs/selection.hpp"

namespace orujo::exchange {

// What a vertex is told: its index at its owner's locale, and a plain value, of no bytes where it is enough
// to be told.
template <class Value>
struct pushed {
  std::uint32_t target;
  [[no_unique_address]] Value value;
};
using no_value = std::monostate;

// What a message has beside its payload.
struct push_head {
  static constexpr std::uint32_t plain = 0;
  std::uint32_t targets_bytes = plain;  // of their list message; plain: pushes as they are
};

// Room for encoding and decoding; one per core.
template <class Value>
struct push_buffers {
  std::vector<std::uint32_t> targets;
  std::vector<std::uint64_t> order, order_before;  // of targets
  std::vector<pushed<Value>> pushes;
  std::vector<std::byte> payload;
};

namespace detail {

// Whether to try: where a push has more bytes than this, four of them less make no difference.
inline constexpr std::size_t most_encoded_bytes = 24;
bool may_encode(const codec_options& options, bool same_node, std::size_t plain_bytes);
// Appends the list to the payload and returns its bytes; 0 where it is best as it is.
std::uint32_t append_targets(const codec_options& options, bool same_node,
                             std::span<const std::uint32_t> targets, std::vector<std::byte>& payload);
// Sorts numbers by their upper halves, which are targets; room is as large.
void sort_by_target(std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& room);
constexpr std::uint32_t target_of(std::uint64_t number) { return static_cast<std::uint32_t>(number >> 32); }
constexpr std::uint32_t push_of(std::uint64_t number) { return static_cast<std::uint32_t>(number); }
// Counts them by the metrics exchange.push_bytes*.
void count_pushes(std::size_t raw, std::size_t sent);

void read_targets(const push_head& head, std::span<const std::byte> payload,
                  std::vector<std::uint32_t>& targets);
void check_values(std::size_t bytes, std::size_t expected);

template <class Value>
constexpr std::size_t value_bytes = std::is_empty_v<Value> ? 0 : sizeof(Value);

template <class Value>
push_head try_to_encode(const codec_options& options, bool same_node, std::span<const pushed<Value>> pushes,
                        push_buffers<Value>& room) {
  if (sizeof(pushed<Value>) > most_encoded_bytes || !may_encode(options, same_node, pushes.size_bytes()))
    return {};
  room.order.resize(pushes.size());
  for (std::size_t k = 0; k < pushes.size(); ++k) room.order[k] = std::uint64_t{pushes[k].target} << 32 | k;
  sort_by_target(room.order, room.order_before);
  room.targets.resize(pushes.size());
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    room.targets[k] = target_of(room.order[k]);
    if (k > 0 && room.targets[k] == room.targets[k - 1]) return {};
  }
  room.payload.clear();
  const push_head head{append_targets(options, same_node, room.targets, room.payload)};
  if (head.targets_bytes == push_head::plain) return {};
  if constexpr (value_bytes < Value >> 0) {
    std::size_t at = room.payload.size();
    room.payload.resize(at + pushes.size() * sizeof(Value));
    for (const std::uint64_t number : room.order) {
      std::memcpy(room.payload.data() + at, &pushes[push_of(number)].value, sizeof(Value));
      at += sizeof(Value);
    }
  }
  return room.payload.size() < pushes.size_bytes() ? head : push_head{};
}

}  // namespace detail

// What pushes would take as they are with ids of 64 bits.
template <class Value>
constexpr std::size_t raw_push_bytes = sizeof(std::uint64_t) + detail::value_bytes<Value>;

// Puts at most 2^16 pushes into room.payload, sorted, if they are shorter encoded than plain and no target
// occurs twice. Counts the bytes by the metrics exchange.push_bytes*.
template <class Value>
push_head encode_pushes(const codec_options& options, bool same_node, std::span<const pushed<Value>> pushes,
                        push_buffers<Value>& room) {
  const push_head head = detail::try_to_encode(options, same_node, pushes, room);
  detail::count_pushes(pushes.size() * raw_push_bytes<Value>,
                       head.targets_bytes == push_head::plain ? pushes.size_bytes() : room.payload.size());
  return head;
}

// The pushes of a message, until the next. The sender's mistakes end the job.
template <class Value>
std::span<const pushed<Value>> decode_pushes(const push_head& head, std::span<const std::byte> payload,
                                             push_buffers<Value>& room) {
  if (head.targets_bytes == push_head::plain)
    return {reinterpret_cast<const pushed<Value>*>(payload.data()), payload.size() / sizeof(pushed<Value>)};
  detail::read_targets(head, payload, room.targets);
  const std::span<const std::byte> values = payload.subspan(head.targets_bytes);
  detail::check_values(values.size(), room.targets.size() * detail::value_bytes<Value>);
  room.pushes.resize(room.targets.size());
  for (std::size_t k = 0; k < room.pushes.size(); ++k) {
    room.pushes[k].target = room.targets[k];
    if constexpr (detail::value_bytes < Value >> 0)
      std::memcpy(&room.pushes[k].value, values.data() + k * sizeof(Value), sizeof(Value));
  }
  return room.pushes;
}

}  // namespace orujo::exchange
