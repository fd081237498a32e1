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
// has them work:
//
//   orujo::session job({"--cores=8"});
//   const double sum = job.run([&] { return sum_of(my_numbers); });
//
// Processes. Where a launcher has started several, each is a locale, makes its session, and stops it; these
// two are collective over the processes, all else is each one's own. MPI is the session's, initialised and
// finalised, unless the program has initialised it before, by MPI_Init_thread with MPI_THREAD_SERIALIZED, or
// with MPI_THREAD_MULTIPLE if it calls MPI itself while the session lives. A process has one job at a time,
// and any number of sessions one after the other; where MPI is the session's, one, as MPI cannot be
// initialised again.
//
// What goes wrong. The constructor throws job_error, with an exit status and a sentence: unknown flags, a
// launcher that does not fit, another build at another process, memory or threads that are not there. What
// only one of several processes lacks ends the job, as the others wait for it. What f throws, run() throws.
// All else ends the process, as in a program of orujo::run, with a line on stderr that says why: what f does
// in other tasks and on other cores may be half done then, so nobody could go on. That is: a misuse, a broken
// invariant, memory that is out, an exception that leaves another task or a message handler, a lost process,
// and what the watchdog (--watchdog_seconds) finds. It takes a session without work for one that waits for
// it, but where f waits for what another f is to bring, it must come in time.
//
// What it takes of the program:
// - flags of Orujo in gflags' registry: those given here are set, and set back by stop(). Others are as
//   they are; a program that parses its command line by gflags may offer them.
// - glog: initialised, to stderr, until stop(), unless the program has.
// - signals, std::terminate, glog's failure function: nothing with handlers::none, and cores take no signals.
//   With handlers::all they are as in a program of orujo::run, also after stop(): fatal signals name the task
//   and say what it lacks of stack, SIGUSR1 has the cores report, SIGTERM and the like remove what output
//   files have begun.
// - exit() in a task ends the process as a failure. A child that the program forks cannot use the session:
//   run() throws there, and stop() does nothing.
// - CPUs: cores are bound to them (--nopin: not), the program's threads are left alone. A job without work
//   uses less than 2 % of one.
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

  // [any thread that is no core] Runs f as a task on the first core of this process's locale, core 0 of the
  // job where it is the only one, and returns or throws what f does. f may suspend, use all of the job, and
  // hold references to what is the program's; it has a stack as large as a main task's. It is the program's
  // own matter that locales whose tasks meet in a collective all call run(), one at a time each.
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

  // [any thread that is no core] Waits for what has been begun and, where they are several, for all
  // processes to stop; the cores end. Nothing runs afterwards. The destructor does it, too. At locale 0 a
  // failed status says what of the job's own reports (--metrics_json) could not be written.
  status stop();

 private:
  class parts;
  void enter(std::function<void()> work);
  std::unique_ptr<parts> parts_;
};

}  // namespace orujo
