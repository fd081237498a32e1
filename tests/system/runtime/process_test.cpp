// Calls of exit() and fork() by a program in the middle of a job. Each test is a process of its own.
#include "system/runtime/process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

#include "system/delegates/delegate.hpp"
#include "system/runtime/runtime.hpp"
#include "system/runtime/session.hpp"
#include "system/tasks/scheduler.hpp"
#include "tests/sanitized.hpp"

// LeakSanitizer asks: what cores have is not given back where a process ends in the middle of its job.
static bool ends_amid_a_job = false;
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return ends_amid_a_job ? 1 : 0; }

namespace orujo::internal::runtime {
namespace {

using delegates::call;
using testing::ExitedWithCode;

// As main() does: a job of two locales of one core in this process.
[[noreturn]] void end_as_program(const std::function<status()>& main_task) {
  ends_amid_a_job = true;
  char name[] = "program", locales[] = "--locales=2", cores[] = "--cores=1";
  char* words[] = {name, locales, cores};
  std::_Exit(run(3, words, "runs for a test", main_task));
}

TEST(process_death, does_not_succeed_by_exit_in_the_middle_of_a_job) {
  EXPECT_EXIT(
      end_as_program([]() -> status { std::exit(0); }), ExitedWithCode(70),
      "\\[locale 0 core 0\\] FATAL: exit\\(0\\) in the middle of the job: return a status .*begun by main");
  EXPECT_EXIT(end_as_program([]() -> status { std::exit(3); }), ExitedWithCode(3),
              "FATAL: exit\\(3\\) in the");
  EXPECT_EXIT(end_as_program([] {
                call(1, [] { std::exit(0); });
                return status();
              }),
              ExitedWithCode(70), "\\[locale 1 core 1\\] FATAL: exit\\(0\\) in the middle of the job");
}

TEST(process_death, of_a_session_ends_by_exit_in_a_task) {
  const auto exit_in_a_session = [] {
    session job({"--cores=1"});
    job.run([] { std::exit(0); });
  };
  EXPECT_EXIT(exit_in_a_session(), ExitedWithCode(70), "FATAL: exit\\(0\\) in the middle of the job");
}

TEST(process_death, says_what_a_job_has_said_where_it_fails) {
  EXPECT_EXIT(end_as_program([] {
                base::set_abort_hook([](int code) { std::exit(code); });  // as some MPI_Abort does
                base::fail(exit_status::bad_data, "of the input");
                return status();
              }),
              ExitedWithCode(65), "^\\[locale 0 core 0\\] FATAL: of the input\n$");
}

// The status of a child that does this in place of what its parent's task does.
int status_of_child(void (*in_child)()) {
  const pid_t child = fork();
  if (child == 0) return in_child(), 0;
  int ended = 0;
  waitpid(child, &ended, 0);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

template <void (*InChild)()>
status fork_and_go_on() {
  const int ended = status_of_child(InChild);
  if (base::is_forked_child()) return {};  // its task is over
  if (ended != static_cast<int>(exit_status::misuse))
    return {exit_status::failed, "the child ended otherwise"};
  return call(1, [] { return my_core(); }) == 1 ? status() : status(exit_status::failed, "no answer");
}

void call_another_core() {
  call(1, [] {});
}
void let_others_run() { tasks::yield(); }
void ask_who_it_is() { (void)cores(); }
void return_from_its_task() {}

TEST(process_death, gives_a_forked_child_no_part_in_its_job) {
  constexpr const char* said = "^FATAL: a forked process uses the job of the process that has forked it.*\n$";
  EXPECT_EXIT(end_as_program(&fork_and_go_on<&call_another_core>), ExitedWithCode(0), said);
  EXPECT_EXIT(end_as_program(&fork_and_go_on<&let_others_run>), ExitedWithCode(0), said);
  EXPECT_EXIT(end_as_program(&fork_and_go_on<&ask_who_it_is>), ExitedWithCode(0), said);
  EXPECT_EXIT(end_as_program(&fork_and_go_on<&return_from_its_task>), ExitedWithCode(0), said);
}

TEST(process_death, lets_a_forked_child_exec_or_exit) {
  if (sanitized) GTEST_SKIP() << "a thread that the child does not have may hold a lock of the sanitizer's";
  EXPECT_EXIT(end_as_program([] {
                const int left = status_of_child([] { std::exit(5); });
                const int said = std::system("exit 6");
                return left == 5 && WEXITSTATUS(said) == 6 ? status()
                                                           : status(exit_status::failed, "otherwise");
              }),
              ExitedWithCode(0), "^$");
}

TEST(process_death, lets_no_forked_child_use_its_session) {
  const auto use_it = [] {
    session job({"--cores=2"});
    const pid_t child = fork();
    if (child == 0) {
      try {
        job.run([] {});
      } catch (const job_error& e) {
        std::_Exit(e.code() == exit_status::misuse && job.stop().ok() ? 7 : 1);
      }
    }
    int ended = 0;
    waitpid(child, &ended, 0);
    const int cores_after = job.run([] { return cores(); });
    std::_Exit(cores_after == 2 ? WEXITSTATUS(ended) : 2);
  };
  EXPECT_EXIT(use_it(), ExitedWithCode(7), "^$");
}

}  // namespace
}  // namespace orujo::internal::runtime
