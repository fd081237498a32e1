// A list with its length and codec:
//   | integers, 4 bytes | place of the codec in codecs(), 1 byte | the codec's bytes |
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/codecs/codec.hpp"

namespace orujo::internal::exchange {

inline constexpr std::size_t list_head_bytes = 5;

// Appends a strictly ascending list; raw if the codec needs as many bytes. So a message has at most
// list_head_bytes + 4 bytes per integer.
void append_list(const codec& with, std::span<const std::uint32_t> list, std::vector<std::byte>& message);

// Reads a list. One of more than `most` integers is an error, before memory is allocated. After an error
// `list` is undefined.
status read_list(std::span<const std::byte> message, std::size_t most, std::vector<std::uint32_t>& list);

}  // namespace orujo::internal::exchange
