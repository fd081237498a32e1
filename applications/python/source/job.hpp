// The interpreter's job: its session, and calls in which all of its processes take part.
//
// A process that was forked from one with a job has none: its calls throw job_error.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "call.hpp"
#include "system/base/fatal.hpp"
#include "system/base/status.hpp"
#include "system/messages/pack.hpp"

namespace orujo::internal::python {

// Any thread of the interpreter, without its lock, calls these; all throw job_error.
//
// Collective over the processes. Flags are as on a command line.
void start(const std::vector<std::string>& flags);
// Waits until all processes have come to it; calls that others make meanwhile fail at all of them.
void stop();
// Before the stop at the end of the interpreter, under its lock: calls that are under way end as soon as they
// can, and no other begins. False in a forked process, which has nothing to stop.
bool announce_end();
void require_no_end();  // throws after the announcement

bool started();
// The number of the session, from 1 on. Objects of other sessions are gone.
std::uint64_t generation();
int process();
int processes();
int cores_of_job();

// Throws if this process was forked from one with a job.
void require_not_forked();

// The function is called regularly while a call waits. When it returns true, because a signal's handler has
// thrown, the call ends as soon as its algorithm can, and fails. Set it once, before any call.
void set_interrupted(bool (*asked)());
// For gas::run_options::stop.
const std::atomic<bool>* stop_word();

namespace detail {

// Runs it as a task of this process's first core; one at a time.
void enter(const std::function<void()>& work);
// Does so if no other task is under way in this process; returns whether it did.
bool enter_if_idle(const std::function<void()>& work);

// [task at the first core of a process; suspends] Compares a call with those of the other processes. Core 0
// waits until all have made one, and fails if they differ. It sends them the outcome, and waits until they
// have left.
status await_others(const call& mine);
void tell_others(std::vector<std::byte> told);
void await_leaving();
std::vector<std::byte> follow(const call& mine);
void leave();

// Returns the status or result of work(), or a failure if memory runs out.
template <class Work>
std::invoke_result_t<const Work&> guarded(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return status(exit_status::no_resource, "out of memory");
  }
}

template <class Reply>
status fetch(Reply& reply) {
  return guarded([&reply] { return reply.fetch(), status(); });
}

// [task at core 0; suspends] Frees a reply that nobody will fetch.
template <class Reply>
void discard(Reply& reply) {
  if constexpr (requires { reply.discard(); }) {
    reply.discard();
  } else {
    reply.release();
  }
}

// [task at the first core of a process; suspends; collective over the processes] See together().
template <class Reply, class Work>
result<Reply> take_part(const call& mine, const Work& work) {
  if (process() > 0) {
    std::pair<int, std::string> failure;
    Reply reply;
    const std::vector<std::byte> told = follow(mine);
    messages::unpacker archive(told);
    archive(failure);
    status outcome(static_cast<exit_status>(failure.first), failure.second);
    if (outcome.ok()) {
      archive(reply);
      outcome = fetch(reply);
    }
    leave();
    return outcome.ok() ? result<Reply>(std::move(reply)) : result<Reply>(outcome);
  }
  const status others = await_others(mine);
  result<Reply> outcome = others.ok() ? guarded(work) : result<Reply>(others);
  const status failure = outcome.status();
  if (processes() > 1) {
    messages::packer archive;
    archive(std::pair(static_cast<int>(failure.code()), failure.message()));
    if (failure.ok()) archive(outcome.value());
    tell_others(archive.take());
  }
  const status fetched = failure.ok() ? fetch(outcome.value()) : failure;
  await_leaving();
  if (failure.ok()) outcome.value().release();
  if (!fetched.ok()) return fetched;
  return outcome;
}

}  // namespace detail

// Collective over the processes. The work, a task of core 0, returns `result<Reply>`, and every process gets
// the same. Each process fetches large parts of it by Reply::fetch(), until core 0 calls Reply::release().
// Fails with misuse at all processes if their calls differ, or if process 0's was interrupted.
template <class Work, class Reply = std::decay_t<decltype(std::declval<Work&>()().value())>>
Reply together(const call& mine, const Work& work) {
  std::optional<result<Reply>> outcome;
  detail::enter([&] {
    outcome = detail::take_part<Reply>(mine, [&] {
      result<Reply> found = work();
      if (!found.ok() || !stop_word()->load(std::memory_order_relaxed)) return found;
      detail::discard(found.value());
      return result<Reply>(status(exit_status::misuse, "the call was interrupted"));
    });
  });
  if (!outcome->ok()) throw job_error(outcome->status());
  return std::move(*outcome).value();
}

}  // namespace orujo::internal::python
