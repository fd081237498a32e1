#include "system/checkpoint/job_store.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <glog/logging.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "system/base/flags.hpp"

namespace orujo::internal::checkpoint {
namespace {

// Seconds to the first checkpoint, whose cost is not known yet.
constexpr double first_pause = 10;

// Checks that all files of a checkpoint exist and have their full length.
status check_files(const std::string& folder, const manifest& of) {
  for (std::size_t k = 0; k < of.file_bytes.size(); ++k) {
    const std::string path = file_path(folder, of.epoch, of.token, k);
    struct stat found;
    if (::stat(path.c_str(), &found) != 0)
      return {exit_status::bad_data, fmt::format("'{}' is missing", path)};
    if (static_cast<std::uint64_t>(found.st_size) != of.file_bytes[k])
      return {exit_status::bad_data,
              fmt::format("'{}' has {} bytes instead of {}", path, found.st_size, of.file_bytes[k])};
  }
  return {};
}

result<manifest> read_epoch(const std::string& folder, std::uint64_t epoch) {
  const std::string path = manifest_path(folder, epoch);
  const auto text = read_manifest(path);
  if (!text.ok()) return text.status();
  auto read = decode(text.value(), path);
  if (!read.ok()) return read;
  if (read.value().epoch != epoch)
    return status(exit_status::bad_data, fmt::format("{}: it is of epoch {}", path, read.value().epoch));
  if (status wrong = check_files(folder, read.value()); !wrong.ok()) return wrong;
  return read;
}

}  // namespace

double job_store::pause() const {
  if (!how.every.is_automatic()) return how.every.seconds;
  return cost > 0 ? young_interval(cost, how.mean_time_between_failures) : first_pause;
}

result<std::unique_ptr<job_store>> open_store(const settings& how) {
  auto lock = folder_lock::take(how.folder);
  if (!lock.ok()) return lock.status();
  auto made = std::make_unique<job_store>(job_store{.how = how, .lock = std::move(lock).value()});
  [[maybe_unused]] const int drawn = ::getentropy(&made->token, sizeof made->token);
  const std::vector<std::uint64_t> epochs = epochs_in(how.folder);
  if (!epochs.empty()) made->next_epoch = epochs.front() + 1;
  if (!how.resume) {
    if (epochs.empty()) return made;
    return status(exit_status::usage,
                  fmt::format("--checkpoint_dir={}: the folder has checkpoints: pass --resume to resume from "
                              "the last one, choose another folder, or remove them",
                              how.folder));
  }
  status why;
  for (const std::uint64_t epoch : epochs) {
    auto read = read_epoch(how.folder, epoch);
    if (read.ok()) {
      made->left.push_back(std::move(read).value());
      continue;
    }
    why = read.status();
    if (why.code() == exit_status::bad_checkpoint) return why;
    LOG(WARNING) << "checkpoint " << epoch << " is skipped: " << why.message();
  }
  if (epochs.empty()) LOG(WARNING) << "no checkpoint in '" << how.folder << "': starts from the beginning";
  if (made->left.empty() && !epochs.empty())
    return status(
        exit_status::bad_checkpoint,
        fmt::format("no checkpoint of '{}' is whole: {}; run without --resume and with another folder",
                    how.folder, why.message()));
  return made;
}

std::vector<fact> facts_of_program() {
  std::vector<fact> facts = {{"program", program_invocation_short_name}};
  for (auto& [name, value] : base::flags_of_program()) facts.emplace_back("--" + name, std::move(value));
  return facts;
}

}  // namespace orujo::internal::checkpoint
