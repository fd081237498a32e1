// Values that are still to come, from a delegate or from the holder of a promise.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/base/check.hpp"
#include "system/delegates/delegate.hpp"
#include "system/tasks/check_closure.hpp"

namespace orujo::internal::delegates {

template <class T>
class future;

// The value of a call without a result, which shows only that the call has run.
struct nothing {};

namespace detail {

// Where a value arrives; of one core. Lives until it has both arrived and been let go of by its future.
template <class T>
class arrival {
 public:
  static constexpr const char* reason = "the value of a future";

  bool here() const { return value_.has_value(); }
  T& wait() {
    while (!value_) tasks::scheduler::here()->suspend(waiting_, reason);
    return *value_;
  }
  void keep(T value) {
    require(!value_, "a promise kept twice: only one copy of it may keep it");
    value_ = std::move(value);
    tasks::scheduler::here()->wake_all(waiting_);
    if (next_) next_(*value_);
    if (!held_) delete this;
  }
  // Calls next(T&) when the value is here.
  void then(std::function<void(T&)> next) {
    if (value_) return next(*value_);
    next_ = std::move(next);
  }
  void promise(const call_site& at) {
    require(!promised_, "a future has one promise, and this is the second", at);
    promised_ = true;
  }
  bool promised() const { return promised_; }
  void let_go() {
    held_ = false;
    if (value_ || !promised_) delete this;
  }

 private:
  std::optional<T> value_;
  std::function<void(T&)> next_;
  tasks::wait_queue waiting_;
  bool held_ = true, promised_ = false;
};

template <class T>
struct let_go {
  void operator()(arrival<T>* at) const { at->let_go(); }
};

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<future<T>> = true;

// The type of the future of a call of f. A void result becomes nothing. A result that is a future is
// unwrapped.
template <class R>
struct future_of {
  using type = future<R>;
};
template <>
struct future_of<void> {
  using type = future<nothing>;
};
template <class T>
struct future_of<future<T>> {
  using type = future<T>;
};

}  // namespace detail

// The end of a future that gives it its value. It can travel to another core. One copy of it is kept, once. A
// T that can neither travel nor be packed is kept at the future's core.
template <class T>
class promise {
 public:
  // [task or handler] Gives the future its value. Costs one message unless the future is this core's. Keeping
  // a promise twice is a misuse.
  void keep(T value, [[maybe_unused]] const call_site& at = call_site::current()) const {
    if constexpr (messages::can_travel<T>) {
      messenger::here().send(core_, [to = to_, value] { to->keep(value); });
    } else if (core_ == my_core()) {
      to_->keep(std::move(value));
    } else if constexpr (messages::can_pack<T>) {
      const auto arrive = [to = to_](std::span<const std::byte> packed) {
        to->keep(messages::unpack<T>(packed));
      };
      detail::send_packed(core_, arrive, messages::pack(value));
    } else {
      base::misuse("a value that cannot be packed (messages/pack.hpp) is kept where its future is", at);
    }
  }

 private:
  friend class future<T>;
  promise(core_id core, detail::arrival<T>* to) : core_(core), to_(to) {}
  core_id core_;
  detail::arrival<T>* to_;
};

// A value that arrives later, from a delegate or from the holder of the promise. It belongs to the core that
// made it, where tasks and handlers may move, store and destroy it; a value that arrives afterwards is
// dropped. T is any type; a value from another core can travel or be packed, as a delegate's result.
template <class T>
class future {
 public:
  future() : value_(new detail::arrival<T>) {}

  // [task or handler] The promise, which can be taken once and has to be kept, or memory leaks. Taking a
  // second one is a misuse.
  promise<T> make_promise(const call_site& at = call_site::current()) {
    value_->promise(at);
    return promise<T>(my_core(), value_.get());
  }

  // [task or handler] Whether the value has arrived.
  bool ready() const { return value_->here(); }
  // [task; suspends] Waits for the value. May be called any number of times. Without a promise it is a
  // misuse.
  T& get(const call_site& at = call_site::current()) {
    require(value_->promised(), "waiting for a value that has no promise: make_promise() or async_call()",
            at);
    return value_->wait();
  }

  // [task or handler] Calls next(T&) when the value is there: at once, or in the message handler that brings
  // it. It must not suspend, but may spawn a task. Returns the future of its result; if that is a future
  // itself, of that one's value. This future is used up.
  template <class F>
  auto then(F next, const call_site& at = call_site::current()) && {
    require(value_->promised(), "waiting for a value that has no promise: make_promise() or async_call()",
            at);
    using result = std::invoke_result_t<F&, T&>;
    typename detail::future_of<result>::type after;
    after.value_->promise(at);
    std::move(*this).value_->then([next = std::move(next), to = after.value_.get()](T& value) mutable {
      if constexpr (std::is_void_v<result>) {
        next(value);
        to->keep({});
      } else if constexpr (detail::is_future<result>) {
        next(value).value_->then([to](auto& inner) { to->keep(std::move(inner)); });
      } else {
        to->keep(next(value));
      }
    });
    value_.reset();
    return after;
  }

 private:
  template <class U>
  friend class future;
  std::unique_ptr<detail::arrival<T>, detail::let_go<T>> value_;
};

// [task or handler] Runs f at `core` in a message handler, and does not wait; f's result becomes the future's
// value:
//   auto there = async_call(core, [=] { return *address.local(); });  ...  use(there.get());
// f has to be able to travel, and must not suspend. Costs one message each way, and an allocation.
template <class F>
auto async_call(core_id core, const F& f, const call_site& at = call_site::current()) {
  detail::require_core(core, at);
  tasks::check_closure(f, at);
  using value = std::invoke_result_t<const F&>;
  using kept = std::conditional_t<std::is_void_v<value>, nothing, value>;
  detail::check_result<kept>();
  future<kept> called;
  messenger::here().send(core, [answer = called.make_promise(at), f] {
    if constexpr (std::is_void_v<value>) {
      f();
      answer.keep({});
    } else {
      answer.keep(f());
    }
  });
  return called;
}

// [task or handler] As async_call above, for f(values...) with copies of the values, as in call.
template <class F, class... T>
  requires detail::values<T...>
auto async_call(detail::target to, const F& f, const T&... values) {
  const auto run = detail::taking(to, f, values...);
  using value = std::invoke_result_t<const F&, std::decay_t<T>...>;
  using kept = std::conditional_t<std::is_void_v<value>, nothing, value>;
  detail::check_result<kept>();
  future<kept> called;
  const auto arrive = [run, answer = called.make_promise(to.at)](std::span<const std::byte> packed) {
    if constexpr (std::is_void_v<value>) {
      run(packed);
      answer.keep({});
    } else {
      answer.keep(run(packed));
    }
  };
  detail::send_packed(to.core, arrive, messages::pack(values...));
  return called;
}

// [task or handler] The future of all values, in the order of the futures, which are used up. It is ready
// when the last value has arrived.
template <class T>
future<std::vector<T>> when_all(std::vector<future<T>> all) {
  struct gathered {
    std::vector<std::optional<T>> values;
    std::size_t missing;
  };
  const auto found =
      std::make_shared<gathered>(gathered{std::vector<std::optional<T>>(all.size()), all.size()});
  future<std::vector<T>> whole;
  const auto hand_over = [found, promise = whole.make_promise()] {
    std::vector<T> values;
    for (std::optional<T>& value : found->values) values.push_back(std::move(*value));
    promise.keep(std::move(values));
  };
  if (all.empty()) hand_over();
  for (std::size_t k = 0; k < all.size(); ++k) {
    std::move(all[k]).then([found, k, hand_over](T& value) {
      found->values[k] = std::move(value);
      if (--found->missing == 0) hand_over();
    });
  }
  return whole;
}

// [task or handler] As when_all above, for futures of different types.
template <class... T>
future<std::tuple<T...>> when_all(future<T>... all) {
  struct gathered {
    std::tuple<std::optional<T>...> values;
    std::size_t missing = sizeof...(T);
  };
  const auto found = std::make_shared<gathered>();
  future<std::tuple<T...>> whole;
  const auto hand_over = [found, promise = whole.make_promise()] {
    std::apply([&](auto&... value) { promise.keep(std::tuple<T...>(std::move(*value)...)); }, found->values);
  };
  if constexpr (sizeof...(T) == 0) hand_over();
  [&]<std::size_t... K>(std::index_sequence<K...>) {
    (std::move(all).then([found, hand_over](T& value) {
      std::get<K>(found->values) = std::move(value);
      if (--found->missing == 0) hand_over();
    }),
     ...);
  }
  (std::index_sequence_for<T...>());
  return whole;
}

}  // namespace orujo::internal::delegates
