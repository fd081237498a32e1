#include "system/watch/task_monitor.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <semaphore.h>
#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <vector>

#include "system/base/frames.hpp"
#include "system/base/watcher.hpp"
#include "system/tasks/task_report.hpp"

namespace orujo::internal::watch {
namespace {

using tasks::scheduler;

// The answer of an interrupted core, which its signal handler fills in.
struct probe {
  const char* origin = nullptr;  // of the task; null outside of tasks
  std::array<const void*, 64> codes;
  std::size_t found = 0;
  std::atomic<bool> is_asked{false};  // the handler owns the fields until it has filled them in
};
// Late answers are possible, at a later report or never. Probes therefore outlive their use, and none is used
// twice at a time.
std::array<probe, 256> probes;

probe* free_probe() {
  const auto found = std::find_if(probes.begin(), probes.end(),
                                  [](const probe& p) { return !p.is_asked.load(std::memory_order_acquire); });
  return found == probes.end() ? nullptr : &*found;
}

// The semaphore that wakes the monitor; sem_post may be called in a signal handler.
sem_t* asked() {
  static sem_t made;
  static const int initialised = sem_init(&made, 0, 0);
  (void)initialised;
  return &made;
}

void fill(probe& into, const ucontext_t& interrupted) {
  into.origin = nullptr;
  into.found = 0;
  if (const scheduler* core = scheduler::here_if_any()) {
    const tasks::worker* w = core->current();
    into.origin = w ? w->running.origin() : nullptr;
    const tasks::context& stack = w ? w->saved : core->own_stack();
    into.found = base::unwind(interrupted, stack.stack_bottom(), stack.stack_top(), into.codes);
  }
  into.is_asked.store(false, std::memory_order_release);
}

void on_report_signal(int, siginfo_t* info, void* interrupted) {
  const int saved = errno;
  if (info->si_code == SI_QUEUE && info->si_pid == getpid()) {
    fill(*static_cast<probe*>(info->si_value.sival_ptr), *static_cast<const ucontext_t*>(interrupted));
  } else {
    ask_for_reports();
  }
  errno = saved;
}

void pause_for(std::chrono::milliseconds time) { std::this_thread::sleep_for(time); }

void print_probe(const tasks::running_core& core, const probe& p) {
  std::vector<std::string> lines = {p.origin ? fmt::format("running {}, has not yielded", p.origin)
                                             : std::string("in a message handler, not done")};
  for (const std::string& frame : tasks::describe_frames({p.codes.data(), p.found}))
    lines.push_back("      " + frame);
  tasks::print_lines(tasks::core_prefix(core.locale, core.number), lines);
}

// Interrupts the cores that have not reported, and prints where they were.
void probe_silent_cores() {
  tasks::for_each_running_core([&](const tasks::running_core& core) {
    if (core.core->has_reported()) return;
    probe* const p = free_probe();
    if (!p) return;
    p->is_asked.store(true, std::memory_order_relaxed);
    sigval to;
    to.sival_ptr = p;
    if (pthread_sigqueue(core.thread, SIGUSR1, to) != 0) {
      p->is_asked.store(false, std::memory_order_relaxed);
      return;
    }
    for (int tries = 0; tries < 50 && p->is_asked.load(std::memory_order_acquire); ++tries) {
      pause_for(std::chrono::milliseconds(10));
    }
    if (core.core->has_reported()) return;  // in the meantime
    if (!p->is_asked.load(std::memory_order_acquire)) {
      print_probe(core, *p);
    } else {
      tasks::print_lines(tasks::core_prefix(core.locale, core.number),
                         {"does not answer, nor to an interruption"});
    }
  });
}

}  // namespace

void install_report_handler() {
  asked();
  struct sigaction action = {};
  action.sa_sigaction = &on_report_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(SIGUSR1, &action, nullptr);
}

void ask_for_reports() {
  scheduler::request_reports();
  sem_post(asked());
}

task_monitor::task_monitor(std::chrono::milliseconds patience) : patience_(patience) {
  thread_ = base::thread_without_signals([this] { watch(); });
}

task_monitor::~task_monitor() {
  ending_ = true;
  sem_post(asked());
  thread_.join();
}

void task_monitor::watch() {
  for (;;) {
    while (sem_wait(asked()) != 0) continue;  // EINTR
    if (ending_) return;
    wait_for_reports();
    if (!ending_) probe_silent_cores();
  }
}

// Waits for the reports of all cores, for at most the patience.
void task_monitor::wait_for_reports() const {
  const auto begun = std::chrono::steady_clock::now();
  while (!ending_ && std::chrono::steady_clock::now() - begun < patience_) {
    bool all = true;
    tasks::for_each_running_core([&](const tasks::running_core& c) { all = all && c.core->has_reported(); });
    if (all) return;
    pause_for(std::chrono::milliseconds(10));
  }
}

}  // namespace orujo::internal::watch
