// Values that are still to come: from a delegate, or from whoever was given the promise.
#pragma once

#include <type_traits>

#include "system/base/check.hpp"
#include "system/delegates/delegate.hpp"

namespace orujo::delegates {

template <class T>
class future;

// The other end of a future; can travel. It is kept once, by one copy.
template <class T>
class promise {
 public:
  // [task or handler, at any core] Gives the future its value. One message unless the future is this core's.
  void keep(const T& value) const {
    static_assert(messages::can_travel<T>, "the value of a promise must be trivially copyable");
    messenger::here().send(core_, [to = to_, value] { to->keep(value); });
  }

 private:
  friend class future<T>;
  promise(core_id core, future<T>* to) : core_(core), to_(to) {}
  core_id core_;
  future<T>* to_;
};

// [task] Belongs to the core that made it and stays where it is. When a promise of it has been given out, it
// must be kept before the future can end: the destructor waits for it.
template <class T>
class future {
 public:
  future() = default;
  future(const future&) = delete;
  // [task; suspends] until the promise is kept, if there is one.
  ~future() {
    if (promised_) value_.read_when_full(reason);
  }

  // A misuse where there is one already.
  promise<T> make_promise(const call_site& at = call_site::current()) {
    require(!promised_, "a future has one promise, and this is the second", at);
    promised_ = true;
    return promise<T>(my_core(), this);
  }

  bool ready() const { return value_.full(); }
  // [task; suspends] The value, as often as wanted.
  const T& get(const call_site& at = call_site::current()) {
    require(promised_, "waiting for a value that nobody has promised: make_promise() or async_call()", at);
    return value_.read_when_full(reason);
  }

 private:
  friend class promise<T>;
  void keep(const T& value) {
    require(!value_.full(), "a promise kept twice: only one copy of it may keep it");
    value_.write_full(value);
  }

  static constexpr const char* reason = "the value of a future";
  tasks::full_empty<T> value_;
  bool promised_ = false;
};

// What a call without a result promises: that it has been run.
struct nothing {};

// [task; the future's end suspends] Runs f at `core` some time, in a message handler; its result is the
// future's value:
//   auto there = async_call(core, [=] { return *address.local(); });  ...  use(there.get());
// The future must not outlive the task or object that it is part of. Costs one message each way. In a handler
// it is a misuse: async_call(event, core, f) is for those.
template <class F>
auto async_call(core_id core, const F& f, const call_site& at = call_site::current()) {
  detail::require_core(core, at);
  require(tasks::scheduler::here()->may_suspend(),
          "a message handler cannot wait for a future: it has async_call(event, core, f)", at);
  using value = std::invoke_result_t<const F&>;
  using kept = std::conditional_t<std::is_void_v<value>, nothing, value>;
  struct called : future<kept> {
    called(core_id at, const F& function) {
      messenger::here().send(at, [answer = this->make_promise(), function] {
        if constexpr (std::is_void_v<value>) {
          function();
          answer.keep({});
        } else {
          answer.keep(function());
        }
      });
    }
  };
  return called(core, f);
}

}  // namespace orujo::delegates
