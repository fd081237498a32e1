// The folder with a job's checkpoints.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::checkpoint {

// epoch-N.manifest lists the contents of epoch N (manifest.hpp): the files epoch-N.TOKEN.locale-L, one from
// each locale. The token identifies the job that wrote them, so that no job takes another's file for its own.
std::string manifest_path(const std::string& folder, std::uint64_t epoch);
std::string file_path(const std::string& folder, std::uint64_t epoch, std::uint64_t token,
                      std::uint64_t locale);

// One job at a time holds it, as far as the file system supports locks.
class folder_lock {
 public:
  // Creates the folder if necessary. io_error if it is not writable, or another job writes there.
  static result<folder_lock> take(const std::string& folder);

 private:
  explicit folder_lock(base::descriptor opened) : file_(std::move(opened)) {}
  base::descriptor file_;
};

// Paths that a job writes or removes there: the folder itself, its lock, and the files of all epochs in it.
std::vector<std::string> files_of_folder(const std::string& folder);

// The epochs that have manifests, newest first.
std::vector<std::uint64_t> epochs_in(const std::string& folder);

// Removes manifests and files of all other epochs; files with other names stay.
void remove_epochs_but(const std::string& folder, const std::vector<std::uint64_t>& kept);

// Returns io_error if it cannot be read.
result<std::string> read_manifest(const std::string& path);

}  // namespace orujo::internal::checkpoint
