#include "system/observe/progress.hpp"

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "system/base/flags.hpp"
#include "system/base/terminal.hpp"
#include "system/base/watcher.hpp"

DEFINE_string(progress, "auto", "progress lines on the terminal: auto, on or off");

static const orujo::flag_rule progress_rule(
    "progress", [] { return FLAGS_progress == "auto" || FLAGS_progress == "on" || FLAGS_progress == "off"; },
    "auto, on or off");

namespace orujo::internal::observe {
namespace {

using clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::seconds(1);
constexpr auto pace = std::chrono::milliseconds(250);
constexpr std::string_view erase = "\r\033[K";

std::atomic<bool> kept_for_reader{false};

std::string duration_text(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

// Writes the lines while there are steps to report.
class progress_writer {
 public:
  static progress_writer& get() {
    static progress_writer all;
    return all;
  }

  void add(progress_line* step) {
    const std::lock_guard lock(mutex_);
    steps_.push_back(step);
    if (steps_.size() > 1 || kept_for_reader) return;
    thread_ = std::make_unique<base::watcher>(-1, pace, [this] {
      show();
      return pace;
    });
  }

  void remove(progress_line* step) {
    std::unique_ptr<base::watcher> ended;  // without the lock, which show() takes
    const std::lock_guard lock(mutex_);
    std::erase(steps_, step);
    if (std::exchange(shown_, false)) write(erase);
    if (steps_.empty()) ended = std::move(thread_);
  }

  std::string text() {
    const std::lock_guard lock(mutex_);
    const clock::time_point now = clock::now();
    const progress_line* const step = step_to_show(now);
    return step ? step->line(now, std::string::npos) : "";
  }

  template <class Change>
  void change(Change change) {
    const std::lock_guard lock(mutex_);
    change();
  }

 private:
  const progress_line* step_to_show(clock::time_point now) const {
    for (std::size_t k = steps_.size(); k-- > 0;)
      if (!steps_[k]->text_.empty() && now - steps_[k]->start_ >= patience) return steps_[k];
    return nullptr;
  }

  void show() {
    const std::lock_guard lock(mutex_);
    const clock::time_point now = clock::now();
    const progress_line* const step = step_to_show(now);
    if (!step) return;
    // A line of the full width would wrap in some terminals.
    write(std::string(erase) + step->line(now, base::terminal_width(STDERR_FILENO) - 1));
    shown_ = true;
  }

  static void write(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  }

  std::mutex mutex_;
  std::vector<progress_line*> steps_;
  bool shown_ = false;
  std::unique_ptr<base::watcher> thread_;
};

bool progress_wanted() {
  if (FLAGS_progress != "auto") return FLAGS_progress == "on";
  return kept_for_reader || isatty(STDERR_FILENO) != 0 || std::getenv("ORUJO_STDERR_IS_TERMINAL") != nullptr;
}

void keep_progress_text(bool keep) { kept_for_reader = keep; }
std::string progress_text() { return progress_writer::get().text(); }

progress_line::progress_line(std::string text)
    : wanted_(progress_wanted()),
      text_(std::move(text)),
      first_text_(text_),
      start_(clock::now()),
      last_(start_) {
  if (!first_text_.empty()) VLOG(1) << first_text_;
  if (wanted_) progress_writer::get().add(this);
}

progress_line::~progress_line() {
  if (wanted_) progress_writer::get().remove(this);
  if (first_text_.empty()) return;
  VLOG(1) << first_text_ << ": took " << std::chrono::duration<double>(clock::now() - start_).count() << " s";
}

bool progress_line::due() const { return wanted_ && clock::now() - last_ >= std::chrono::milliseconds(100); }

void progress_line::show(std::string text, std::uint64_t done, std::uint64_t total) {
  if (!wanted_) return;
  last_ = clock::now();
  progress_writer::get().change([&] {
    text_ = std::move(text);
    done_ = done;
    total_ = total;
  });
}

std::string progress_line::line(clock::time_point now, std::size_t width) const {
  const double seconds = std::chrono::duration<double>(now - start_).count();
  std::string time = ": " + duration_text(seconds);
  if (done_ > 0 && done_ <= total_) {
    const double share = static_cast<double>(done_) / static_cast<double>(total_);
    time +=
        fmt::format(", {:.0f} %, about {} to go", 100 * share, duration_text(seconds * (1 - share) / share));
  }
  return base::cut_to(text_, width - std::min(width, time.size())) + time;
}

void log_superstep(int number, bool pushed, std::uint64_t active, double seconds) {
  VLOG(2) << "superstep " << number << (pushed ? " pushed" : " pulled") << " in " << seconds << " s; "
          << active << " vertices are active after it";
}

}  // namespace orujo::internal::observe
