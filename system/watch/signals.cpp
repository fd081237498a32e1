#include "system/watch/signals.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "system/base/fatal.hpp"
#include "system/base/frames.hpp"
#include "system/base/identity.hpp"
#include "system/base/last_word.hpp"
#include "system/base/mapping.hpp"
#include "system/base/sanitizers.hpp"
#include "system/files/replacement_file.hpp"
#include "system/tasks/check_closure.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/watch/task_monitor.hpp"

namespace orujo::internal::watch {
namespace {

constexpr std::size_t signal_stack_bytes = 64 << 10;

std::atomic<bool> mpi_is_starting{false};

// A frame accesses its stack near its pointer; other mistakes seldom do.
constexpr std::ptrdiff_t near_stack_pointer = 64 << 10;

bool is_near_stack_pointer(const void* address, const ucontext_t& interrupted) {
#if defined(__x86_64__)
  const auto pointer = static_cast<std::uintptr_t>(interrupted.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  const auto pointer = static_cast<std::uintptr_t>(interrupted.uc_mcontext.sp);
#else
  const std::uintptr_t pointer = 0;
#endif
  const auto distance = static_cast<std::ptrdiff_t>(reinterpret_cast<std::uintptr_t>(address) - pointer);
  return std::abs(distance) < near_stack_pointer;
}

// Writes where a task was when the signal came, by the frames of the program's own code: their names would
// take memory, which may be what is broken.
void describe_place(const tasks::worker* in, const ucontext_t& interrupted, std::span<char> into) {
  std::array<const void*, 16> codes;
  const std::size_t found =
      in ? base::unwind(interrupted, in->saved.stack_bottom(), in->saved.stack_top(), codes) : 0;
  std::size_t used = 0;
  into[0] = 0;
  for (std::size_t k = 0; k < found && used + 1 < into.size(); ++k) {
    const std::uintptr_t offset = base::offset_in_program(codes[k]);
    if (offset == 0) continue;
    used += static_cast<std::size_t>(
        std::snprintf(into.data() + used, into.size() - used,
                      used == 0 ? "; its code: addr2line -Cfpie PROGRAM %#zx" : " %#zx", offset));
  }
}

void on_fatal_signal(int signal, siginfo_t* info, void* interrupted) {
  const tasks::scheduler* core = tasks::scheduler::here_if_any();
  const tasks::worker* w = core ? core->current() : nullptr;
  char text[768];
  const char* task = w ? w->running.origin() : "no task";
  if (w && signal == SIGSEGV && w->stack.guard_contains(info->si_addr)) {
    std::snprintf(text, sizeof(text), "stack overflow in task %s: raise --stack_bytes", task);
    base::fail(exit_status::stack_overflow, text);
  }
  if (!w && signal == SIGSEGV && info->si_code > 0 &&
      is_near_stack_pointer(info->si_addr, *static_cast<const ucontext_t*>(interrupted))) {
    base::fail(exit_status::stack_overflow,
               core ? "stack overflow in a message handler, which has its thread's "
                      "stack: leave deep calls to a task, or "
                      "raise ulimit -s"
                    : "stack overflow outside of tasks: raise ulimit -s");
  }
  if (info->si_code <= 0) {  // sent by kill() and the like
    std::snprintf(text, sizeof(text), "signal %d (%s) sent by process %d in %s", signal, sigdescr_np(signal),
                  static_cast<int>(info->si_pid), task);
    base::fail(exit_status::fatal_signal, text);
  }
  // Open MPI reserves the space when it creates the file, but other processes may use it up later.
  char file[256];
  if (signal == SIGBUS && base::is_shared_memory(info->si_addr, file, sizeof file)) {
    std::snprintf(
        text, sizeof(text),
        "no room for memory that processes share, in %s: make room in that file system (df), or set "
        "TMPDIR to another one",
        file);
    base::fail(exit_status::no_resource, text);
  }
  if (!w && mpi_is_starting.load()) {
    std::snprintf(text, sizeof(text),
                  "signal %d (%s) at address %p while MPI started: the fault is in MPI or in its launcher; "
                  "run the job again",
                  signal, sigdescr_np(signal), info->si_addr);
    base::fail(exit_status::fatal_signal, text);
  }
  // References from another process point anywhere.
  const bool may_be_reference = (signal == SIGSEGV || signal == SIGBUS) && base::my_identity().locales > 1 &&
                                tasks::wanted_closure_checks() != tasks::closure_checks::all;
  char place[384];
  describe_place(w, *static_cast<const ucontext_t*>(interrupted), place);
  std::snprintf(text, sizeof(text), "signal %d (%s) at address %p in %s%s%s", signal, sigdescr_np(signal),
                info->si_addr, task,
                may_be_reference ? " (did a closure capture a reference? --check_closures finds out)" : "",
                place);
  base::fail(exit_status::fatal_signal, text);
}

constexpr int ending_signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};

// The actions of a signal from outside before it ends the process. Other threads run on, and may receive one,
// too.
void on_ending_signal(int signal) {
  static std::atomic<bool> ending;
  if (ending.exchange(true)) {
    for (;;) pause();  // another thread of this process is already ending it
  }
  base::leave_last_word_of_signal(signal);
  files::remove_replacement_files();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

void install_ending_handlers() {
  struct sigaction action = {}, before = {};
  action.sa_handler = &on_ending_signal;
  action.sa_flags = SA_ONSTACK;
  for (int signal : ending_signals)
    sigaddset(&action.sa_mask, signal);  // one handler does not interrupt another on a thread
  for (int signal : ending_signals) {
    const bool known = sigaction(signal, nullptr, &before) == 0;
    if (known && before.sa_handler == SIG_DFL) sigaction(signal, &action, nullptr);  // nohup ignores SIGHUP
  }
  ::signal(SIGXFSZ, SIG_IGN);  // the write that exceeds the limit fails, and its file's error says so
}

}  // namespace

void install_signal_handlers() {
  base::offset_in_program(nullptr);  // looks for the program
  install_report_handler();
  install_ending_handlers();
#if !defined(ORUJO_ADDRESS_SANITIZER) && !defined(ORUJO_THREAD_SANITIZER)
  struct sigaction action = {};
  action.sa_sigaction = &on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(signal, &action, nullptr);
#else
  (void)&on_fatal_signal;
#endif
}

mpi_start::mpi_start() { mpi_is_starting = true; }
mpi_start::~mpi_start() { mpi_is_starting = false; }

signal_stack::signal_stack() {
  memory_ = mmap(nullptr, signal_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory_ == MAP_FAILED) base::fail(exit_status::no_resource, "no memory for a signal stack");
  stack_t alternative = {};
  alternative.ss_sp = memory_;
  alternative.ss_size = signal_stack_bytes;
  sigaltstack(&alternative, nullptr);
}

signal_stack::~signal_stack() {
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  sigaltstack(&none, nullptr);
  munmap(memory_, signal_stack_bytes);
}

}  // namespace orujo::internal::watch
