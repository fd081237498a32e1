#include "system/machine/available_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "system/base/random.hpp"

namespace orujo::internal::machine {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// The files of one version of control groups.
struct group_files {
  std::string folder;                                    // of all groups
  const char *limit, *used, *idle_pages, *pages_in_use;  // the last two of files: keys of memory.stat
};

// The only number of a file, or `otherwise` if it has none, as for "max".
std::uint64_t number_in(const std::string& file, std::uint64_t otherwise) {
  std::ifstream in(file);
  std::uint64_t number;
  return in >> number ? number : otherwise;
}

// The number after `key` at the beginning of a line.
std::uint64_t number_after(const std::string& file, const std::string& key, std::uint64_t otherwise) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t number;
    if (words >> word && word == key && words >> number) return number;
  }
  return otherwise;
}

std::uint64_t left_in_group(const group_files& files, const std::string& group) {
  const std::string folder = files.folder + group + "/";
  const std::uint64_t limit = number_in(folder + files.limit, no_limit);
  if (limit == no_limit) return no_limit;
  const std::uint64_t used = number_in(folder + files.used, 0);
  const std::uint64_t reclaimable = number_after(folder + "memory.stat", files.idle_pages, 0) +
                                    number_after(folder + "memory.stat", files.pages_in_use, 0);
  const std::uint64_t held = used - std::min(used, reclaimable);
  return limit - std::min(limit, held);
}

// True for ":cpu,memory:" and the like.
bool names_memory(std::string controllers) {
  std::replace(controllers.begin(), controllers.end(), ':', ',');
  return controllers.find(",memory,") != std::string::npos;
}

// The least that the group or one above it has left. A group that is not visible from here sets no limit.
std::uint64_t left_in_groups(const group_files& files, std::string group) {
  std::uint64_t least = no_limit;
  for (;;) {
    if (!group.empty() && group.back() == '/') group.pop_back();
    least = std::min(least, left_in_group(files, group));
    if (group.empty()) return least;
    group.erase(group.rfind('/') == std::string::npos ? 0 : group.rfind('/'));
  }
}

// Number n, from 0 on, of /proc/self/statm, in bytes.
std::uint64_t bytes_of_process(int n) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int k = 0; k <= n; ++k) file >> pages;
  return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

// Bytes that a limit leaves. `counted` is the limit's number in statm.
std::uint64_t left_of(__rlimit_resource which, int counted) {
  rlimit limit = {};
  if (getrlimit(which, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, bytes_of_process(counted));
}

}  // namespace

std::uint64_t available_memory(const std::string& root) {
  std::uint64_t kib = number_after(root + "/proc/meminfo", "MemAvailable:", no_limit / 1024);
  std::uint64_t least = kib * 1024;
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // number:controllers:group
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first, second - first + 1);  // between colons
    const std::string group = line.substr(second + 1);
    if (line.starts_with("0::")) {
      least = std::min(least, left_in_groups({root + "/sys/fs/cgroup", "memory.max", "memory.current",
                                              "inactive_file", "active_file"},
                                             group));
    } else if (names_memory(controllers)) {
      least = std::min(least,
                       left_in_groups({root + "/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                                       "memory.usage_in_bytes", "total_inactive_file", "total_active_file"},
                                      group));
    }
  }
  return least;
}

std::uint64_t mappable_memory() { return std::min(left_of(RLIMIT_AS, 0), left_of(RLIMIT_DATA, 5)); }

std::uint64_t node_fingerprint() {
  char node[256] = {};
  gethostname(node, sizeof(node) - 1);
  std::uint64_t hash = 0;
  for (char c : node) hash = mix64(hash ^ static_cast<unsigned char>(c));
  return hash;
}

std::uint64_t resident_memory() { return bytes_of_process(1); }

}  // namespace orujo::internal::machine
