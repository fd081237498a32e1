#include "system/memory/budget.hpp"

#include <gflags/gflags.h>

#include <algorithm>
#include <vector>

#include "system/machine/available_memory.hpp"

DEFINE_uint64(memory_budget_bytes, 0,
              "memory this locale may use, in bytes; 0: what its node and control group have left, shared "
              "with the node's other locales");

namespace orujo::memory {

std::uint64_t budget_of_locale(transport::transport& link) {
  const std::uint64_t mine = machine::node_fingerprint();
  const std::vector<std::uint64_t> nodes = link.all_gather(mine);
  if (FLAGS_memory_budget_bytes) return FLAGS_memory_budget_bytes;
  const auto sharers = static_cast<std::uint64_t>(std::count(nodes.begin(), nodes.end(), mine));
  return machine::available_memory() / sharers;
}

std::uint64_t given_budget() { return FLAGS_memory_budget_bytes; }

}  // namespace orujo::memory
