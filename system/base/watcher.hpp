// Helper threads: they check something now and then, beside the cores.
#pragma once

#include <signal.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "system/base/thread_state.hpp"

namespace orujo::internal::base {

// Starts a thread that takes no signals, which are for the cores.
template <class F>
std::thread thread_without_signals(const F& body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread made(body);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return made;
}

// A thread without signals that calls check() again and again: first after `first`, then after the pause
// that check() returned. It fails in the name of the locale `me`, or of none if that is -1.
class watcher {
 public:
  using duration = std::chrono::nanoseconds;

  watcher(locale_id me, duration first, std::function<duration()> check)
      : check_(std::move(check)), thread_(thread_without_signals([this, me, first] {
          set_identity(me, -1);
          watch(first);
        })) {}
  watcher(const watcher&) = delete;
  // Waits for a check that is under way.
  ~watcher() {
    {
      const std::lock_guard held(lock_);
      ending_ = true;
    }
    ends_.notify_one();
    thread_.join();
  }

 private:
  void watch(duration pause) {
    for (std::unique_lock held(lock_); !ends_.wait_for(held, pause, [this] { return ending_; });) {
      held.unlock();
      pause = check_();
      held.lock();
    }
  }

  const std::function<duration()> check_;
  std::mutex lock_;
  std::condition_variable ends_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace orujo::internal::base
