// Pulses of locales on other nodes, which share no memory: they travel as messages of their own.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "system/base/by_core.hpp"
#include "system/node/pulse.hpp"
#include "system/transport/mpi_requests.hpp"

namespace orujo::internal::transport {

// The first locale of each node sends its node's pulse to locale 0, which sends its own to all of them. One
// thread at a time calls it, as all functions of MPI.
class mpi_pulses {
 public:
  // Collective. `leader_of` has, by locale, the first locale of its node.
  mpi_pulses(MPI_Comm world, int locale, const by_locale<int>& leader_of);
  ~mpi_pulses();
  mpi_pulses(const mpi_pulses&) = delete;

  // The last pulse of that locale's node; null if it sends none to this one.
  node::pulse* of(int locale);
  // Sends this locale's pulse and receives what has arrived, without waiting.
  void exchange(const node::pulse& mine);

 private:
  using message = std::array<std::uint64_t, 6>;
  struct partner {
    int locale = 0;
    node::pulse said{};
    message sent{}, received{};
    MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
  };
  void receive(partner& from);
  static void take(partner& from);

  MPI_Comm world_ = MPI_COMM_NULL;
  std::deque<partner> partners_;  // a deque, because they must not move
};

}  // namespace orujo::internal::transport
