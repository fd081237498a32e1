// The transport inside one process: several locales as groups of threads, with chaos under test control.
#pragma once

#include <memory>
#include <vector>

#include "system/transport/transport.hpp"

namespace orujo::internal::transport {

struct loopback_options {
  // With 0 parcels arrive at once, in the order sent. Any other value is the seed of a random delay of each
  // parcel, in polls. Delays also reorder parcels of different pairs of locales; those of one pair keep their
  // order. Transfers are delayed, too, in any order, and some sends end before the other side is there. With
  // an odd seed the locales have a board, as those of a node have; otherwise collectives go through messages.
  std::uint64_t chaos_seed = 0;
};

// One connected end per locale; each is then used as transport.hpp says.
std::vector<std::unique_ptr<transport>> make_loopback(int locales, const loopback_options& options = {});

}  // namespace orujo::internal::transport
