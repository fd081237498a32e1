// Sends new values of mirrored vertices from their owners to the locales that mirror them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/messages/identity.hpp"

namespace orujo::exchange {

// One core's part; made and used by one task per core. Values lie in two buffers per locale, indexed by local
// index, of which a superstep reads one and fills the other: a peer that is a superstep ahead does not
// disturb those who still read. (It cannot be two ahead: every superstep ends with a collective.) Costs
// sizeof(T) bytes per mirror.
template <class T>
class mirror_exchange {
 public:
  // [task; suspends; collective over the job] The buffers are the locale's, the same for all its cores.
  mirror_exchange(const graph::locale_graph& g, std::array<std::span<T>, 2> buffers)
      : part_(g.my_part()), buffers_(buffers) {
    for (core_id c = 0; c < cores(); ++c) {
      if (shape().locale_of(c) == my_locale() || receiver(c, my_locale()) != my_core()) continue;
      const auto first = std::lower_bound(g.mirrored.begin(), g.mirrored.end(), g.owners.first_of(c));
      const auto last = std::lower_bound(first, g.mirrored.end(), g.owners.last_of(c));
      expected_ += static_cast<std::uint64_t>(last - first);
    }
    end here{&arrivals_[0], &arrivals_[1], buffers[0].data() + g.own, buffers[1].data() + g.own};
    ends_ = loops::all_gather(here);
  }
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~mirror_exchange() { loops::barrier(); }
  mirror_exchange(const mirror_exchange&) = delete;

  // [task; may suspend] Sends this core's mirrored values of buffer b.
  void send(int b) {
    constexpr std::size_t step = messages::messenger::max_payload_bytes(2 * sizeof(void*)) / sizeof(T);
    const std::span<const T> values = buffers_[static_cast<std::size_t>(b)];
    std::array<T, step> packed;
    for (locale_id l = 0; l < locales(); ++l) {
      const graph::mirror_list& list = part_.mirrored_by[static_cast<std::size_t>(l)];
      if (list.vertices.empty()) continue;
      const core_id to = receiver(my_core(), l);
      const end& there = ends_[static_cast<std::size_t>(to)];
      for (std::size_t first = 0; first < list.vertices.size(); first += step) {
        const std::size_t count = std::min(step, list.vertices.size() - first);
        for (std::size_t k = 0; k < count; ++k) packed[k] = values[list.vertices[first + k]];
        messages::messenger::here().send_with_payload(
            to, unpack{there.mirrors[b] + list.first_mirror + first, there.arrived[b]},
            std::as_bytes(std::span(packed.data(), count)));
      }
    }
  }

  // [task; suspends] Returns when the values that this core receives have arrived in buffer b. Its locale's
  // other cores have theirs only after a barrier.
  void await(int b) {
    arrivals& arrived = arrivals_[static_cast<std::size_t>(b)];
    while (arrived.values < expected_)
      tasks::scheduler::here()->suspend(arrived.waiting, "values of mirrored vertices");
    arrived.values -= expected_;
  }

 private:
  struct arrivals {
    std::uint64_t values = 0;
    tasks::wait_queue waiting;
  };
  struct end {
    end() = default;
    end(arrivals* a, arrivals* b, T* into_a, T* into_b) : arrived{a, b}, mirrors{into_a, into_b} {}
    arrivals* arrived[2];
    T* mirrors[2];
  };
  struct unpack {
    T* into;
    arrivals* arrived;
    void operator()(std::span<const std::byte> values) const {
      std::memcpy(into, values.data(), values.size());
      arrived->values += values.size() / sizeof(T);
      tasks::scheduler::here()->wake_all(arrived->waiting);
    }
  };

  // Which of the cores of locale l unpacks what core c sends there.
  static core_id receiver(core_id c, locale_id l) {
    return shape().first_core_of(l) + c % shape().cores_of(l);
  }

  const graph::core_part& part_;
  const std::array<std::span<T>, 2> buffers_;
  std::vector<end> ends_;  // by core
  std::uint64_t expected_ = 0;
  std::array<arrivals, 2> arrivals_;
};

}  // namespace orujo::exchange
