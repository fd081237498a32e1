#include "system/base/last_word.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

namespace orujo::internal::base {
namespace {

constexpr std::string_view names[] = {"begun ", "ended ", "failed", "signal"};
// Word and status take this length in all last words, so one replaces another in place, even on a full disk.
constexpr std::size_t line_size = 10;

int word_file = -1;
std::string& folder() {  // kept, because MPI may change the environment later
  static std::string path;
  return path;
}
pid_t writer = 0;
std::atomic<bool> word_said{false};  // a word after `begun` was written

std::array<char, line_size> line_of(last_word word, int code) {
  std::array<char, line_size> line;
  line.fill(' ');
  const std::string_view name = names[static_cast<int>(word)];
  name.copy(line.data(), name.size());
  int rest = code;
  for (std::size_t at = line_size; at-- > line_size - 3; rest /= 10)
    line[at] = static_cast<char>('0' + rest % 10);
  return line;
}

void leave(last_word word, int code) {
  const auto line = line_of(word, code);
  [[maybe_unused]] const ssize_t written = ::pwrite(word_file, line.data(), line.size(), 0);
}

bool may_say() { return word_file >= 0 && getpid() == writer; }

// bin/commands/ends.sh expects a name without blanks.
std::string host_name() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return host;
}

}  // namespace

void begin_last_word(int locale) {
  const char* given = std::getenv("ORUJO_LAST_WORDS");
  if (!given) return;
  folder() = given;
  const std::string path = folder() + "/" + std::to_string(locale);
  if (word_file >= 0) ::close(word_file);
  word_said = false;
  word_file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  writer = getpid();
  const auto word = line_of(last_word::begun, 0);
  const std::string line =
      std::string(word.data(), word.size()) + " " + std::to_string(writer) + " " + host_name() + "\n";
  [[maybe_unused]] const ssize_t written = ::write(word_file, line.data(), line.size());
}

bool leaves_last_words() { return word_file >= 0; }

std::int32_t process_by_last_word(int locale) {
  std::ifstream in(folder() + "/" + std::to_string(locale));
  std::string word, host;
  int code = 0;
  std::int32_t process = 0;
  const bool lives = in >> word >> code >> process >> host && (word == "begun" || word == "ended");
  return lives && host == host_name() ? process : 0;
}

void leave_last_word(last_word word, exit_status code) {
  if (!may_say()) return;
  word_said = true;
  leave(word, static_cast<int>(code));
}

void leave_last_word_of_signal(int signal) {
  if (may_say() && !word_said) leave(last_word::signal, signal);
}

}  // namespace orujo::internal::base
