#include "job.hpp"

#include <chrono>
#include <deque>
#include <future>
#include <memory>
#include <mutex>

#include "system/base/identity.hpp"
#include "system/delegates/delegate.hpp"
#include "system/runtime/session.hpp"
#include "system/tasks/scheduler.hpp"
#include "system/tasks/sync.hpp"
#include "system/transport/launch.hpp"

namespace orujo::python {
namespace {

// What the first core of a process knows of the calls; it alone touches it.
struct desk {
  // At core 0: who has come to a call, maybe to the next one already, and who has left it.
  std::deque<std::pair<int, std::string>> arrived;
  tasks::semaphore arrivals{0}, departures{0};
  std::vector<std::byte> told;
  // At the others: core 0 has something to tell.
  tasks::semaphore news{0};
};

struct interpreter_job {
  std::mutex calls;  // one at a time
  std::optional<session> cores;
  std::unique_ptr<desk> calls_here;
  std::uint64_t generation = 0;
  int process = 0, processes = 1, all_cores = 0;
};

interpreter_job& job() {
  static interpreter_job& made = *new interpreter_job;  // threads may be in it at the end
  return made;
}

std::atomic<bool> stop_asked{false};
bool (*interrupted)() = nullptr;

// While a task waits for what another process's program is to bring, in its own time.
class patience {
 public:
  patience() { tasks::scheduler::here()->expect_work_from_outside(true); }
  ~patience() { tasks::scheduler::here()->expect_work_from_outside(false); }
};

desk& desk_here() { return *job().calls_here; }

}  // namespace

void start(const std::vector<std::string>& flags) {
  const std::lock_guard alone(job().calls);
  if (job().cores)
    throw job_error(
        {exit_status::misuse, "the job has been started already: stop() it before the next begins"});
  job().calls_here = std::make_unique<desk>();
  job().cores.emplace(flags);
  ++job().generation;
  const bool launched = transport::look_at_launch().by_mpi;
  job().process = launched ? job().cores->locale() : 0;
  job().processes = launched ? job().cores->locales() : 1;
  job().all_cores = job().cores->run([] { return cores(); });
}

void stop() {
  const std::lock_guard alone(job().calls);
  if (!job().cores) return;
  const status ended = job().cores->stop();
  job().cores.reset();
  if (!ended.ok()) throw job_error(ended);
}

bool started() { return job().cores.has_value(); }
std::uint64_t generation() { return job().generation; }
int process() { return job().process; }
int processes() { return job().processes; }
int cores_of_job() { return job().all_cores; }

void set_interrupted(bool (*asked)()) { interrupted = asked; }
const std::atomic<bool>* stop_word() { return &stop_asked; }

void detail::enter(const std::function<void()>& work) {
  const std::lock_guard alone(job().calls);
  if (!job().cores) throw job_error({exit_status::misuse, "there is no job: start() one"});
  stop_asked = false;
  std::future<void> done = job().cores->async_run([&work] { work(); });
  constexpr auto patience_of_people = std::chrono::milliseconds(20);
  while (done.wait_for(patience_of_people) != std::future_status::ready) {
    if (!stop_asked && interrupted && interrupted()) stop_asked = true;
  }
  done.get();
}

bool detail::enter_if_idle(const std::function<void()>& work) {
  const std::unique_lock alone(job().calls, std::try_to_lock);
  if (!alone || !job().cores) return false;
  job().cores->run(work);
  return true;
}

status detail::await_others(const std::string& name) {
  const patience while_waiting;
  desk& here = desk_here();
  status wrong;
  for (int left = processes() - 1; left > 0; --left) {
    here.arrivals.acquire();
    const auto [who, call] = std::move(here.arrived.front());
    here.arrived.pop_front();
    if (call == name || !wrong.ok()) continue;
    wrong = {exit_status::misuse, "process " + std::to_string(who) + " calls " + call +
                                      " where process 0 calls " + name +
                                      ": all processes make the same calls in the same order"};
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

std::vector<std::byte> detail::follow(const std::string& name) {
  delegates::call(
      0,
      [](int who, const std::string& call) {
        desk_here().arrived.emplace_back(who, call);
        desk_here().arrivals.release();
      },
      process(), name);
  const patience while_waiting;
  desk_here().news.acquire();
  return delegates::call(0, [] { return desk_here().told; });
}

void detail::leave() {
  delegates::call(0, [] { desk_here().departures.release(); });
}

}  // namespace orujo::python
