// Brings what a vertex pushes along out-edges to mirrors to the cores that own the mirrored vertices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/messages/identity.hpp"

namespace orujo::exchange {

// A target at its owner's locale, and the source as the locale of origin numbers it.
struct pushed_edge {
  std::uint32_t target;
  std::uint32_t source;
};

// One core's part; made and used by one task per core. At the destination the pushes are handed, in a message
// handler, to
//   sink.receive(phase, first_vertex of the locale of origin, std::span<const pushed_edge>)
// Costs 8 bytes per push. There are no acknowledgements: when the sums of sent() and of received() over all
// cores agree after all have flushed, everything has arrived.
template <class Sink>
class remote_pushes {
 public:
  // [task; suspends; collective over the job]
  remote_pushes(const graph::locale_graph& g, Sink& sink)
      : graph_(g), ends_(loops::all_gather(end{this, &sink, g.first_vertex})), waiting_(ends_.size()) {}
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

    void operator()(std::span<const std::byte> bytes) const {
      const std::span edges(reinterpret_cast<const pushed_edge*>(bytes.data()),
                            bytes.size() / sizeof(pushed_edge));
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
    messages::messenger::here().send_with_payload(
        to, unpack{there.pushes, there.sink, graph_.first_vertex, phase}, std::as_bytes(std::span(edges)));
    edges.clear();
  }

  const graph::locale_graph& graph_;
  std::uint64_t sent_ = 0, received_ = 0;          // before ends_: a peer that has them may push at once
  const std::vector<end> ends_;                    // by core
  std::vector<std::vector<pushed_edge>> waiting_;  // by core
};

}  // namespace orujo::exchange
