// State of a job's checkpoints, all of it at core 0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "system/base/status.hpp"
#include "system/base/thread_state.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/settings.hpp"

namespace orujo::internal::checkpoint {

struct job_store {
  settings how;
  folder_lock lock;
  std::uint64_t token = 0;
  std::uint64_t next_epoch = 1;
  std::vector<std::uint64_t> good = {};  // whole, as far as is known; the newest is last
  std::vector<manifest> left = {};       // to resume from, newest first
  std::uint64_t runs = 0;                // started so far
  double cost = 0;                       // seconds that the last checkpoint took
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::uint64_t changes = settings_changes();  // of the settings, when this was created

  // Seconds until the next checkpoint.
  double pause() const;
};

// A core's place for the store.
struct kept_store {
  static constexpr base::core_part part = base::core_part::checkpoints;
  std::unique_ptr<job_store> opened;  // by core 0, in its first run with checkpoints
};

// Takes the folder, and warns of damaged checkpoints. Returns
// * a usage error if there are checkpoints and --resume is not given,
// * io_error if none can be written,
// * bad_checkpoint if none of the existing ones can be read, or another version wrote them.
result<std::unique_ptr<job_store>> open_store(const settings& how);

// Facts that every run of the job must share with the checkpoint that it resumes from: the program and its
// flags.
std::vector<fact> facts_of_program();

}  // namespace orujo::internal::checkpoint
