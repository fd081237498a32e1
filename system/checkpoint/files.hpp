// Writing and reading a checkpoint, by all cores.
#pragma once

#include <cstdint>
#include <string>

#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"
#include "system/checkpoint/state.hpp"

namespace orujo::internal::checkpoint {

// [task; suspends; collective over the job] Writes each locale's file and gives it its name. `to` has the
// epoch and the token, equal everywhere, and receives the rest at core 0. On io_error, which all cores
// return, no file is left.
status write_files(const std::string& folder, const state& all, manifest& to);

// Describes how a checkpoint differs from `all`; empty if it fits. The result is the same at all cores.
std::string misfit(const state& all, const manifest& from);

// [task; suspends; collective over the job] Reads a checkpoint that fits. If a file is damaged all cores
// return bad_data, and `all` may have changed.
status read_files(const std::string& folder, const state& all, const manifest& from);

}  // namespace orujo::internal::checkpoint
