#include "system/memory/budget.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/machine/available_memory.hpp"

DEFINE_uint64(memory_budget_bytes, 0,
              "memory this locale may use, in bytes; 0: what its node and control group have left, shared "
              "with the node's other locales");

namespace orujo::internal::memory {

namespace {

constexpr std::uint64_t worth_a_look = std::uint64_t{64} << 20;
std::atomic<std::uint64_t> locales_of_node{1};

}  // namespace

std::uint64_t budget_of_locale(transport::transport& link) {
  const std::uint64_t mine = machine::node_fingerprint();
  const std::vector<std::uint64_t> nodes = link.all_gather(mine);
  if (FLAGS_memory_budget_bytes) return FLAGS_memory_budget_bytes;
  const auto sharers =
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::count(nodes.begin(), nodes.end(), mine)));
  locales_of_node = sharers;
  return machine::available_memory() / sharers;
}

std::uint64_t given_budget() { return FLAGS_memory_budget_bytes; }

void require_room(std::uint64_t bytes, std::string_view for_what) {
  if (bytes < worth_a_look) return;
  const std::uint64_t room =
      FLAGS_memory_budget_bytes ? FLAGS_memory_budget_bytes : machine::available_memory() / locales_of_node;
  if (bytes <= room) return;
  base::fail(exit_status::no_resource,
             fmt::format("{} requires {} bytes on a locale that may use {}: make it smaller, use more nodes, "
                         "or raise --memory_budget_bytes",
                         for_what, bytes, room));
}

}  // namespace orujo::internal::memory
