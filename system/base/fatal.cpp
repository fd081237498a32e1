#include "system/base/fatal.hpp"

#include <glog/logging.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>

#include "system/base/last_word.hpp"
#include "system/base/printable.hpp"
#include "system/base/task_name.hpp"
#include "system/base/thread_state.hpp"

#if defined(ORUJO_COVERAGE)
extern "C" void __gcov_dump();
#endif

namespace orujo::internal::base {
namespace {

std::atomic<abort_hook> hook{nullptr};
std::atomic<clean_up_hook> cleans_up{nullptr};
std::atomic<bool> failing{false};

// The hook may hang in a signal handler that interrupted MPI. SIGALRM then ends the process, and its launcher
// the job.
constexpr unsigned abort_seconds = 3;

// Appends without allocating, so that it works in a signal handler and when memory is out.
struct line {
  char text[1024];
  std::size_t size = 0;
  void add(std::string_view s) {
    const std::size_t n = std::min(s.size(), sizeof(text) - 1 - size);
    std::memcpy(text + size, s.data(), n);
    size += n;
  }
  void add_printable(std::string_view s) {
    each_printable(s, [this](std::string_view piece) { add(piece); });
  }
  void add(int number) {
    char digits[12];
    int at = sizeof(digits);
    unsigned rest = static_cast<unsigned>(number);
    do digits[--at] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    add({digits + at, sizeof(digits) - at});
  }
};

// glog hands the text of a fatal message to its sinks before it calls the failure function.
class fatal_text_sink : public google::LogSink {
 public:
  void send(google::LogSeverity severity, const char*, const char* file, int at,
            const google::LogMessageTime&, const char* message, std::size_t size) override {
    if (severity != google::GLOG_FATAL) return;
    void*& kept = detail::this_thread.fatal_text;
    delete static_cast<std::string*>(std::exchange(
        kept,
        new std::string(std::string(file) + ":" + std::to_string(at) + ": " + std::string(message, size))));
  }
};

[[noreturn]] void leave(exit_status code) {
#if defined(ORUJO_COVERAGE)
  __gcov_dump();  // of the preset coverage: the lines that a failing job ran count, too
#endif
  ::_exit(static_cast<int>(code));
}

void fail_after_log() {
  const std::unique_ptr<std::string> text(
      static_cast<std::string*>(std::exchange(detail::this_thread.fatal_text, nullptr)));
  fail(exit_status::broken_invariant, (text ? *text : "") + " (a bug of ours: please report it)");
}

// The task of a thread that throws, for the message.
std::string in_task() {
  const std::string task = name_of_task();
  return task.empty() ? task : " (" + task + ")";
}

}  // namespace

failures_are_thrown::failures_are_thrown(bool wanted)
    : before_(std::exchange(detail::this_thread.failures_are_thrown, wanted)) {}
failures_are_thrown::~failures_are_thrown() { detail::this_thread.failures_are_thrown = before_; }

void fail(exit_status code, std::string_view message) {
  detail::thread_state& here = detail::this_thread;
  if (here.failures_are_thrown) throw job_error({code, std::string(message)});
  if (std::exchange(here.is_failing, true)) leave(code);  // the failure is one of fail() itself
  if (failing.exchange(true)) {
    for (;;) pause();  // another thread of this process is already ending the job
  }
  line out;
  if (const thread_identity& me = here.identity; me.locale >= 0) {
    out.add("[locale ");
    out.add(me.locale);
    if (me.core >= 0) {
      out.add(" core ");
      out.add(me.core);
    }
    out.add("] ");
  }
  out.add("FATAL: ");
  out.add_printable(message);
  out.text[out.size++] = '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, out.text, out.size);
  if (clean_up_hook clean_up = cleans_up.load()) clean_up();
  leave_last_word(last_word::failed, code);
  if (abort_hook end = hook.load()) {
    alarm(abort_seconds);
    end(static_cast<int>(code));
  }
  leave(code);
}

bool is_failing() { return failing; }

void set_clean_up_hook(clean_up_hook clean_up) { cleans_up = clean_up; }
void set_abort_hook(abort_hook new_hook) { hook = new_hook; }

void fail_on_terminate() {
  if (std::exception_ptr thrown = std::current_exception()) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      fail(exit_status::no_resource,
           "out of memory: use a smaller graph, fewer locales per node, or more memory");
    } catch (const std::system_error& e) {  // such as threads that cannot be created
      const bool lacks =
          e.code() == std::errc::resource_unavailable_try_again || e.code() == std::errc::not_enough_memory;
      fail(lacks ? exit_status::no_resource : exit_status::broken_invariant,
           std::string(lacks ? "out of memory or threads: " : "uncaught exception: ") + e.what() + in_task());
    } catch (const std::exception& e) {
      fail(exit_status::broken_invariant, std::string("uncaught exception: ") + e.what() + in_task());
    } catch (...) {
    }
  }
  fail(exit_status::broken_invariant, "std::terminate was called" + in_task());
}

void install_fatal_handlers() {
  static fatal_text_sink* sink = [] {
    auto* s = new fatal_text_sink;
    google::AddLogSink(s);
    google::InstallFailureFunction(reinterpret_cast<google::logging_fail_func_t>(&fail_after_log));
    std::set_terminate(&fail_on_terminate);
    return s;
  }();
  (void)sink;
}

}  // namespace orujo::internal::base
