// The checkpoints of one run: a computation that goes on step by step, and can resume between two steps.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/state.hpp"

namespace orujo::checkpoint {

// Returns whether --checkpoint_dir is given. The same at every core.
bool wanted();

// One core's part. One task makes it on every core, in the same order as all other runs of the job, because a
// run is identified by its number. Runs before the one of the checkpoint are repeated, and write no
// checkpoints.
//
// Each locale writes a file, which is synced to disk before it gets its name. When all files are there, core
// 0 writes the manifest (folder.hpp). The two last checkpoints stay.
class run_checkpoints {
 public:
  // [task] `about` describes the input of the run, such as a graph. Only core 0's matters, and only if
  // wanted(). The job ends there if the folder cannot be used (open_store()).
  explicit run_checkpoints(std::vector<fact> about = {});

  // [task; suspends; collective over the job] Returns true if `all` has the state of the last checkpoint of
  // this run. Returns false if there is none or --resume is not given. All cores get bad_checkpoint if it
  // belongs to another program, other flags or another graph, has other contents, or none is whole. `all` may
  // then have changed.
  result<bool> try_resume(const state& all);
  // Calls try_resume() and ends the job with its status if that fails.
  bool resume(const state& all);

  // [task] Returns whether a checkpoint is due after this number of steps; core 0 decides, and other cores
  // get false. Call it as often as you like.
  bool due(std::uint64_t steps);
  // [task; suspends; collective over the job] Returns core 0's due() at all cores.
  bool all_due(std::uint64_t steps);

  // [task; suspends; collective over the job] Writes a checkpoint, between two steps. On io_error, of which
  // it warns, the run may go on: the earlier checkpoints are still there.
  status save(const state& all);

 private:
  std::vector<fact> about_;
  std::uint64_t number_ = 0;           // number of the job's run
  std::optional<std::uint64_t> last_;  // steps at the last checkpoint
  std::uint64_t asked_ = 0;            // steps at the last call of due()
};

}  // namespace orujo::checkpoint
