// A job inside a program that has a main() of its own: an MPI application, a server, an interpreter.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/base/status.hpp"

namespace orujo {

// The cores of a job, on threads of their own, from its constructor until stop(). Any thread of the program
// gives them work.
//
//   orujo::session job({"--cores=8"});
//   const double sum = job.run([&] { return sum_of(my_numbers); });
//
// Processes. If a launcher has started several, each is a locale, creates its session, and stops it. These
// two are collective over the processes; all other calls are each process's own. The session initialises and
// finalises MPI, unless the program has initialised it before. The program then calls MPI_Init_thread with
// MPI_THREAD_SERIALIZED, or with MPI_THREAD_MULTIPLE if it calls MPI itself while the session lives. A
// process has one job at a time, and any number of sessions one after the other. A session that initialises
// MPI is the only one, because MPI cannot be initialised again.
//
// Errors. The constructor throws job_error, with an exit status and a message, for
// - unknown flags,
// - an unsuitable launcher,
// - another build at another process, and
// - lack of memory or threads.
// If only one of several processes lacks memory or threads the job ends, because the others wait for it.
//
// run() throws the exception of f. All other errors end the process with a line on stderr that gives the
// reason, as in a program of `orujo::run`. Work of f in other tasks and on other cores may be half done by
// then, so the program could not continue. Such errors are a misuse, a broken invariant, lack of memory, an
// exception that leaves another task or a message handler, a lost process, and a hang found by the watchdog
// (--watchdog_seconds). The watchdog takes a session without work for one that waits for it. But if f waits
// for a result of another f, that one must come in time.
//
// Resources of the program that a session uses:
// - Flags of Orujo in gflags' registry. The flags given here are set, and restored by stop(). Other flags
//   keep their values, and a program that parses its command line by gflags may offer them.
// - glog. It is initialised, to stderr, until stop(), unless the program has initialised it.
// - Signals, std::terminate and glog's failure function. With handlers::none they are unchanged, and cores
//   take no signals. With handlers::all they are as in a program of `orujo::run`, also after stop(). Fatal
//   signals then name the task and its lack of stack, SIGUSR1 requests reports of the cores, and SIGTERM and
//   the like remove unfinished output files.
// - exit() in a task ends the process as a failure.
// - A child that the program forks cannot use the session. There run() throws, and stop() does nothing.
// - CPUs. Cores are bound to them (unless --nopin is given), the program's threads are left alone. A job
//   without work uses less than 2 % of one CPU.
class session {
 public:
  enum class handlers { none, all };

  // Flags as on a command line: {"--cores=2", "--print_metrics"}, or {argv + 1, argv + argc}.
  explicit session(const std::vector<std::string>& flags = {}, handlers wanted = handlers::none);
  ~session();
  session(const session&) = delete;

  locale_id locale() const;  // this process's
  int locales() const;

  // Any thread that is no core. Runs f as a task on the first core of this process's locale, which is core 0
  // of the job if the locale is the only one. Returns or throws what f does. f may suspend, use all of the
  // job, and hold references to the program's objects. Its stack is as large as a main task's. If tasks of
  // several locales meet in a collective, the program must call run() at all of them, one at a time each.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&> {
    return async_run([&f]() -> std::invoke_result_t<F&> { return f(); }).get();
  }
  // The same without waiting for it.
  template <class F>
  auto async_run(F f) -> std::future<std::invoke_result_t<F&>> {
    const auto work = std::make_shared<std::packaged_task<std::invoke_result_t<F&>()>>(std::move(f));
    enter([work] { (*work)(); });
    return work->get_future();
  }

  // Waits for what has been begun and, where they are several, for all processes to stop; the cores end.
  // Nothing runs afterwards. The destructor does it, too. At locale 0 a failed status says what of the job's
  // own reports (--metrics_json) could not be written.
  status stop();

 private:
  class parts;
  void enter(std::function<void()> work);
  std::unique_ptr<parts> parts_;
};

}  // namespace orujo
