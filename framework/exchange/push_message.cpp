#include "framework/exchange/push_message.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#include "framework/exchange/codecs/list_message.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::exchange::detail {
namespace {

const observe::counter push_bytes_raw("exchange.push_bytes_raw",
                                      "bytes of the pushes sent, with ids of 64 bits");
const observe::counter push_bytes_sent("exchange.push_bytes", "bytes sent for them");

}  // namespace

bool may_encode(const codec_options& options, bool same_node, std::size_t plain_bytes) {
  constexpr int none = 0;  // of codecs()
  return (same_node ? options.wanted > none : options.wanted != none) && plain_bytes >= options.min_bytes;
}

std::uint32_t append_targets(const codec_options& options, bool same_node,
                             std::span<const std::uint32_t> targets, std::vector<std::byte>& payload) {
  const codec& with = choose_codec(options, targets, same_node);
  if (&with == codecs().front()) return push_head::plain;
  append_list(with, targets, payload);
  return static_cast<std::uint32_t>(payload.size());
}

// By counting, ten bits at a time: std::sort has branches that nobody can predict.
void sort_by_target(std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& room) {
  constexpr unsigned most_bits = 10;
  constexpr std::size_t few = 48;
  if (numbers.size() < few) return std::sort(numbers.begin(), numbers.end());
  std::uint32_t least = ~0u, greatest = 0;
  for (const std::uint64_t number : numbers) {
    least = std::min(least, target_of(number));
    greatest = std::max(greatest, target_of(number));
  }
  const auto all_bits = static_cast<unsigned>(std::bit_width(greatest - least));
  if (all_bits == 0) return;
  const unsigned passes = (all_bits + most_bits - 1) / most_bits, bits = (all_bits + passes - 1) / passes;
  room.resize(numbers.size());
  std::array<std::uint32_t, 1 << most_bits> places;
  for (unsigned shift = 0; shift < all_bits; shift += bits) {
    const auto digit = [&](std::uint64_t number) {
      return (target_of(number) - least) >> shift & ((1u << bits) - 1);
    };
    std::fill_n(places.begin(), 1u << bits, 0u);
    for (const std::uint64_t number : numbers) ++places[digit(number)];
    std::exclusive_scan(places.begin(), places.begin() + (1u << bits), places.begin(), 0u);
    for (const std::uint64_t number : numbers) room[places[digit(number)]++] = number;
    numbers.swap(room);
  }
}

void count_pushes(std::size_t raw, std::size_t sent) {
  push_bytes_raw.add(raw);
  push_bytes_sent.add(sent);
}

void read_targets(const push_head& head, std::span<const std::byte> payload,
                  std::vector<std::uint32_t>& targets) {
  CHECK_LE(head.targets_bytes, payload.size()) << "pushes";
  constexpr std::size_t most = std::size_t{1} << 16;
  const status read = read_list(payload.first(head.targets_bytes), most, targets);
  CHECK(read.ok()) << "pushes: " << read.message();
}

void check_values(std::size_t bytes, std::size_t expected) {
  CHECK_EQ(bytes, expected) << "values of pushes";
}

}  // namespace orujo::exchange::detail
