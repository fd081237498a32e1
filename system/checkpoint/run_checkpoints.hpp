// The checkpoints of one run: of whatever goes on step by step, and can go on from what it was between two.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/state.hpp"

namespace orujo::checkpoint {

// Whether --checkpoint_dir is given. The same at every core.
bool wanted();

// One core's part; made by one task on every core, in the same order as all other runs of the job: a run is
// known again by its number. Those before the one that a checkpoint is of are run once more, and write none
// meanwhile.
//
// Each locale writes a file, which is brought to the disk before it has its name, and core 0 the manifest
// when all of them have (folder.hpp). The two last checkpoints stay.
class run_checkpoints {
 public:
  // [task] about: what the run works on, such as a graph; core 0's matters, and only where wanted(). There
  // the job ends where the folder cannot be used (open_store()).
  explicit run_checkpoints(std::vector<fact> about = {});

  // [task; suspends; collective over the job] Whether `all` is now what it was when the last checkpoint of
  // this run was written; false where there is none or nobody wants it. bad_checkpoint, at all cores, where
  // it is of another program, other flags or another graph, or holds other things, or none is whole; `all`
  // may then have changed.
  result<bool> try_resume(const state& all);
  // The same; ends the job with that status.
  bool resume(const state& all);

  // [task] Whether it is time to write one, as core 0 has it after so many steps, as often as it is asked;
  // false at other cores.
  bool due(std::uint64_t steps);
  // [task; suspends; collective over the job] The same at all cores.
  bool all_due(std::uint64_t steps);

  // [task; suspends; collective over the job] Between two steps. io_error where it cannot be written: of that
  // it warns, and the run may go on, as those before are still there.
  status save(const state& all);

 private:
  std::vector<fact> about_;
  std::uint64_t number_ = 0;           // among the job's runs
  std::optional<std::uint64_t> last_;  // steps when the last was written
  std::uint64_t asked_ = 0;            // steps when it was last asked
};

}  // namespace orujo::checkpoint
