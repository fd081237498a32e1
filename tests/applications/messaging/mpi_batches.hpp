// Batches of 4-byte offsets of words to every rank by MPI_Isend and MPI_Irecv, some under way to each. Random
// updates and index gather are written so in plain MPI. Offsets of the rank's own words are gathered, too, so
// that the words can be prefetched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "applications/messaging/word_table.hpp"
#include "system/memory/heap_segments.hpp"
#include "tests/mpi_reference.hpp"

namespace orujo::internal::messaging {

// Calls use(item) for each, with fetch(item) some items before, as the runtime does within a run.
template <class T, class Fetch, class Use>
void for_each_fetched(std::span<const T> items, const Fetch& fetch, const Use& use) {
  constexpr std::size_t ahead = 16;
  std::size_t k = 0;
  for (; k + ahead < items.size(); ++k) {
    fetch(items[k + ahead]);
    use(items[k]);
  }
  for (; k < items.size(); ++k) use(items[k]);
}

// A word's rank, and its offset there in words from the start of the rank's memory: what our delegates send.
struct word_place {
  int rank;
  std::uint32_t offset;
};
inline word_place place_in(word_table table, std::size_t i) {
  const auto address = table.at(i);
  const memory::block_cyclic::place at = address.layout().place_of(address.index());
  return {at.core, static_cast<std::uint32_t>(at.offset / sizeof(word))};
}
inline word* words_here() {
  return reinterpret_cast<word*>(memory::heap_segments::here().base_of(my_core()));
}

// A batch under way: of requests, and where an answer comes back, of what it is for.
struct mpi_batch {
  std::vector<std::uint32_t> offsets;
  std::vector<word> answer;
  std::vector<std::size_t> places;  // of the answer's words, at the asking rank
  MPI_Request sent = MPI_REQUEST_NULL, answered = MPI_REQUEST_NULL;
};

// Exchanges batches and calls `serve(std::span<const std::uint32_t> offsets, word* answer)` at the rank that
// a batch is for. With answers each batch brings back as many words, which take(place, word) receives.
template <bool Answers, class Serve, class Take>
class mpi_batches {
 public:
  mpi_batches(std::size_t batch_size, const Serve& serve, const Take& take)
      : batch_size_(batch_size), serve_(serve), take_(take) {
    MPI_Comm_rank(reference_world(), &rank_);
    MPI_Comm_size(reference_world(), &ranks_);
    to_.resize(static_cast<std::size_t>(ranks_) * in_flight);
    at_.resize(static_cast<std::size_t>(ranks_));
    for (mpi_batch& b : to_) {
      b.offsets.reserve(batch_size);
      b.answer.resize(Answers ? batch_size : 0);
      b.places.reserve(Answers ? batch_size : 0);
    }
    for (incoming& i : in_) {
      i.offsets.resize(batch_size);
      i.answer.resize(Answers ? batch_size : 0);
      receive(i);
    }
  }

  void add(const word_place& at, std::size_t place = 0) {
    mpi_batch& b = open(at.rank);
    b.offsets.push_back(at.offset);
    if constexpr (Answers) b.places.push_back(place);
    if (b.offsets.size() == batch_size_) send(at.rank, more);
  }

  // Returns when all that all ranks have added has been served, and answered.
  void finish() {
    for (int k = 0; k < ranks_; ++k) send((rank_ + k) % ranks_, last);
    while (ended_ < ranks_ - 1) serve_arrived();
    for (mpi_batch& b : to_) wait_for(b);
    for (incoming& i : in_) {
      wait_for(i.answered);
      MPI_Cancel(&i.request);
      MPI_Wait(&i.request, MPI_STATUS_IGNORE);
    }
  }

 private:
  static constexpr int in_flight = 4, more = 0, last = 1;  // the latter two are tags, plus 2 * the batch
  struct incoming {
    std::vector<std::uint32_t> offsets;
    std::vector<word> answer;
    MPI_Request request = MPI_REQUEST_NULL, answered = MPI_REQUEST_NULL;
  };
  static MPI_Comm answers() {
    static MPI_Comm made = [] {
      MPI_Comm comm;
      MPI_Comm_dup(reference_world(), &comm);
      return comm;
    }();
    return made;
  }

  mpi_batch& open(int rank) {
    return to_[static_cast<std::size_t>(rank * in_flight + at_[static_cast<std::size_t>(rank)])];
  }
  void send(int rank, int tag) {
    mpi_batch& b = open(rank);
    if (rank == rank_) {
      serve_(std::span<const std::uint32_t>(b.offsets), b.answer.data());
      take_answer(b);
    } else {
      const int at = at_[static_cast<std::size_t>(rank)], count = static_cast<int>(b.offsets.size());
      if constexpr (Answers)
        MPI_Irecv(b.answer.data(), count, MPI_UINT64_T, rank, at, answers(), &b.answered);
      MPI_Isend(b.offsets.data(), count, MPI_UINT32_T, rank, 2 * at + tag, reference_world(), &b.sent);
      at_[static_cast<std::size_t>(rank)] = (at + 1) % in_flight;
      serve_arrived();
      wait_for(open(rank));
    }
  }
  void take_answer(mpi_batch& b) {
    if constexpr (Answers) {
      for (std::size_t k = 0; k < b.places.size(); ++k) take_(b.places[k], b.answer[k]);
      b.places.clear();
    }
    b.offsets.clear();
  }
  void wait_for(MPI_Request& request) {
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) return;
      serve_arrived();
    }
  }
  void wait_for(mpi_batch& b) {
    wait_for(b.sent);
    if (Answers) wait_for(b.answered);
    take_answer(b);
  }
  void receive(incoming& i) {
    MPI_Irecv(i.offsets.data(), static_cast<int>(batch_size_), MPI_UINT32_T, MPI_ANY_SOURCE, MPI_ANY_TAG,
              reference_world(), &i.request);
  }
  // Receives are matched in the order posted.
  void serve_arrived() {
    for (;;) {
      incoming& i = in_[next_];
      int done = 0;
      MPI_Test(&i.answered, &done, MPI_STATUS_IGNORE);
      if (!done) return;
      MPI_Status status;
      MPI_Test(&i.request, &done, &status);
      if (!done) return;
      int count = 0;
      MPI_Get_count(&status, MPI_UINT32_T, &count);
      serve_(std::span<const std::uint32_t>(i.offsets.data(), static_cast<std::size_t>(count)),
             i.answer.data());
      if constexpr (Answers)
        MPI_Isend(i.answer.data(), count, MPI_UINT64_T, status.MPI_SOURCE, status.MPI_TAG / 2, answers(),
                  &i.answered);
      ended_ += status.MPI_TAG % 2 == last;
      receive(i);
      next_ = (next_ + 1) % std::size(in_);
    }
  }

  const std::size_t batch_size_;
  const Serve serve_;
  const Take take_;
  int rank_ = 0, ranks_ = 1, ended_ = 0;
  std::vector<mpi_batch> to_;  // by rank
  std::vector<int> at_;        // by rank: the one that is filled
  incoming in_[8];
  std::size_t next_ = 0;
};

}  // namespace orujo::internal::messaging
