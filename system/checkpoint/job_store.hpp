// What a job knows of its checkpoints, all at core 0.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "system/base/status.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/settings.hpp"

namespace orujo::checkpoint {

struct job_store {
  settings how;
  folder_lock lock;
  std::uint64_t token = 0;
  std::uint64_t next_epoch = 1;
  std::vector<std::uint64_t> good = {};  // whole, as far as is known; the last one last
  std::vector<manifest> left = {};       // that may be gone on from, the last first
  std::uint64_t runs = 0;                // begun so far
  double cost = 0;                       // seconds that the last one took
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
  std::uint64_t changes = settings_changes();  // of the settings, when this was made

  // Seconds until the next one.
  double pause() const;
};

// Takes the folder. A usage error where there are checkpoints and nobody has said that the job is to go on
// from them; io_error where none can be written; bad_checkpoint where there are some and none that can be
// read, or another version's. Of damaged ones it warns.
result<std::unique_ptr<job_store>> open_store(const settings& how);

// What every run of the job has to have alike with the one that is gone on from: the program and its flags.
std::vector<fact> facts_of_program();

}  // namespace orujo::checkpoint
