// Brings what a vertex pushes along out-edges to mirrors to the cores that own the mirrored vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/exchange/bit_message.hpp"
#include "framework/exchange/peers.hpp"
#include "framework/exchange/push_message.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/identity.hpp"
#include "system/loops/collectives.hpp"

namespace orujo::exchange {

// One core's part; made and used by one task per core. At the destination the pushes are handed, in a message
// handler, to
//   sink.receive(phase, first_vertex of the locale of origin, std::span<const pushed_edge>)
// Costs at most 8 bytes per push (push_message.hpp). There are no acknowledgements: when the sums of sent()
// and of received() over all cores agree after all have flushed, everything has arrived.
template <class Sink>
class remote_pushes {
 public:
  // [task; suspends; collective over the job]
  remote_pushes(const graph::locale_graph& g, Sink& sink,
                const codec_options& options = codec_options_from_flags())
      : graph_(g),
        options_(options),
        ends_(loops::all_gather(end{this, &sink, g.first_vertex})),
        waiting_(ends_.size()) {}
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~remote_pushes() { loops::barrier(); }
  remote_pushes(const remote_pushes&) = delete;

  // [task; may suspend] From an own vertex to a mirror. All pushes between two flushes are of one phase.
  void push(std::uint32_t phase, std::uint32_t source, std::uint32_t mirror) {
    const std::uint64_t vertex = graph_.mirrored[mirror - graph_.own];
    const core_id to = graph_.owners.owner(vertex);
    std::vector<pushed_edge>& edges = waiting_[static_cast<std::size_t>(to)];
    edges.push_back(
        {static_cast<std::uint32_t>(vertex - ends_[static_cast<std::size_t>(to)].first_vertex), source});
    if (edges.size() == batch) send(phase, to);
  }

  // [task; may suspend] Sends the rest.
  void flush(std::uint32_t phase) {
    for (core_id c = 0; c < static_cast<core_id>(waiting_.size()); ++c) {
      if (!waiting_[static_cast<std::size_t>(c)].empty()) send(phase, c);
      messages::messenger::here().flush(c);
    }
  }

  void forget_bytes() { bytes_ = {}; }
  // What this core has sent since, against two 64-bit ids each.
  const byte_counts& bytes() const { return bytes_; }

  std::uint64_t sent() const { return sent_; }
  std::uint64_t received() const { return received_; }

 private:
  struct end {
    remote_pushes* pushes;
    Sink* sink;
    std::uint64_t first_vertex;
  };
  struct unpack {
    remote_pushes* pushes;
    Sink* sink;
    std::uint64_t from_first_vertex;
    std::uint32_t phase;
    push_head head;

    void operator()(std::span<const std::byte> payload) const {
      const std::span<const pushed_edge> edges = decode_pushes(head, payload, pushes->received_room_);
      sink->receive(phase, from_first_vertex, edges);
      pushes->received_ += edges.size();
    }
  };
  static constexpr std::size_t batch =
      messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(pushed_edge);

  void send(std::uint32_t phase, core_id to) {
    std::vector<pushed_edge>& edges = waiting_[static_cast<std::size_t>(to)];
    const end& there = ends_[static_cast<std::size_t>(to)];
    sent_ += edges.size();
    const push_head head = encode_pushes(options_, mates_.contain(to), edges, sent_room_);
    const auto payload = head.targets_bytes == push_head::plain ? std::as_bytes(std::span(edges))
                                                                : std::span(sent_room_.payload);
    bytes_ += {edges.size() * 2 * sizeof(std::uint64_t), payload.size()};
    messages::messenger::here().send_with_payload(
        to, unpack{there.pushes, there.sink, graph_.first_vertex, phase, head}, payload);
    edges.clear();
  }

  const graph::locale_graph& graph_;
  const codec_options options_;
  const node_mates mates_;
  push_buffers sent_room_, received_room_;
  byte_counts bytes_;
  std::uint64_t sent_ = 0, received_ = 0;          // before ends_: a peer that has them may push at once
  const std::vector<end> ends_;                    // by core
  std::vector<std::vector<pushed_edge>> waiting_;  // by core
};

}  // namespace orujo::exchange
