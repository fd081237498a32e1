// The layout of a locale's part of the memory that the locales of its node share.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "system/base/aligned_bytes.hpp"
#include "system/base/fatal.hpp"
#include "system/node/alarms.hpp"
#include "system/node/board.hpp"
#include "system/node/lane.hpp"
#include "system/node/pulse.hpp"
#include "system/node/work_table.hpp"
#include "system/transport/mpi_requests.hpp"

namespace orujo::internal::transport {

// MPI's memory begins anywhere in a cache line, at the same place in each process: pages are mapped as a
// whole.
inline std::byte* next_line(std::byte* memory) {
  const auto at = reinterpret_cast<std::uintptr_t>(memory);
  return memory + (base::cache_line_bytes - at % base::cache_line_bytes) % base::cache_line_bytes;
}

// Collective in the node: allocates this locale's part. The job ends with status 71 if there is no room.
inline std::byte* allocate_on_node(std::size_t bytes, MPI_Comm node, MPI_Win& window) {
  std::byte* mine = nullptr;
  if (MPI_Win_allocate_shared(static_cast<MPI_Aint>(bytes + base::cache_line_bytes), 1, MPI_INFO_NULL, node,
                              &mine, &window) != MPI_SUCCESS) {
    base::fail(exit_status::no_resource,
               "no room for the " + std::to_string((bytes >> 10) + 1) +
                   " KiB that each locale of this node shares with the others: make "
                   "room in /dev/shm and where TMPDIR is (df), and leave MPI's shared "
                   "windows in (--mca osc)");
  }
  return next_line(mine);
}
// The part of the locale with this rank.
inline std::byte* memory_of(int rank, MPI_Win window) {
  MPI_Aint size = 0;
  int unit = 0;
  std::byte* memory = nullptr;
  must(MPI_Win_shared_query(window, rank, &size, &unit, &memory), "MPI_Win_shared_query");
  return next_line(memory);
}

//   | pulse | alarms of the cores | their work tables | a lane from each locale of the node | the board, at
//   the node's first one |
class node_memory {
 public:
  node_memory(int on_node, int cores_of_node)
      : on_node_(static_cast<std::size_t>(on_node)),
        work_bytes_(on_node < 2 ? 0 : node::work_table::bytes_for(cores_of_node)),
        room_(room_of_lane(on_node_)) {}

  std::size_t bytes_for(int cores, bool of_first) const {
    return board_at(cores) + (of_first ? node::board::bytes_for(static_cast<int>(on_node_)) : 0);
  }
  // Call it before another locale reads the memory.
  void clear(std::byte* memory, int cores, bool of_first) const {
    std::memset(memory, 0, lanes_at(cores));
    for (std::size_t k = 0; k < on_node_ && room_ > 0; ++k) node::lane::clear(memory + lane_at(cores, k));
    if (of_first) node::board::clear(memory + board_at(cores));
  }

  static node::pulse* pulse(std::byte* memory) { return reinterpret_cast<node::pulse*>(memory); }
  static node::alarms alarms(std::byte* memory, int cores) {
    return node::alarms(memory + sizeof(node::pulse), cores);
  }
  // The memory of the cores' work tables, if there are several locales.
  std::byte* work(std::byte* memory, int cores) const { return memory + work_at(cores); }
  bool has_lanes() const { return room_ > 0; }
  // The lane to this memory's locale from the locale with this rank on the node.
  node::lane lane_from(std::byte* memory, int cores, int rank) const {
    return node::lane(memory + lane_at(cores, static_cast<std::size_t>(rank)), room_);
  }
  std::byte* board(std::byte* memory, int cores) const { return memory + board_at(cores); }

 private:
  // Lanes of a node's locales take at most 16 MiB, so with many locales each has little room. A lane has 256
  // KiB with up to 8 locales, 64 KiB with 16, and 4 KiB with 64. There are none if the room would be tiny.
  // Parcels that do not fit go by MPI.
  static std::size_t room_of_lane(std::size_t on_node) {
    constexpr std::size_t of_node = 16 << 20, most = 256 << 10, least = 2 << 10;
    const std::size_t share = on_node < 2 ? 0 : std::bit_floor(of_node / (on_node * (on_node - 1)));
    return share < least ? 0 : std::min(share, most);
  }
  static std::size_t work_at(int cores) { return sizeof(node::pulse) + node::alarms::bytes_for(cores); }
  std::size_t lanes_at(int cores) const {
    return work_at(cores) + static_cast<std::size_t>(cores) * work_bytes_;
  }
  std::size_t lane_at(int cores, std::size_t k) const {
    return lanes_at(cores) + (room_ > 0 ? k * node::lane::bytes_for(room_) : 0);
  }
  std::size_t board_at(int cores) const { return lane_at(cores, on_node_); }

  const std::size_t on_node_;
  const std::size_t work_bytes_;  // of a core
  const std::size_t room_;
};

}  // namespace orujo::internal::transport
