// Checkpoints of a loop that one task runs.
#pragma once

#include <cstdint>
#include <utility>

#include "system/base/check.hpp"
#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/base/status.hpp"
#include "system/checkpoint/run_checkpoints.hpp"
#include "system/checkpoint/state.hpp"
#include "system/loops/forall.hpp"
#include "system/memory/global_address.hpp"

namespace orujo::internal::checkpoint {

// The checkpoints of a loop that a task of core 0, such as the main one, runs and in which other cores work.
// A closure names at every core what a checkpoint holds, and can travel. Without --checkpoint_dir nothing is
// written:
//
//   std::uint64_t round = 0;
//   const global_address<std::uint64_t> at(my_core(), &round);
//   checkpoint_loop loop([=](checkpoint_state& kept) { kept.add("counts", counts); kept.add("round", at); });
//   loop.resume();
//   for (; round < rounds; ++round) {
//     loop.step();
//     ...
//   }
template <class Names>
class checkpoint_loop {
 public:
  // [task] at core 0; at another core it is a misuse. `about` describes the input beyond what the flags say.
  // A checkpoint is refused if it was made of another.
  explicit checkpoint_loop(Names names, std::vector<fact> about = {})
      : names_(std::move(names)), checkpoints_(std::move(about)) {
    require(my_core() == 0, "a checkpoint_loop is of a task of core 0, such as the main one");
  }
  checkpoint_loop(const checkpoint_loop&) = delete;

  // [task; suspends] Once, before the first step. With --resume it restores the last checkpoint, and returns
  // whether there was one. Fails with bad_checkpoint as run_checkpoints::try_resume() does.
  result<bool> try_resume() {
    return on_all_cores(result<bool>(false),
                        [](run_checkpoints& mine, state& all) { return mine.try_resume(all); });
  }

  // [task; suspends] As try_resume(), but ends the job on failure.
  bool resume() {
    const auto resumed = try_resume();
    if (!resumed.ok()) base::fail(resumed.status().code(), resumed.status().message());
    return resumed.value();
  }

  // [task; suspends] Between two steps, with no operation on the kept objects under way: writes a checkpoint
  // if one is due. A failure to write is a warning.
  void step() {
    if (checkpoints_.due(steps_++)) (void)save();  // which has warned
  }
  // [task; suspends] Writes a checkpoint now. Fails with io_error.
  status save() {
    return on_all_cores(status(), [](run_checkpoints& mine, state& all) { return mine.save(all); });
  }

 private:
  // [task; suspends] If checkpoints are wanted, runs `act(run_checkpoints&, state&)` at every core and
  // returns its result at core 0.
  template <class Outcome, class Act>
  Outcome on_all_cores(Outcome outcome, const Act& act) {
    if (!wanted()) return outcome;
    const memory::global_address<run_checkpoints> checkpoints(0, &checkpoints_);
    const memory::global_address<Outcome> to(0, &outcome);
    loops::on_all_cores([names = names_, checkpoints, to, act] {
      state all;
      names(all);
      if (my_core() == 0) {
        *to.local() = act(*checkpoints.local(), all);
      } else {
        run_checkpoints others;
        (void)act(others, all);
      }
    });
    return outcome;
  }

  const Names names_;
  run_checkpoints checkpoints_;
  std::uint64_t steps_ = 0;
};

}  // namespace orujo::internal::checkpoint
