#include "system/runtime/agreed_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

#include "system/base/binary.hpp"
#include "system/memory/budget.hpp"
#include "system/messages/room.hpp"

namespace orujo::internal::runtime {
namespace {

// All locales must run the same binary: handlers travel as offsets into it.
status check_same_binary(transport::transport& link) {
  const std::vector<std::uint64_t> all = link.all_gather(base::build_fingerprint());
  const auto other = std::find_if(all.begin(), all.end(), [&](auto build) { return build != all[0]; });
  if (other == all.end()) return {};
  return {exit_status::usage, fmt::format("locale {} runs another build of this program than locale 0: "
                                          "install the same one on every node",
                                          other - all.begin())};
}

result<job_shape> agree_on_shape(transport::transport& link, int my_cores) {
  std::vector<int> cores_of;
  for (std::uint64_t cores : link.all_gather(static_cast<std::uint64_t>(my_cores))) {
    cores_of.push_back(static_cast<int>(cores));
  }
  // A core's number is half of an event's number. The highest event number is reserved (`messages::no_tag`).
  constexpr std::uint64_t most_cores = 65'535;
  const auto all = std::accumulate(cores_of.begin(), cores_of.end(), std::uint64_t{0});
  if (all > most_cores)
    return status(exit_status::usage, fmt::format("{} cores: a job has at most {}", all, most_cores));
  return job_shape(cores_of);
}

// Checks that all locales have the memory that their messages need.
status check_budgets(transport::transport& link, const message_memory& needed, std::uint64_t budget) {
  const std::vector<std::uint64_t> blocks = link.all_gather(needed.blocks),
                                   parcels = link.all_gather(needed.parcels),
                                   budgets = link.all_gather(budget);
  for (std::size_t l = 0; l < budgets.size(); ++l) {
    const message_memory its{blocks[l], parcels[l]};
    if (its.sum() <= budgets[l]) continue;
    return {
        exit_status::no_resource,
        fmt::format(
            "messages need up to {} bytes (blocks {}, parcels {}) and locale {} may use {}: "
            "lower --blocks_in_flight, --message_bytes_per_core or --parcel_bytes, use fewer cores, or raise "
            "--memory_budget_bytes",
            its.sum(), its.blocks, its.parcels, l, budgets[l])};
  }
  return {};
}

// Widens the send windows to the delay between nodes, if all locales have memory for it.
job_options suited_to_delay(transport::transport& link, const job_shape& shape, const job_options& options,
                            std::uint64_t budget) {
  const std::chrono::nanoseconds delay = link.round_trip();
  if (!options.messenger.more_when_far || delay.count() == 0) return options;
  job_options wide = options;
  const std::uint64_t bytes = options.message_bytes_per_core,
                      peers = static_cast<std::uint64_t>(shape.locales());
  messages::widen(wide.messenger.blocks_in_flight, delay, messages::block_bytes, bytes);
  messages::widen(wide.parcels.parcels_in_flight, delay, wide.parcels.parcel_bytes, bytes / peers);
  return check_budgets(link, message_memory_of(link.locale(), shape, wide), budget).ok() ? wide : options;
}

}  // namespace

result<agreed_job> agree_on_job(transport::transport& link, const job_options& wanted) {
  if (status differs = check_same_binary(link); !differs.ok()) return differs;
  agreed_job job;
  job.share = find_cpu_share(link);
  const int my_cores =
      wanted.cores ? wanted.cores : std::max(1, static_cast<int>(job.share.cpus.size() / job.share.locales));
  result<job_shape> shape = agree_on_shape(link, my_cores);
  if (!shape.ok()) return shape.status();
  job.shape = std::move(shape).value();
  job.budget = memory::budget_of_locale(link);
  const message_memory needed = message_memory_of(link.locale(), job.shape, wanted);
  if (status lacks = check_budgets(link, needed, job.budget); !lacks.ok()) return lacks;
  job.options = suited_to_delay(link, job.shape, wanted, job.budget);
  job.options.messenger.crowded = is_crowded(job.share, my_cores);
  return job;
}

}  // namespace orujo::internal::runtime
