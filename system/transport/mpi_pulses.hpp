// Pulses of locales on other nodes, which share no memory: they travel as messages of their own.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "system/machine/pulse.hpp"
#include "system/transport/mpi_requests.hpp"

namespace orujo::transport {

// The first locale of each node speaks for its node: to locale 0, and that to all of them. One thread at a
// time, as all that calls MPI.
class mpi_pulses {
 public:
  // Collective. leader_of: by locale, the first locale of its node.
  mpi_pulses(MPI_Comm world, int locale, const std::vector<int>& leader_of);
  ~mpi_pulses();
  mpi_pulses(const mpi_pulses&) = delete;

  // What that locale has said last of its node; null if it says nothing to this one.
  machine::pulse* of(int locale);
  // Sends this one and takes what has come, without waiting.
  void exchange(const machine::pulse& mine);

 private:
  using message = std::array<std::uint64_t, 6>;
  struct partner {
    int locale = 0;
    machine::pulse said{};
    message sent{}, received{};
    MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
  };
  void receive(partner& from);
  static void take(partner& from);

  MPI_Comm world_ = MPI_COMM_NULL;
  std::deque<partner> partners_;  // stay where they are
};

}  // namespace orujo::transport
