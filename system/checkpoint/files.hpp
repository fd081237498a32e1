// All cores write a checkpoint, and read it.
#pragma once

#include <cstdint>
#include <string>

#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/state.hpp"

namespace orujo::checkpoint {

// [task; suspends; collective over the job] Writes and names each locale's file. `to` has the epoch and the
// token, the same everywhere, and has at core 0 the rest of it in the end. io_error, at all cores: no file is
// left.
status write_files(const std::string& folder, const state& all, manifest& to);

// Whether a checkpoint holds what `all` names; else says what differs. The same at all cores.
std::string misfit(const state& all, const manifest& from);

// [task; suspends; collective over the job] What fits. bad_data, at all cores, where a file is damaged; `all`
// may then have changed.
status read_files(const std::string& folder, const state& all, const manifest& from);

}  // namespace orujo::checkpoint
