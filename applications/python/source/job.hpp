// The interpreter's job: its session, and calls in which all of its processes take part.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/base/status.hpp"
#include "system/messages/pack.hpp"

namespace orujo::python {

// Any thread of the interpreter, without its lock, calls these; all throw job_error.
//
// Collective over the processes. Flags are as on a command line.
void start(const std::vector<std::string>& flags);
void stop();

bool started();
// Which session it is, from 1 on; what belongs to another is gone.
std::uint64_t generation();
int process();
int processes();
int cores_of_job();

// Asked now and then while a call waits, until it says that a signal's handler has thrown: then the call ends
// as soon as its algorithm can. Set once, before any call.
void set_interrupted(bool (*asked)());
// For gas::run_options::stop.
const std::atomic<bool>* stop_word();

namespace detail {

// Runs it as a task of this process's first core; one at a time.
void enter(const std::function<void()>& work);
// The same where no other is under way in this process; whether it did.
bool enter_if_idle(const std::function<void()>& work);

// [task at the first core of a process; suspends] A call as the processes see it. Core 0 waits until all have
// come to it, under the same name, tells them what it came to, and waits until they have left.
status await_others(const std::string& name);
void tell_others(std::vector<std::byte> told);
void await_leaving();
std::vector<std::byte> follow(const std::string& name);
void leave();

template <class Reply, class Work>
result<Reply> guarded(const Work& work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return status(exit_status::no_resource, "out of memory");
  }
}

}  // namespace detail

// Collective over the processes: work(), a task of core 0, returns result<Reply>, and every process gets the
// same. What is large of it, each fetches by Reply::fetch(), until core 0 calls Reply::release().
template <class Work, class Reply = std::decay_t<decltype(std::declval<Work&>()().value())>>
Reply together(const std::string& name, const Work& work) {
  std::optional<result<Reply>> outcome;
  detail::enter([&] {
    if (process() > 0) {
      std::pair<int, std::string> failure;
      Reply reply;
      const std::vector<std::byte> told = detail::follow(name);
      messages::unpacker archive(told);
      archive(failure);
      if (failure.first != 0) {
        outcome = status(static_cast<exit_status>(failure.first), failure.second);
      } else {
        archive(reply);
        reply.fetch();
        outcome = std::move(reply);
      }
      return detail::leave();
    }
    const status others = detail::await_others(name);
    outcome = others.ok() ? detail::guarded<Reply>(work) : result<Reply>(others);
    const status failure = outcome->status();
    if (processes() > 1) {
      messages::packer archive;
      archive(std::pair(static_cast<int>(failure.code()), failure.message()));
      if (failure.ok()) archive(outcome->value());
      detail::tell_others(archive.take());
    }
    if (failure.ok()) outcome->value().fetch();
    detail::await_leaving();
    if (failure.ok()) outcome->value().release();
  });
  if (!outcome->ok()) throw job_error(outcome->status());
  return std::move(*outcome).value();
}

}  // namespace orujo::python
