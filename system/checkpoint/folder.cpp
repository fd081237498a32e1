#include "system/checkpoint/folder.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>

#include "system/base/numbers.hpp"
#include "system/files/output_place.hpp"

namespace orujo::internal::checkpoint {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "epoch-", of_manifest = ".manifest", of_locale = ".locale-";

// N of epoch-N.manifest and epoch-N.TOKEN.locale-L; nothing for other names.
std::optional<std::uint64_t> epoch_of(const std::string& name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  std::string_view rest = std::string_view(name).substr(prefix.size());
  const auto epoch = base::take_number<std::uint64_t>(rest);
  const bool ours = rest == of_manifest || (rest.starts_with(".") && rest.find(of_locale) != rest.npos);
  return ours ? epoch : std::nullopt;
}

// Calls `visit` with each name; an unreadable folder has none.
template <class Visit>
void for_each_name(const std::string& folder, Visit visit) {
  std::error_code unreadable;
  for (fs::directory_iterator at(folder, unreadable), end; !unreadable && at != end; at.increment(unreadable))
    visit(at->path().filename().string());
}

}  // namespace

std::string manifest_path(const std::string& folder, std::uint64_t epoch) {
  return fmt::format("{}/{}{}{}", folder, prefix, epoch, of_manifest);
}

std::string file_path(const std::string& folder, std::uint64_t epoch, std::uint64_t token,
                      std::uint64_t locale) {
  return fmt::format("{}/{}{}.{:016x}{}{}", folder, prefix, epoch, token, of_locale, locale);
}

result<folder_lock> folder_lock::take(const std::string& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return files::cannot_write(folder, failed.message());
  const std::string path = folder + "/lock";
  folder_lock made(base::descriptor::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW, 0600));
  if (!made.file_.is_open()) return files::cannot_write(path, errno);
  if (::flock(made.file_.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return files::cannot_write(folder, "another job uses it for checkpoints: pass another --checkpoint_dir");
  return made;
}

std::vector<std::string> files_of_folder(const std::string& folder) {
  const std::string path = folder.substr(0, folder.find_last_not_of('/') + 1);
  std::vector<std::string> found = {path.empty() ? folder : path, folder + "/lock"};
  for_each_name(folder, [&](const std::string& name) {
    if (epoch_of(name)) found.push_back(fmt::format("{}/{}", folder, name));
  });
  return found;
}

std::vector<std::uint64_t> epochs_in(const std::string& folder) {
  std::vector<std::uint64_t> found;
  for_each_name(folder, [&](const std::string& name) {
    const auto epoch = epoch_of(name);
    if (epoch && name.ends_with(of_manifest)) found.push_back(*epoch);
  });
  std::sort(found.rbegin(), found.rend());
  return found;
}

void remove_epochs_but(const std::string& folder, const std::vector<std::uint64_t>& kept) {
  std::vector<std::string> old;
  for_each_name(folder, [&](const std::string& name) {
    const auto epoch = epoch_of(name);
    if (epoch && std::find(kept.begin(), kept.end(), *epoch) == kept.end()) old.push_back(name);
  });
  // Manifests go first, because one without its files would count as damaged.
  std::partition(old.begin(), old.end(), [](const std::string& name) { return name.ends_with(of_manifest); });
  for (const std::string& name : old) ::unlink((folder + "/" + name).c_str());
}

result<std::string> read_manifest(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file.is_open() || file.bad())
    return status(exit_status::io_error, fmt::format("cannot read '{}': {}", path, std::strerror(errno)));
  return text;
}

}  // namespace orujo::internal::checkpoint
