// Random increments by plain MPI, for two locales or more of one core each: a loop of MPI_Alltoallv over
// batches, a message per update, and MPI_Accumulate. Beside them ours: random_updates_bench.cpp.
//   bin/orujo bench -n 2 -c 1 --filter=increments
#include <algorithm>
#include <array>
#include <vector>

#include "tests/applications/messaging/mpi_batches.hpp"
#include "tests/applications/messaging/updates_bench.hpp"
#include "tests/mpi_reference.hpp"

namespace orujo::internal::messaging {
namespace {

struct mpi_part {
  part mine = {};
  int rank = 0, ranks = 1;

  explicit mpi_part(word_table table) : mine(part_here(table)) {
    MPI_Comm_rank(reference_world(), &rank);
    MPI_Comm_size(reference_world(), &ranks);
  }
  int owner(word drawn) const { return static_cast<int>((drawn >> 32) % static_cast<unsigned>(ranks)); }
  word index(word drawn) const { return drawn & (mine.count - 1); }
};

// Everyone gathers indices of 4 bytes, its own, too, until the buffer for one rank is full; then all exchange
// what they have.
class alltoallv_exchange {
 public:
  alltoallv_exchange(const mpi_part& p, std::size_t bytes_per_peer)
      : p_(p),
        capacity_(bytes_per_peer / sizeof(std::uint32_t)),
        ranks_(static_cast<std::size_t>(p.ranks)),
        out_(ranks_ * capacity_),
        in_(ranks_ * capacity_),
        counts_(2 * ranks_),
        incoming_(2 * ranks_),
        sizes_(ranks_),
        arriving_(ranks_),
        places_(ranks_) {
    for (std::size_t k = 0; k < ranks_; ++k) places_[k] = static_cast<int>(k * capacity_);
  }

  void run(random_stream random, std::size_t count) {
    for (bool all_done = false; !all_done;) {
      std::fill(sizes_.begin(), sizes_.end(), 0);
      for (bool full = false; count > 0 && !full; --count) {
        const word drawn = random();
        const auto k = static_cast<std::size_t>(p_.owner(drawn));
        out_[k * capacity_ + static_cast<std::size_t>(sizes_[k]++)] =
            static_cast<std::uint32_t>(p_.index(drawn));
        full = static_cast<std::size_t>(sizes_[k]) == capacity_;
      }
      all_done = exchange(count == 0);
    }
  }

 private:
  // Sends each peer the number of its indices and whether they are the last, then the indices. True if no
  // rank has more.
  bool exchange(bool last) {
    for (std::size_t k = 0; k < ranks_; ++k) {
      counts_[2 * k] = sizes_[k];
      counts_[2 * k + 1] = last;
    }
    const auto own = static_cast<std::size_t>(p_.rank);
    increment(out_.data() + own * capacity_, sizes_[own]);
    sizes_[own] = counts_[2 * own] = 0;
    MPI_Alltoall(counts_.data(), 2, MPI_INT, incoming_.data(), 2, MPI_INT, reference_world());
    bool all_done = true;
    for (std::size_t k = 0; k < ranks_; ++k) {
      arriving_[k] = incoming_[2 * k];
      all_done = all_done && incoming_[2 * k + 1];
    }
    MPI_Alltoallv(out_.data(), sizes_.data(), places_.data(), MPI_UINT32_T, in_.data(), arriving_.data(),
                  places_.data(), MPI_UINT32_T, reference_world());
    for (std::size_t k = 0; k < ranks_; ++k) {
      increment(in_.data() + k * capacity_, arriving_[k]);
    }
    return all_done;
  }
  void increment(const std::uint32_t* places, int count) const {
    word* const words = p_.mine.words;
    for_each_fetched(
        std::span<const std::uint32_t>(places, static_cast<std::size_t>(count)),
        [words](std::uint32_t at) { __builtin_prefetch(words + at, 1); },
        [words](std::uint32_t at) { ++words[at]; });
  }

  const mpi_part p_;
  const std::size_t capacity_, ranks_;
  std::vector<std::uint32_t> out_, in_;
  std::vector<int> counts_, incoming_, sizes_, arriving_, places_;
};

void increments_by_mpi_alltoallv(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  measure(state, updates,
          [bytes = static_cast<std::size_t>(state.range(1))](word_table table, const draws& d) {
            alltoallv_exchange exchange(mpi_part(table), bytes);
            return seconds_within_mpi([&] { exchange.run(d.stream_of(my_core()), d.count_of(my_core())); });
          });
}

// One message per update: a window of sends under way, and of receives posted.
class isend_exchange {
 public:
  isend_exchange(const mpi_part& p, std::uint64_t expected) : p_(p), expected_(expected) {
    for (std::size_t k = 0; k < window; ++k) {
      sending_[k] = MPI_REQUEST_NULL;
      post(k);
    }
  }
  ~isend_exchange() {
    for (MPI_Request& request : receiving_) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
  }

  void run(random_stream random, std::size_t count) {
    for (; count > 0; --count) {
      const word drawn = random();
      const int to = p_.owner(drawn);
      if (to == p_.rank) {
        ++p_.mine.words[p_.index(drawn)];
        continue;
      }
      while (!sent(next_send_)) handle_arrived();
      out_[next_send_] = p_.index(drawn);
      MPI_Isend(&out_[next_send_], 1, MPI_UINT64_T, to, 0, reference_world(), &sending_[next_send_]);
      next_send_ = (next_send_ + 1) % window;
      if (next_send_ % 16 == 0) handle_arrived();
    }
    for (std::size_t k = 0; k < window; ++k) {
      while (!sent(k)) handle_arrived();
    }
    while (received_ < expected_) handle_arrived();
  }

 private:
  static constexpr std::size_t window = 256;
  bool sent(std::size_t k) {
    int done = 0;
    MPI_Test(&sending_[k], &done, MPI_STATUS_IGNORE);
    return done;
  }
  void post(std::size_t k) {
    MPI_Irecv(&in_[k], 1, MPI_UINT64_T, MPI_ANY_SOURCE, 0, reference_world(), &receiving_[k]);
  }
  // Receives are matched in the order posted.
  void handle_arrived() {
    for (int done = 1; done;) {
      MPI_Test(&receiving_[next_receive_], &done, MPI_STATUS_IGNORE);
      if (!done) return;
      ++p_.mine.words[in_[next_receive_]];
      post(next_receive_);
      next_receive_ = (next_receive_ + 1) % window;
      ++received_;
    }
  }
  const mpi_part p_;
  std::array<word, window> out_{}, in_{};
  std::array<MPI_Request, window> sending_, receiving_;
  std::size_t next_send_ = 0, next_receive_ = 0;
  const std::uint64_t expected_;  // from all others
  std::uint64_t received_ = 0;
};

// Number of d's numbers that the others draw for this rank, computed beforehand, so that the end costs
// nothing.
std::uint64_t expected_from_others(const mpi_part& p, const draws& d) {
  std::uint64_t expected = 0;
  for (int r = 0; r < p.ranks; ++r) {
    random_stream random = d.stream_of(r);
    for (std::size_t left = r == p.rank ? 0 : d.count_of(r); left > 0; --left) {
      expected += p.owner(random()) == p.rank;
    }
  }
  return expected;
}

void increments_by_mpi_isend_each(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  measure(state, updates / 20, [](word_table table, const draws& d) {
    const mpi_part p(table);
    isend_exchange exchange(p, expected_from_others(p, d));
    return seconds_within_mpi([&] { exchange.run(d.stream_of(my_core()), d.count_of(my_core())); });
  });
}

void increments_by_mpi_accumulate(benchmark::State& state) {
  if (lacks_mpi(state)) return;
  measure(state, updates / 20, [](word_table table, const draws& d) {
    const mpi_part p(table);
    MPI_Win window;
    MPI_Win_create(p.mine.words, static_cast<MPI_Aint>(p.mine.count * sizeof(word)), sizeof(word),
                   MPI_INFO_NULL, reference_world(), &window);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    const double took = seconds_within_mpi([&] {
      random_stream random = d.stream_of(my_core());
      const word one = 1;
      for (std::size_t left = d.count_of(my_core()); left > 0; --left) {
        const word drawn = random();
        MPI_Accumulate(&one, 1, MPI_UINT64_T, p.owner(drawn), static_cast<MPI_Aint>(p.index(drawn)), 1,
                       MPI_UINT64_T, MPI_SUM, window);
        if (left % 1024 == 0) MPI_Win_flush_local_all(window);
      }
      MPI_Win_flush_all(window);
    });
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    return took;
  });
}

ORUJO_TABLES_AND_BYTES(increments_by_mpi_alltoallv, 8 << 10, 64 << 10);
ORUJO_TABLES(increments_by_mpi_isend_each);
ORUJO_TABLES(increments_by_mpi_accumulate);

}  // namespace
}  // namespace orujo::internal::messaging
