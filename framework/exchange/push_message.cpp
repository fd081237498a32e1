#include "framework/exchange/push_message.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <cstring>

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
void append_codes(std::span<const pushed<source_index>> pushes, std::span<const std::uint32_t> sources,
                  std::vector<std::byte>& payload) {
  const std::size_t at = payload.size();
  payload.resize(at + pushes.size() * sizeof(Code));
  for (std::size_t k = 0; k < pushes.size(); ++k) {
    const auto place = std::lower_bound(sources.begin(), sources.end(), pushes[k].value.local);
    const auto code = static_cast<Code>(place - sources.begin());
    std::memcpy(payload.data() + at + k * sizeof code, &code, sizeof code);
  }
}

void read_list_of(std::span<const std::byte> message, std::vector<std::uint32_t>& list) {
  constexpr std::size_t most = std::size_t{1} << 16;
  const status read = read_list(message, most, list);
  CHECK(read.ok()) << "pushes: " << read.message();
}

}  // namespace

bool may_encode(const codec_options& options, bool same_node, std::size_t plain_bytes) {
  return (!same_node || options.wanted >= 0) && plain_bytes >= options.min_bytes;
}

std::uint32_t append_targets(const codec_options& options, bool same_node,
                             std::span<const std::uint32_t> targets, std::vector<std::byte>& payload) {
  const codec& with = choose_codec(options, targets, same_node);
  if (&with == codecs().front()) return push_head::plain;
  append_list(with, targets, payload);
  return static_cast<std::uint32_t>(payload.size());
}

std::uint32_t append_sources(const codec_options& options, bool same_node,
                             std::span<const pushed<source_index>> pushes,
                             std::vector<std::uint32_t>& sources, std::vector<std::byte>& payload) {
  sources.resize(pushes.size());
  for (std::size_t k = 0; k < pushes.size(); ++k) sources[k] = pushes[k].value.local;
  std::sort(sources.begin(), sources.end());
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  const std::size_t before = payload.size();
  append_list(choose_codec(options, sources, same_node), sources, payload);
  const std::size_t bytes = payload.size() - before;
  if (code_bytes(sources.size()) == 1) {
    append_codes<std::uint8_t>(pushes, sources, payload);
  } else {
    append_codes<std::uint16_t>(pushes, sources, payload);
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
