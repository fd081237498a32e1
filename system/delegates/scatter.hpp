// Sends many small values to many cores: gathered per destination, handed over as spans.
#pragma once

#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "system/delegates/delegate.hpp"

namespace orujo::internal::delegates {

// Receives at the end of a vector.
template <class T>
struct append_to {
  using value = T;
  std::vector<T>* to;
  void operator()(std::span<const T> values) const { to->insert(to->end(), values.begin(), values.end()); }
};

// Sends many small values to many cores, gathered per destination. One task of one core uses it. `Receive` is
// a closure that can travel. The destination calls it in a message handler as receive(std::span<const T>),
// with the values in the order pushed, where T is Receive::value. Costs sizeof(T) bytes per value.
template <class Receive>
class scatter {
  using T = typename Receive::value;

 public:
  // receivers[c] receives the values of core c. All values have been received when the event is complete.
  scatter(event_ref event, std::vector<Receive> receivers) : scatter(std::move(receivers)) { event_ = event; }
  // Without an event. The receivers have to count values to know that all have arrived.
  explicit scatter(std::vector<Receive> receivers)
      : receivers_(std::move(receivers)), waiting_(receivers_.size()) {}

  // [task; may suspend] Adds a value for core `to`. Suspends as async_call does.
  void push(core_id to, const T& value) {
    std::vector<T>& values = waiting_[to];
    values.push_back(value);
    if (values.size() == batch) send(to);
  }

  // [task; may suspend] Sends the values that still wait. Call it before you wait for the event.
  void flush() {
    for (core_id c = 0; c < cores(); ++c) {
      if (!waiting_[c].empty()) send(c);
    }
  }

 private:
  struct unpack {
    Receive receive;
    void operator()(std::span<const std::byte> bytes) const {
      receive(std::span(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)));
    }
  };
  static constexpr std::size_t batch = messenger::max_payload_bytes(sizeof(unpack)) / sizeof(T);
  static_assert(std::is_trivially_copyable_v<T> && batch > 0,
                "values of a scatter are plain and smaller than a block");

  void send(core_id to) {
    std::vector<T>& values = waiting_[to];
    const Receive& receive = receivers_[to];
    if (to == my_core()) {
      tasks::scheduler::here()->run_as_handler([&] { receive(std::span<const T>(values)); });
    } else if (event_) {
      async_call(*event_, to, unpack{receive}, std::as_bytes(std::span(values)));
    } else {
      messages::messenger::here().send_with_payload(to, unpack{receive}, std::as_bytes(std::span(values)));
    }
    values.clear();
  }

  std::optional<event_ref> event_;
  by_core<Receive> receivers_;
  by_core<std::vector<T>> waiting_;
};

}  // namespace orujo::internal::delegates
