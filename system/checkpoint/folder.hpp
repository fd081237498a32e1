// The folder that a job has its checkpoints in.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "system/base/status.hpp"

namespace orujo::checkpoint {

// epoch-N.manifest says what belongs to epoch N (manifest.hpp): the files epoch-N.TOKEN.locale-L, which each
// locale has written. The token is the job's that wrote them, so that no job takes another's for its own.
std::string manifest_path(const std::string& folder, std::uint64_t epoch);
std::string file_path(const std::string& folder, std::uint64_t epoch, std::uint64_t token,
                      std::uint64_t locale);

// Held by one job at a time, as far as the file system knows locks.
class folder_lock {
 public:
  // Makes the folder where there is none. io_error where nothing can be written there, or another job does.
  static result<folder_lock> take(const std::string& folder);
  folder_lock(folder_lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  ~folder_lock();

 private:
  explicit folder_lock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

// What a job writes there, or removes: the folder itself, its lock, and the files of all epochs in it.
std::vector<std::string> files_of_folder(const std::string& folder);

// Of which there are manifests, the last first.
std::vector<std::uint64_t> epochs_in(const std::string& folder);

// Removes manifests and files of all epochs but these; what has other names stays.
void remove_epochs_but(const std::string& folder, const std::vector<std::uint64_t>& kept);

// io_error where it cannot be read.
result<std::string> read_manifest(const std::string& path);

}  // namespace orujo::checkpoint
