// The checkpoints of one run: a computation that goes on step by step, and can resume between two steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/state.hpp"

namespace orujo::internal::checkpoint {

// Returns whether --checkpoint_dir is given. The same at every core.
bool wanted();

// One core's part of the checkpoints of a run: of anything that advances step by step and can continue from
// its state between two steps. One task on every core makes it, in the same order as all other runs of the
// job, as a run is identified by its number. A resumed job repeats the runs before the one that its
// checkpoint belongs to, and writes no checkpoints of these.
//
// Each locale writes a file and syncs it to the disk before it gets its name. When all have, core 0 writes
// the manifest (checkpoint/folder.hpp). The last two checkpoints are kept.
class run_checkpoints {
 public:
  // [task] `about` describes the input, such as a graph; core 0's counts. With --checkpoint_dir the job ends
  // if the folder cannot be used.
  explicit run_checkpoints(std::vector<fact> about = {});

  // [task; suspends; collective over the job] Restores `all` from the last checkpoint of this run, and
  // returns whether there was one and --resume was given. Fails with bad_checkpoint, at all cores, if the
  // checkpoint is of another program, other flags or another input, holds other objects, or if none is
  // complete. `all` may then have changed.
  result<bool> try_resume(const state& all);
  // [task; suspends; collective over the job] As try_resume(), but ends the job on failure.
  bool resume(const state& all);

  // [task] At core 0, whether a checkpoint is due after this number of steps; false at other cores. The
  // reduction that ends a step can take the answer to all cores.
  bool due(std::uint64_t steps);
  // [task; suspends; collective over the job] What due() says at core 0, at all cores.
  bool all_due(std::uint64_t steps);

  // [task; suspends; collective over the job] Writes a checkpoint, between two steps. Fails with io_error,
  // after a warning. The run may go on, as earlier checkpoints are still there.
  status save(const state& all);

 private:
  std::vector<fact> about_;
  std::uint64_t number_ = 0;           // number of the job's run
  std::optional<std::uint64_t> last_;  // steps at the last checkpoint
  std::uint64_t asked_ = 0;            // steps at the last call of due()
};

}  // namespace orujo::internal::checkpoint
