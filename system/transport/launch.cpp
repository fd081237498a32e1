#include "system/transport/launch.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>

#include "system/base/numbers.hpp"

namespace orujo::internal::transport {
namespace {

// Steps of Slurm from this number on are the shells of sbatch and salloc, whose tasks have not been started
// yet.
constexpr std::int64_t first_shell_step = 4294967290;

std::optional<std::int64_t> number_in(const char* name) {
  const char* const value = std::getenv(name);
  return base::number_of<std::int64_t>(value ? value : "");
}

const char* first_set(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (number_in(name)) return name;
  }
  return nullptr;
}

// Returns whether this is a task of a step that srun has started.
bool in_slurm_step() {
  const auto step = number_in("SLURM_STEP_ID");
  return step && *step < first_shell_step && number_in("SLURM_PROCID");
}

// The variable with the number of processes of the innermost launcher. One of the other launchers may have
// started Open MPI's mpirun.
const char* variable_of_size() {
  if (const char* name = first_set({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})) return name;
  if (in_slurm_step()) return first_set({"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"});
  return first_set({"MPI_LOCALNRANKS", "PALS_LOCAL_SIZE"});
}

// PMIX_RANK is late in the list, because an Open MPI that finds its process alone sets it to 0.
const char* variable_of_rank() {
  if (const char* name = first_set({"OMPI_COMM_WORLD_RANK", "PMI_RANK"})) return name;
  if (in_slurm_step()) return "SLURM_PROCID";
  return first_set({"PMIX_RANK", "PALS_RANKID"});
}

}  // namespace

launch_facts look_at_launch() {
  launch_facts facts;
  facts.by_mpi = first_set({"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK"}) != nullptr;
  const char *rank = variable_of_rank(), *size = variable_of_size();
  if (rank) facts.rank = static_cast<int>(*number_in(rank));
  if (size && *number_in(size) > 1) facts.others = fmt::format("{} is {}", size, *number_in(size));
  if (!size && facts.rank > 0) facts.others = fmt::format("{} is {}", rank, facts.rank);
  facts.speaks = facts.rank == (size || facts.others.empty() ? 0 : 1);
  return facts;
}

}  // namespace orujo::internal::transport
