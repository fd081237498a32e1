// Random increments of a table over all cores, in our ways and in special programs (those with MPI in
// random_updates_mpi_bench.cpp). All draw the same kind of numbers and update the same table. They send 8
// bytes per update, ours also 4. items_per_second is over the whole job.
//   bin/orujo bench -c 2 --filter=increments        two cores of a locale
//   bin/orujo bench -n 2 -c 1 --filter=increments   two locales
#include <array>
#include <atomic>
#include <memory>

#include "applications/messaging/random_updates.hpp"
#include "tests/applications/messaging/updates_bench.hpp"

namespace orujo::internal::messaging {
namespace {

template <std::size_t Bytes>
void increments_by_delegates(benchmark::State& state) {
  const word_table table = table_of(std::size_t{1} << state.range(0));
  std::uint64_t seed = 0;
  for (auto _ : state) {
    delegates::completion_event updated;
    const double begun = now();
    loops::on_all_cores(
        [=, event = updated.ref(), d = draws{++seed, updates}] { send_increments<Bytes>(event, table, d); });
    updated.wait();
    state.SetIterationTime(now() - begun);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(updates));
}

ORUJO_TABLES(increments_by_delegates<smallest_increment>);
ORUJO_TABLES(increments_by_delegates<8>);

// No exchange: each core increments its own part only, which is the limit of the memory.
void increments_of_own_part(benchmark::State& state) {
  measure(state, updates, [](word_table table, const draws& d) {
    const part mine = part_here(table);
    random_stream random = d.stream_of(my_core());
    collectives::barrier();
    const double begun = now();
    for (std::size_t left = d.count_of(my_core()); left > 0; --left)
      ++mine.words[random() & (mine.count - 1)];
    return now() - begun;
  });
}

ORUJO_TABLES(increments_of_own_part);

// Two threads of one process hand each other batches of indices by pointer, through a ring each way.
struct batch {
  std::size_t count = 0;
  std::unique_ptr<word[]> indices;
};

class batch_ring {
 public:
  static constexpr unsigned slots = 64;
  void push(batch* b) {  // never full: there are fewer batches than slots
    const unsigned at = end_.load(std::memory_order_relaxed);
    slots_[at % slots] = b;
    end_.store(at + 1, std::memory_order_release);
  }
  batch* pop() {
    const unsigned at = begin_;
    if (at == end_.load(std::memory_order_acquire)) return nullptr;
    ++begin_;
    return slots_[at % slots];
  }

 private:
  std::array<batch*, slots> slots_{};
  alignas(64) unsigned begin_ = 0;
  alignas(64) std::atomic<unsigned> end_{0};
};

// By thread: the batches for it, and its own that come back.
struct exchange_end {
  batch_ring inbox, returned;
  alignas(64) std::atomic<bool> last_sent{false};
};
using exchange_ends = std::array<exchange_end, 2>;

class batch_exchange {
 public:
  batch_exchange(exchange_ends& ends, int me, part mine, std::size_t batch_words)
      : me_(ends[static_cast<std::size_t>(me)]),
        other_(ends[static_cast<std::size_t>(1 - me)]),
        number_(static_cast<word>(me)),
        mine_(mine),
        batch_words_(batch_words) {
    for (batch& b : own_) {
      b.indices = std::make_unique<word[]>(batch_words);
      me_.returned.push(&b);
    }
  }

  void run(random_stream random, std::size_t count) {
    batch* open = take_free();
    word* next = open->indices.get();
    const word* end = next + batch_words_;
    for (; count > 0; --count) {
      const word drawn = random();
      const word at = (drawn >> 1) & (mine_.count - 1);
      if ((drawn & 1) == number_) {
        ++mine_.words[at];
        continue;
      }
      *next++ = at;
      if (next != end) continue;
      send(open, batch_words_);
      open = take_free();
      next = open->indices.get();
      end = next + batch_words_;
    }
    send(open, static_cast<std::size_t>(next - open->indices.get()));
    other_.last_sent.store(true, std::memory_order_release);
    while (!me_.last_sent.load(std::memory_order_acquire)) handle_arrived();
    handle_arrived();
  }

 private:
  void send(batch* b, std::size_t count) {
    b->count = count;
    other_.inbox.push(b);
    handle_arrived();
  }
  void handle_arrived() {
    while (batch* b = me_.inbox.pop()) {
      const word* at = b->indices.get();
      for (const word* const end = at + b->count; at < end; ++at) ++mine_.words[*at];
      other_.returned.push(b);
    }
  }
  batch* take_free() {
    for (;;) {
      if (batch* b = me_.returned.pop()) return b;
      handle_arrived();
    }
  }

  exchange_end &me_, &other_;
  const word number_;
  const part mine_;
  const std::size_t batch_words_;
  std::array<batch, 16> own_;
};

void increments_by_two_threads_and_batches(benchmark::State& state) {
  if (cores() != 2 || locales() != 1) return state.SkipWithError("needs one locale of two cores: -c 2");
  const auto batch_words = static_cast<std::size_t>(state.range(1)) / sizeof(word);
  std::unique_ptr<exchange_ends> ends;
  measure(state, updates, [&ends, batch_words](word_table table, const draws& d) {
    if (my_core() == 0) ends = std::make_unique<exchange_ends>();
    collectives::barrier();
    batch_exchange exchange(*ends, my_core(), part_here(table), batch_words);
    collectives::barrier();
    const double begun = now();
    exchange.run(d.stream_of(my_core()), d.count_of(my_core()));
    const double took = now() - begun;
    collectives::barrier();  // the other may still hold batches
    return took;
  });
}

ORUJO_TABLES_AND_BYTES(increments_by_two_threads_and_batches, 4 << 10, 32 << 10);

}  // namespace
}  // namespace orujo::internal::messaging
