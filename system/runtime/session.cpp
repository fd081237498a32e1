#include "system/runtime/session.hpp"

#include <gflags/gflags.h>
#include <glog/logging.h>

#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "system/base/flags.hpp"
#include "system/report/job_report.hpp"
#include "system/runtime/locale.hpp"
#include "system/runtime/process.hpp"
#include "system/runtime/runtime.hpp"
#include "system/tasks/sync.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/mpi.hpp"
#include "system/watch/memory_guard.hpp"
#include "system/watch/signals.hpp"
#include "system/watch/task_monitor.hpp"

DECLARE_int32(locales);
DECLARE_uint64(chaos_seed);

namespace orujo::internal::runtime {

// The parts of a session.
namespace detail {

void require_ok(const status& s) {
  if (!s.ok()) throw job_error(s);
}

// Initialises glog if nobody has, and restores its state.
class logging {
 public:
  explicit logging(int rank)
      : mine_(!google::IsGoogleLoggingInitialized()), to_(FLAGS_logtostderr), from_(FLAGS_minloglevel) {
    if (mine_) runtime::start_logging(rank);
  }
  ~logging() {
    if (!mine_) return;
    google::ShutdownGoogleLogging();
    FLAGS_logtostderr = to_;
    FLAGS_minloglevel = from_;
  }
  logging(const logging&) = delete;

 private:
  const bool mine_;
  const bool to_;
  const int from_;
};

// Flags that are set until the session ends.
class session_flags {
 public:
  ~session_flags() { base::restore_flags(replaced_); }
  status set(const std::vector<std::string>& flags) {
    std::vector<const char*> words = {""};
    for (const std::string& flag : flags) words.push_back(flag.c_str());
    const auto parsed = base::parse_flags(static_cast<int>(words.size()), words.data(), &replaced_);
    if (!parsed.ok()) return parsed.status();
    if (parsed.value().help) return {exit_status::usage, "--help: a session prints no help"};
    parsed_ = parsed.value();
    return {};
  }
  const base::parsed_flags& parsed() const { return parsed_; }

 private:
  base::flag_values replaced_;
  base::parsed_flags parsed_;
};

// The entrance for work: the first core of the process's locale. Used by that core only, except for bring().
class door {
 public:
  explicit door(int processes, std::size_t stack_bytes)
      : still_open_(static_cast<std::size_t>(processes), "the program's next work, or its stop"),
        stack_bytes_(stack_bytes) {}

  void open(messages::messenger& first) {
    first_ = &first;
    of_process_ = this;
    first.scheduler().expect_work_from_outside(true);
  }
  // Any thread, between open() and the end.
  void bring(std::function<void()> work) {
    first_->do_errand([this, work = std::move(work)]() mutable { take(std::move(work)); });
  }
  void leave() {
    first_->do_errand([this] {
      leaving_ = true;
      if (under_way_ > 0) return;
      first_->scheduler().expect_work_from_outside(false);
      say_left();
    });
  }
  // [task; suspends; at core 0] Returns when all processes have left.
  void wait_for_all() { still_open_.wait(); }

 private:
  void take(std::function<void()> work) {
    if (++under_way_ == 1) first_->scheduler().expect_work_from_outside(false);
    brought_.push_back(std::move(work));
    if (tasks::worker* const server = idle_.pop()) return first_->scheduler().wake(server);
    first_->scheduler().spawn(tasks::task([this] { serve(); }, "session::run"), stack_bytes_);
  }
  // A task that stays, so that work has its large stack.
  void serve() {
    for (;;) {
      while (brought_.empty()) first_->scheduler().suspend(idle_, "work from outside");
      {
        const std::function<void()> work = std::move(brought_.front());
        brought_.pop_front();
        work();
      }
      if (--under_way_ > 0) continue;
      if (leaving_) {
        say_left();
      } else {
        first_->scheduler().expect_work_from_outside(true);
      }
    }
  }
  void say_left() {
    first_->send(0, [] { of_process_->still_open_.complete(); });
    first_->flush(0);
  }

  static inline door* of_process_ = nullptr;  // which has one session at a time
  messages::messenger* first_ = nullptr;
  tasks::join_counter still_open_;  // processes; of core 0's
  const std::size_t stack_bytes_;
  std::deque<std::function<void()>> brought_;
  tasks::wait_queue idle_;
  std::size_t under_way_ = 0;
  bool leaving_ = false;
};

// The reason why the job cannot begin, as job_error.
std::exception_ptr refusal() {
  try {
    throw;
  } catch (const job_error&) {
    return std::current_exception();
  } catch (const std::exception& lacking) {  // such as memory or threads
    return std::make_exception_ptr(
        job_error({exit_status::no_resource, std::string("no room for a job: ") + lacking.what()}));
  }
}

}  // namespace detail

class session::parts {
 public:
  parts(const std::vector<std::string>& flags, handlers wanted) {
    detail::require_ok(process_->taken());
    detail::require_ok(flags_->set(flags));
    const transport::launch_facts launch = transport::look_at_launch();
    if (launch.by_mpi) {
      const base::failures_are_thrown instead;
      const watch::mpi_start starting;
      link_ = transport::make_mpi(nullptr, nullptr, FLAGS_chaos_seed);
    }
    detail::require_ok(runtime::check_command_line(flags_->parsed(), link_.get(), launch));
    locale_ = link_ ? link_->locale() : 0;
    processes_ = link_ ? link_->locales() : 1;
    locales_ = link_ ? processes_ : FLAGS_locales;
    logging_.emplace(locale_);
    if (wanted == handlers::all) {
      base::install_fatal_handlers();
      watch::install_signal_handlers();
      monitor_.emplace();
      guard_.emplace(locale_, locales_ / processes_);
    }
    options_ = runtime::options_from_flags();
    door_.emplace(processes_, options_.main_stack_bytes);
    const auto body = [this] { live(); };
    try {
      thread_ = wanted == handlers::all ? std::thread(body) : base::thread_without_signals(body);
    } catch (const std::system_error&) {
      std::rethrow_exception(detail::refusal());
    }
    try {
      begun_.get_future().get();
    } catch (...) {
      thread_.join();
      throw;
    }
  }

  locale_id locale() const { return locale_; }
  int locales() const { return locales_; }

  void enter(std::function<void()> work) {
    require_outside();
    const std::lock_guard lock(entering_);
    if (stopped_) throw job_error({exit_status::misuse, "a session has no cores after stop()"});
    door_->bring(std::move(work));
  }

  status stop() {
    if (base::is_forked_child()) return {};  // the child has none of its threads
    require_outside();
    const std::lock_guard one_at_a_time(stopping_);
    if (stopped_) return {};
    {
      const std::lock_guard lock(entering_);
      stopped_ = true;
      door_->leave();
    }
    thread_.join();
    link_.reset();
    monitor_.reset();
    logging_.reset();
    flags_.reset();
    process_.reset();
    return end_;
  }

 private:
  static void require_outside() {
    if (base::is_forked_child()) {
      throw job_error(
          {exit_status::misuse,
           "a forked process uses the session of the process that has forked it: the child has none of "
           "its cores. Call exec or _exit in the child"});
    }
    if (!base::is_core()) return;
    throw job_error({exit_status::misuse,
                     "a task of the job would wait for its own core in a session's run() or stop(): call "
                     "what it would run, and leave stop() to the program"});
  }

  // The body of the job's first thread.
  void live() {
    std::optional<base::failures_are_thrown> instead;
    if (locales_ == 1) instead.emplace();
    bool begun = false;
    const auto begin = [&] {
      begun = true;
      begun_.set_value();
    };
    const auto serve = [&] {
      begin();
      door_->wait_for_all();
      return status();
    };
    const runtime::job_life life{.main =
                                     [&] {
                                       end_ = report::run_with_reports(serve);
                                       if (!begun && processes_ > 1) base::fail(end_.code(), end_.message());
                                       return end_.code();
                                     },
                                 .begins =
                                     [&](messages::messenger& first) {
                                       instead.reset();
                                       door_->open(first);
                                       if (locale_ > 0) begin();
                                     },
                                 .ends = [&] { const std::lock_guard the_last_has_entered(entering_); }};
    try {
      const status ended =
          link_ ? runtime::live(*link_, options_, life) : runtime::live_in_process(locales_, options_, life);
      if (end_.ok()) end_ = ended;
      if (!begun) begun_.set_exception(std::make_exception_ptr(job_error(end_)));
    } catch (...) {
      if (begun) throw;
      begun_.set_exception(detail::refusal());
    }
  }

  std::optional<runtime::process_of_job> process_{std::in_place,
                                                  runtime::process_of_job::main_thread::is_the_programs};
  std::optional<detail::session_flags> flags_{std::in_place};
  std::optional<detail::logging> logging_;
  std::optional<watch::task_monitor> monitor_;
  std::optional<watch::memory_guard> guard_;
  std::unique_ptr<transport::transport> link_;
  locale_id locale_ = 0;
  int processes_ = 1, locales_ = 1;
  runtime::job_options options_;
  std::optional<detail::door> door_;
  std::promise<void> begun_;
  status end_;  // of the job's thread until it is joined
  std::mutex entering_, stopping_;
  bool stopped_ = false;
  std::thread thread_;
};

session::session(const std::vector<std::string>& flags, handlers wanted)
    : parts_(std::make_unique<parts>(flags, wanted)) {}

session::~session() {
  if (base::is_forked_child()) {
    static_cast<void>(parts_.release());  // its threads do not exist in the child
    return;
  }
  if (const status ended = parts_->stop(); !ended.message().empty()) runtime::print_failure(ended);
}

locale_id session::locale() const { return parts_->locale(); }
int session::locales() const { return parts_->locales(); }
void session::enter(std::function<void()> work) { parts_->enter(std::move(work)); }
status session::stop() { return parts_->stop(); }

}  // namespace orujo::internal::runtime
