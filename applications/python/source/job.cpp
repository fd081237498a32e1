#include "job.hpp"

#include <chrono>
#include <deque>
#include <exception>
#include <future>
#include <memory>
#include <mutex>

#include <unistd.h>

#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"
#include "system/machine/available_memory.hpp"
#include "system/memory/budget.hpp"
#include "system/runtime/session.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
#include "system/transport/launch.hpp"

namespace orujo::internal::python {
namespace {

// State of the calls at the first core of a process, which alone touches it.
struct desk {
  // At core 0: arrivals at a call, or already at the next one, and departures.
  std::deque<std::pair<int, call>> arrived;
  tasks::semaphore arrivals{0}, departures{0};
  std::vector<std::byte> told;
  // At the other processes: core 0 has sent something.
  tasks::semaphore news{0};
};

struct interpreter_job {
  std::mutex calls;             // one at a time
  std::atomic<pid_t> owner{0};  // the process that has the cores
  std::atomic<bool> ending{false};
  std::optional<session> cores;
  std::unique_ptr<desk> calls_here;
  std::uint64_t generation = 0;
  int process = 0, processes = 1, all_cores = 0;
};

interpreter_job& job() {
  static interpreter_job& made =
      *new interpreter_job;  // never destroyed, because threads may be in it at the end
  return made;
}

std::atomic<bool> stop_asked{false};
bool (*interrupted)() = nullptr;

// Marks the wait of a task for another process's program, which comes in its own time.
class patience {
 public:
  patience() { tasks::scheduler::here()->expect_work_from_outside(true); }
  ~patience() { tasks::scheduler::here()->expect_work_from_outside(false); }
};

desk& desk_here() { return *job().calls_here; }

// A mutex may be held by a thread that the child does not have.
bool forked() { return job().owner != 0 && job().owner != ::getpid(); }

// Runs it as a task of this process's first core. The caller holds the mutex.
void run_here(const std::function<void()>& work) {
  std::future<void> done = job().cores->async_run([&work] { work(); });
  constexpr auto patience_of_people = std::chrono::milliseconds(20);
  while (done.wait_for(patience_of_people) != std::future_status::ready) {
    if (!stop_asked && interrupted && interrupted()) stop_asked = true;
  }
  done.get();
}

struct nothing {
  void fetch() {}
  void release() {}
  template <class Archive>
  void serialize(Archive&) {}
};

// Returns when all processes have come to stop. Other calls fail until then.
void await_stops() {
  for (bool all = false; !all;)
    run_here([&all] {
      all = detail::take_part<nothing>(call::to_stop(), [] { return result<nothing>(nothing()); }).ok();
    });
}

// Cores end with a message, other threads of the interpreter by default.
void end_cores_in_words() {
  static const std::terminate_handler of_others = std::get_terminate();
  [[maybe_unused]] static const bool once = [] {
    std::set_terminate([] {
      if (base::my_identity().core >= 0) base::fail_on_terminate();
      of_others();
    });
    return true;
  }();
}

// Throws if cores would end at the first call for lack of stacks. One of several processes does not check,
// because it cannot stop alone.
void require_room_for(int cores) {
  const std::uint64_t left = machine::mappable_memory();
  if (left >= static_cast<std::uint64_t>(cores) * memory::uncounted_bytes_of_core) return;
  job().cores.reset();
  job().owner = 0;
  throw job_error({exit_status::no_resource,
                   "no room for a job: the limits of this process leave " + std::to_string(left) +
                       " bytes: raise them (ulimit -v, ulimit -d), or use fewer --cores"});
}

}  // namespace

void require_not_forked() {
  if (!forked()) return;
  throw job_error({exit_status::misuse,
                   "this process was forked from one that has a job, whose cores do not exist in it: start "
                   "it by multiprocessing.get_context('spawn'), or before the first graph"});
}

void start(const std::vector<std::string>& flags) {
  require_not_forked();
  const std::lock_guard alone(job().calls);
  if (job().cores)
    throw job_error({exit_status::misuse, "the job runs already: stop() it before you start another"});
  end_cores_in_words();
  job().calls_here = std::make_unique<desk>();
  job().cores.emplace(flags);
  job().owner = ::getpid();
  ++job().generation;
  const bool launched = transport::look_at_launch().by_mpi;
  job().process = launched ? job().cores->locale() : 0;
  job().processes = launched ? job().cores->locales() : 1;
  if (processes() == 1) require_room_for(1);
  job().all_cores = job().cores->run([] { return cores(); });
  if (processes() == 1) require_room_for(job().all_cores);
}

void stop() {
  require_not_forked();
  const std::lock_guard alone(job().calls);
  if (!job().cores) return;
  if (processes() > 1) await_stops();
  const status ended = job().cores->stop();
  job().cores.reset();
  job().owner = 0;
  if (!ended.ok()) throw job_error(ended);
}

bool announce_end() {
  if (forked()) return false;
  job().ending = true;  // set before stop_asked, which a beginning call resets
  stop_asked = true;
  return true;
}
void require_no_end() {
  if (job().ending) throw job_error({exit_status::misuse, "the interpreter ends, and the job with it"});
}

bool started() { return job().cores.has_value() && !forked(); }
std::uint64_t generation() { return job().generation; }
int process() { return job().process; }
int processes() { return job().processes; }
int cores_of_job() { return job().all_cores; }

void set_interrupted(bool (*asked)()) { interrupted = asked; }
const std::atomic<bool>* stop_word() { return &stop_asked; }

void detail::enter(const std::function<void()>& work) {
  require_not_forked();
  const std::lock_guard alone(job().calls);
  stop_asked = false;
  require_no_end();
  if (!job().cores) throw job_error({exit_status::misuse, "no job is running: start() one"});
  run_here(work);
}

bool detail::enter_if_idle(const std::function<void()>& work) {
  if (forked()) return false;
  const std::unique_lock alone(job().calls, std::try_to_lock);
  if (!alone || !job().cores) return false;
  job().cores->run(work);
  return true;
}

status detail::await_others(const call& mine) {
  const patience while_waiting;
  desk& here = desk_here();
  status wrong;
  for (int left = processes() - 1; left > 0; --left) {
    here.arrivals.acquire();
    const auto [who, theirs] = std::move(here.arrived.front());
    here.arrived.pop_front();
    if (!wrong.ok()) continue;
    const std::string difference = mine.difference_of(who, theirs);
    if (!difference.empty()) wrong = {exit_status::misuse, difference};
  }
  return wrong;
}

void detail::tell_others(std::vector<std::byte> told) {
  desk_here().told = std::move(told);
  for (locale_id l = 1; l < processes(); ++l)
    delegates::call(shape().first_core_of(l), [] { desk_here().news.release(); });
}

void detail::await_leaving() {
  for (int left = processes() - 1; left > 0; --left) desk_here().departures.acquire();
}

std::vector<std::byte> detail::follow(const call& mine) {
  delegates::call(
      0,
      [](int who, const call& theirs) {
        desk_here().arrived.emplace_back(who, theirs);
        desk_here().arrivals.release();
      },
      process(), mine);
  const patience while_waiting;
  desk_here().news.acquire();
  return delegates::call(0, [] { return desk_here().told; });
}

void detail::leave() {
  delegates::call(0, [] { desk_here().departures.release(); });
}

}  // namespace orujo::internal::python
