// Sends one bit for every mirrored vertex from its owner to the locales that mirror it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "framework/graph/distributed_graph.hpp"
#include "system/loops/collectives.hpp"
#include "system/messages/identity.hpp"

namespace orujo::exchange {

// One core's part; made and used by one task per core. The masks have a bit per local index, own vertices
// first; bit i % 64 of word i / 64 stands for index i. Bits of mirrors are only ever added. Between two
// exchanges there is a collective over the job, so that a peer is never ahead by more than one.
class mirror_bits {
  using word = std::uint64_t;
  static constexpr std::size_t word_bits = 64;

 public:
  // [task; suspends; collective over the job] The masks are the locale's, the same for all its cores.
  mirror_bits(const graph::locale_graph& g, std::array<std::span<word>, 2> masks)
      : part_(g.my_part()), masks_(masks) {
    for (core_id c = 0; c < cores(); ++c) {
      if (shape().locale_of(c) == my_locale() || receiver(c, my_locale()) != my_core()) continue;
      const auto first = std::lower_bound(g.mirrored.begin(), g.mirrored.end(), g.owners.first_of(c));
      const auto last = std::lower_bound(first, g.mirrored.end(), g.owners.last_of(c));
      expected_ += words_for(static_cast<std::size_t>(last - first));
    }
    ends_ = loops::all_gather(end{&arrived_, masks[0].data(), masks[1].data(), g.own});
  }
  // [task; suspends; collective over the job] Nobody may still send here when it goes.
  ~mirror_bits() { loops::barrier(); }
  mirror_bits(const mirror_bits&) = delete;

  // [task; may suspend] Sends the bits that this core's mirrored vertices have in mask m.
  void send(int m) {
    std::array<word, step> packed;
    for (locale_id l = 0; l < locales(); ++l) {
      const graph::mirror_list& list = part_.mirrored_by[static_cast<std::size_t>(l)];
      if (list.vertices.empty()) continue;
      const core_id to = receiver(my_core(), l);
      const end& there = ends_[static_cast<std::size_t>(to)];
      for (std::size_t first = 0; first < list.vertices.size(); first += step * word_bits) {
        const std::size_t last = std::min(first + step * word_bits, list.vertices.size());
        const std::span<const std::uint32_t> vertices(list.vertices.data() + first, last - first);
        const std::size_t words = pack(masks_[static_cast<std::size_t>(m)], vertices, packed);
        messages::messenger::here().send_with_payload(
            to, unpack{there.masks[m], there.own + list.first_mirror + first, there.arrived},
            std::as_bytes(std::span(packed.data(), words)));
      }
      messages::messenger::here().flush(to);
    }
  }

  // [task; suspends] Returns when the bits that this core receives have arrived. Its locale's other cores
  // have theirs only after a barrier.
  void await() {
    while (arrived_.words < expected_)
      tasks::scheduler::here()->suspend(arrived_.waiting, "bits of mirrored vertices");
    arrived_.words -= expected_;
  }

 private:
  struct arrivals {
    std::uint64_t words = 0;
    tasks::wait_queue waiting;
  };
  struct end {
    end() = default;
    end(arrivals* a, word* first, word* second, std::size_t vertices)
        : arrived(a), masks{first, second}, own(vertices) {}
    arrivals* arrived;
    word* masks[2];
    std::size_t own;
  };

  struct unpack {
    word* mask;
    std::size_t first;  // index of the first bit
    arrivals* arrived;

    void operator()(std::span<const std::byte> bytes) const {
      const std::size_t words = bytes.size() / sizeof(word), shift = first % word_bits;
      for (std::size_t k = 0; k < words; ++k) {
        word bits;
        std::memcpy(&bits, bytes.data() + k * sizeof(word), sizeof bits);
        add(first / word_bits + k, bits << shift);
        if (shift != 0) add(first / word_bits + k + 1, bits >> (word_bits - shift));
      }
      arrived->words += words;
      tasks::scheduler::here()->wake_all(arrived->waiting);
    }
    // Lists of two cores may meet within a word.
    void add(std::size_t w, word bits) const {
      if (bits != 0) std::atomic_ref(mask[w]).fetch_or(bits, std::memory_order_relaxed);
    }
  };
  static constexpr std::size_t step = messages::messenger::max_payload_bytes(sizeof(unpack)) / sizeof(word);

  static constexpr std::size_t words_for(std::size_t bits) { return (bits + word_bits - 1) / word_bits; }

  static std::size_t pack(std::span<word> mask, std::span<const std::uint32_t> vertices,
                          std::span<word> into) {
    const std::size_t words = words_for(vertices.size());
    std::fill_n(into.begin(), words, word{0});
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      // A word may end with mirrors, whose bits arrive meanwhile.
      const word bits = std::atomic_ref(mask[vertices[k] / word_bits]).load(std::memory_order_relaxed);
      into[k / word_bits] |= (bits >> vertices[k] % word_bits & 1) << k % word_bits;
    }
    return words;
  }

  // Which of the cores of locale l unpacks what core c sends there.
  static core_id receiver(core_id c, locale_id l) {
    return shape().first_core_of(l) + c % shape().cores_of(l);
  }

  const graph::core_part& part_;
  const std::array<std::span<word>, 2> masks_;
  std::vector<end> ends_;  // by core
  std::uint64_t expected_ = 0;
  arrivals arrived_;
};

}  // namespace orujo::exchange
