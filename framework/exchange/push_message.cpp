#include "framework/exchange/push_message.hpp"

#include <glog/logging.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "framework/exchange/codecs/list_message.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::exchange {
namespace {

const observe::counter push_bytes_raw("exchange.push_bytes_raw",
                                      "bytes of the pushes sent, as two 64-bit ids");
const observe::counter push_bytes_sent("exchange.push_bytes", "bytes sent for them");

constexpr std::size_t most_short_codes = 256;

std::size_t code_bytes(std::size_t sources) { return sources <= most_short_codes ? 1 : 2; }

// False where a target occurs twice.
bool list_ends(std::span<pushed_edge> edges, push_buffers& room) {
  std::sort(edges.begin(), edges.end(),
            [](const pushed_edge& a, const pushed_edge& b) { return a.target < b.target; });
  room.targets.resize(edges.size());
  room.sources.resize(edges.size());
  for (std::size_t k = 0; k < edges.size(); ++k) {
    if (k > 0 && edges[k].target == edges[k - 1].target) return false;
    room.targets[k] = edges[k].target;
    room.sources[k] = edges[k].source;
  }
  std::sort(room.sources.begin(), room.sources.end());
  room.sources.erase(std::unique(room.sources.begin(), room.sources.end()), room.sources.end());
  return true;
}

template <class Code>
void append_codes(std::span<const pushed_edge> edges, push_buffers& room) {
  const std::size_t at = room.payload.size();
  room.payload.resize(at + edges.size() * sizeof(Code));
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto place = std::lower_bound(room.sources.begin(), room.sources.end(), edges[k].source);
    const auto code = static_cast<Code>(place - room.sources.begin());
    std::memcpy(room.payload.data() + at + k * sizeof code, &code, sizeof code);
  }
}

void read_list_of(std::span<const std::byte> message, std::size_t most, std::vector<std::uint32_t>& list) {
  const status read = read_list(message, most, list);
  CHECK(read.ok()) << "ends of pushed edges: " << read.message();
}

push_head encode(const codec_options& options, bool same_node, std::span<pushed_edge> edges,
                 push_buffers& room) {
  const bool worth = !same_node || options.wanted >= 0;
  if (!worth || edges.size_bytes() < options.min_bytes || !list_ends(edges, room)) return {};
  const codec& of_targets = choose_codec(options, room.targets, same_node);
  if (&of_targets == codecs().front()) return {};
  room.payload.clear();
  append_list(of_targets, room.targets, room.payload);
  const std::size_t targets_bytes = room.payload.size();
  append_list(choose_codec(options, room.sources, same_node), room.sources, room.payload);
  const std::size_t sources_bytes = room.payload.size() - targets_bytes;
  if (code_bytes(room.sources.size()) == 1) {
    append_codes<std::uint8_t>(edges, room);
  } else {
    append_codes<std::uint16_t>(edges, room);
  }
  if (room.payload.size() >= edges.size_bytes()) return {};
  return {static_cast<std::uint32_t>(targets_bytes), static_cast<std::uint32_t>(sources_bytes)};
}

}  // namespace

push_head encode_pushes(const codec_options& options, bool same_node, std::span<pushed_edge> edges,
                        push_buffers& room) {
  const push_head head = encode(options, same_node, edges, room);
  push_bytes_raw.add(edges.size() * 2 * sizeof(std::uint64_t));
  push_bytes_sent.add(head.targets_bytes == push_head::plain ? edges.size_bytes() : room.payload.size());
  return head;
}

std::span<const pushed_edge> decode_pushes(const push_head& head, std::span<const std::byte> payload,
                                           push_buffers& room) {
  if (head.targets_bytes == push_head::plain)
    return {reinterpret_cast<const pushed_edge*>(payload.data()), payload.size() / sizeof(pushed_edge)};
  constexpr std::size_t most = std::size_t{1} << 16;
  CHECK_LE(std::size_t{head.targets_bytes} + head.sources_bytes, payload.size()) << "pushed edges";
  read_list_of(payload.first(head.targets_bytes), most, room.targets);
  read_list_of(payload.subspan(head.targets_bytes, head.sources_bytes), most, room.sources);
  const std::span<const std::byte> codes = payload.subspan(head.targets_bytes + head.sources_bytes);
  const std::size_t width = code_bytes(room.sources.size());
  CHECK_EQ(codes.size(), room.targets.size() * width) << "sources of pushed edges";
  room.edges.resize(room.targets.size());
  for (std::size_t k = 0; k < room.edges.size(); ++k) {
    std::uint16_t code = 0;  // the lowest byte first, as everywhere here
    std::memcpy(&code, codes.data() + k * width, width);
    CHECK_LT(code, room.sources.size()) << "source of a pushed edge";
    room.edges[k] = {room.targets[k], room.sources[code]};
  }
  return room.edges;
}

}  // namespace orujo::exchange
