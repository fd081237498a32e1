#include "framework/exchange/push_message.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <numeric>

#include "framework/exchange/codecs/list_message.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::exchange::detail {
namespace {

const observe::counter push_bytes_raw("exchange.push_bytes_raw",
                                      "bytes of the pushes sent, with ids of 64 bits");
const observe::counter push_bytes_sent("exchange.push_bytes", "bytes sent for them");

constexpr std::size_t most_short_codes = 256;

std::size_t code_bytes(std::size_t sources) { return sources <= most_short_codes ? 1 : 2; }

template <class Code>
void append_codes(const push_buffers<source_index>& room, std::vector<std::byte>& payload) {
  std::size_t at = payload.size();
  payload.resize(at + room.order.size() * sizeof(Code));
  for (const std::uint64_t number : room.order) {
    const auto code = static_cast<Code>(room.codes[push_of(number)]);
    std::memcpy(payload.data() + at, &code, sizeof code);
    at += sizeof code;
  }
}

void read_list_of(std::span<const std::byte> message, std::vector<std::uint32_t>& list) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const status read = read_list(message, most, list);
  CHECK(read.ok()) << "pushes: " << read.message();
}

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

// By counting, ten bits at a time: std::sort has branches that nobody can predict. With what
// append_sources() does, a search of a uniform graph between nodes took 30 instead of 45 ms.
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

// A source's pushes mostly follow one another: it is looked for once per run of them.
std::uint32_t append_sources(const codec_options& options, bool same_node,
                             std::span<const pushed<source_index>> pushes, push_buffers<source_index>& room) {
  std::vector<std::uint32_t>& sources = room.sources;
  const auto begins_run = [&](std::size_t k) {
    return k == 0 || pushes[k].value.local != pushes[k - 1].value.local;
  };
  sources.clear();
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    if (begins_run(k)) sources.push_back(pushes[k].value.local);
  }
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  const std::size_t before = room.payload.size();
  append_list(choose_codec(options, sources, same_node), sources, room.payload);
  const std::size_t bytes = room.payload.size() - before;
  room.codes.resize(pushes.size());
  std::uint16_t code = 0;
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    if (begins_run(k))
      code = static_cast<std::uint16_t>(
          std::lower_bound(sources.begin(), sources.end(), pushes[k].value.local) - sources.begin());
    room.codes[k] = code;
  }
  if (code_bytes(sources.size()) == 1) {
    append_codes<std::uint8_t>(room, room.payload);
  } else {
    append_codes<std::uint16_t>(room, room.payload);
  }
  return static_cast<std::uint32_t>(bytes);
}

void count_pushes(std::size_t raw, std::size_t sent) {
  push_bytes_raw.add(raw);
  push_bytes_sent.add(sent);
}

void read_targets(const push_head& head, std::span<const std::byte> payload,
                  std::vector<std::uint32_t>& targets) {
  CHECK_LE(std::size_t{head.targets_bytes} + head.sources_bytes, payload.size()) << "pushes";
  read_list_of(payload.first(head.targets_bytes), targets);
}

void read_sources(const push_head& head, std::span<const std::byte> payload,
                  push_buffers<source_index>& room) {
  read_list_of(payload.subspan(head.targets_bytes, head.sources_bytes), room.sources);
  const std::span<const std::byte> codes =
      payload.subspan(std::size_t{head.targets_bytes} + head.sources_bytes);
  const std::size_t width = code_bytes(room.sources.size());
  check_values(codes.size(), room.targets.size() * width);
  room.pushes.resize(room.targets.size());
  for (std::size_t k = 0; k < room.pushes.size(); ++k) {
    std::uint16_t code = 0;  // the lowest byte first, as everywhere here
    std::memcpy(&code, codes.data() + k * width, width);
    CHECK_LT(code, room.sources.size()) << "source of a push";
    room.pushes[k] = {room.targets[k], {room.sources[code]}};
  }
}

void check_values(std::size_t bytes, std::size_t expected) {
  CHECK_EQ(bytes, expected) << "values of pushes";
}

}  // namespace orujo::exchange::detail
