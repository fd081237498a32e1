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

namespace orujo::internal::runtime {

// A job inside a program that has a main() of its own, such as an MPI application, a server or an
// interpreter. Its cores run on threads of their own, from the constructor until stop(). Any thread of the
// program gives them work:
//
//   orujo::session job({"--cores=8"});
//   const double sum = job.run([&] { return sum_of(my_numbers); });
//
// Processes. If a launcher has started several processes, each is a locale, and makes and stops its session.
// These two are collective over the processes; nothing else is. The session initialises and finalises MPI,
// unless the program has initialised it before, by MPI_Init_thread with MPI_THREAD_SERIALIZED. It has to be
// MPI_THREAD_MULTIPLE if the program itself calls MPI while the session lives. A process has one session at a
// time, and any number one after the other. It has only one if the session initialises MPI, as MPI cannot be
// initialised again.
//
// Failures. The constructor throws job_error, with an exit status and a sentence, for unknown flags, another
// launcher or build, or a lack of memory or threads. A lack at only one of several processes ends the job, as
// the others wait for it. run() throws what f throws. Everything else ends the process with a line on stderr,
// as in a program of orujo::run, because work in other tasks may be half done. This holds for a misuse, a
// broken invariant, a lack of memory, an exception that leaves another task or a handler, and a lost process.
// It also holds for what the watchdog finds (--watchdog_seconds). A session without work is no finding. If f
// waits for another call of run(), that has to come in time.
//
// What the session uses of the program:
// - Flags of Orujo in gflags' registry. Those given to the constructor are set until stop(). A program that
//   parses its command line by gflags may offer the others.
// - glog, which it initialises until stop(), to stderr, unless the program has.
// - Signals, std::terminate and glog's failure function. With handlers::none it leaves them alone, and cores
//   take no signals. With handlers::all they are as in a program of orujo::run, also after stop(). Fatal
//   signals name the task, SIGUSR1 makes the cores report, and SIGTERM and the like remove partial output
//   files.
// - exit() in a task ends the process as a failure. A child that the program forks cannot use the session:
//   run() throws there, and stop() does nothing.
// - CPUs. Cores are bound to CPUs, unless --nopin is given; other threads are left alone. A job without work
//   uses less than 2 % of a CPU.
class session {
 public:
  // What the session changes of the process' signal handlers, as described above.
  enum class handlers { none, all };

  // Starts the cores. Throws job_error where the job cannot start. `flags` are as on a command line:
  // {"--cores=2", "--print_metrics"}, or {argv + 1, argv + argc}.
  explicit session(const std::vector<std::string>& flags = {}, handlers wanted = handlers::none);
  ~session();
  session(const session&) = delete;

  // The number of the locale that this process is, and how many the job has.
  locale_id locale() const;
  int locales() const;

  // [any thread that is no core] Runs f as a task on the first core of this process's locale, and returns or
  // throws what f does. f may suspend, use the whole job, and hold references; its stack is as large as a
  // main task's. If tasks of several locales meet in a collective, each process has to call run(), one call
  // at a time.
  template <class F>
  auto run(F&& f) -> std::invoke_result_t<F&> {
    return async_run([&f]() -> std::invoke_result_t<F&> { return f(); }).get();
  }
  // [any thread that is no core] As run(), but does not wait: the std::future becomes ready with what f
  // returns or throws.
  template <class F>
  auto async_run(F f) -> std::future<std::invoke_result_t<F&>> {
    const auto work = std::make_shared<std::packaged_task<std::invoke_result_t<F&>()>>(std::move(f));
    enter([work] { (*work)(); });
    return work->get_future();
  }

  // [any thread that is no core] Waits for all calls of run() and async_run(), and for the other processes to
  // stop, and ends the cores. The destructor does it, too. At locale 0 the status says whether the reports of
  // the job (--metrics_json) could be written.
  status stop();

 private:
  class parts;
  void enter(std::function<void()> work);
  std::unique_ptr<parts> parts_;
};

}  // namespace orujo::internal::runtime

namespace orujo {
using internal::runtime::session;
}
