#include "system/observe/progress.hpp"

#include <gflags/gflags.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "system/base/flags.hpp"

DEFINE_string(progress, "auto", "progress lines on the terminal: auto, on or off");

static const orujo::flag_rule progress_rule(
    "progress", [] { return FLAGS_progress == "auto" || FLAGS_progress == "on" || FLAGS_progress == "off"; },
    "auto, on or off");

namespace orujo::observe {

bool progress_wanted() {
  if (FLAGS_progress != "auto") return FLAGS_progress == "on";
  return isatty(STDERR_FILENO) != 0 || std::getenv("ORUJO_STDERR_IS_TERMINAL") != nullptr;
}

progress_line::progress_line() : wanted_(progress_wanted()), last_(std::chrono::steady_clock::now()) {}

progress_line::~progress_line() {
  if (shown_) std::fputs("\r\033[K", stderr);
}

bool progress_line::due() const {
  return wanted_ && std::chrono::steady_clock::now() - last_ >= std::chrono::milliseconds(100);
}

void progress_line::show(std::string_view text) {
  if (!wanted_) return;
  std::fprintf(stderr, "\r\033[K%.*s", static_cast<int>(text.size()), text.data());
  std::fflush(stderr);
  shown_ = true;
  last_ = std::chrono::steady_clock::now();
}

}  // namespace orujo::observe
