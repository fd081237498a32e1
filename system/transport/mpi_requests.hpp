// The common base of calls of MPI: error checks, and requests under way.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::transport {

inline void must(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  base::fail(exit_status::peer_lost, std::string(call) + " failed: " + std::string(text, size) +
                                         "; a peer or the network is gone: see the other locales' messages");
}

enum class request_kind : std::uint8_t { receive, send, transfer_receive, transfer_send };

// Requests under way and their parcels.
//
// All kinds of requests are polled together, because a call of MPI that finds nothing polls all parts of MPI.
// Between nodes this takes a system call, and more time than the rest of a poll.
class request_set {
 public:
  void add(MPI_Request request, request_kind kind, parcel* of) {
    requests_.push_back(request);
    parcels_.push_back({of, kind});
    ++count_of(kind);
  }
  std::size_t count(request_kind kind) const { return counts_[static_cast<std::size_t>(kind)]; }

  // Call it if all parcels come from this node. Receives there hardly ever overtake the oldest, and polling
  // them is expensive beside a poll of 50 ns, so only every eighth poll asks for them.
  void all_is_near() { looks_per_receives_ = 8; }

  // Calls done(kind, parcel, status) for some requests that are complete; returns true if any is. MPI_Test
  // makes progress and reports on one request: the oldest receive, which usually completes next. MPI_Testsome
  // reports earlier completions, and makes progress only if there are none. To avoid that, it is given a
  // request that is complete. While sends are under way, which advance by progress, it may poll.
  template <class F>
  bool poll(const F& done) {
    const std::size_t oldest = find(request_kind::receive);
    if (oldest == requests_.size()) return test_all(done);
    if (test(oldest, done)) return true;
    const bool receives_only = count(request_kind::receive) == requests_.size();
    if (!receives_only) return test_all(done);
    if (++looks_ % looks_per_receives_ != 0) return false;
    MPI_Request complete;
    must(MPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &complete), "MPI_Isend");
    requests_.push_back(complete);
    return test_all(done);
  }

  // For receives: ends those that have no message, and completes the others.
  void cancel(request_kind kind) {
    end(kind, [](MPI_Request& request) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    });
  }
  // For sends that nobody will ever receive.
  void abandon(request_kind kind) {
    end(kind, [](MPI_Request& request) { MPI_Request_free(&request); });
  }

 private:
  struct entry {
    parcel* of;
    request_kind kind;
  };

  std::size_t find(request_kind kind) const {
    const auto at =
        std::find_if(parcels_.begin(), parcels_.end(), [kind](const entry& e) { return e.kind == kind; });
    return static_cast<std::size_t>(at - parcels_.begin());
  }

  template <class F>
  bool test(std::size_t k, const F& done) {
    int is_done = 0;
    MPI_Status status;
    must(MPI_Test(&requests_[k], &is_done, &status), "MPI_Test");
    if (!is_done) return false;
    const entry e = parcels_[k];
    requests_.erase(requests_.begin() + static_cast<std::ptrdiff_t>(k));
    parcels_.erase(parcels_.begin() + static_cast<std::ptrdiff_t>(k));
    --count_of(e.kind);
    done(e.kind, *e.of, status);
    return true;
  }

  // There may be one more request than parcels, after all others.
  template <class F>
  bool test_all(const F& done) {
    if (requests_.empty()) return false;
    finished_.resize(requests_.size());
    statuses_.resize(requests_.size());
    int count = 0;
    must(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, finished_.data(),
                      statuses_.data()),
         "MPI_Testsome");
    if (requests_.size() > parcels_.size()) {
      if (requests_.back() != MPI_REQUEST_NULL) MPI_Request_free(&requests_.back());
      requests_.pop_back();
    }
    bool any = false;
    for (int k = 0; k < count; ++k) {
      const auto at = static_cast<std::size_t>(finished_[static_cast<std::size_t>(k)]);
      if (at == parcels_.size()) continue;
      any = true;
      done(parcels_[at].kind, *parcels_[at].of, statuses_[static_cast<std::size_t>(k)]);
    }
    if (any) drop_null();
    return any;
  }

  template <class F>
  void end(request_kind kind, const F& f) {
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (parcels_[k].kind != kind) continue;
      f(requests_[k]);
      requests_[k] = MPI_REQUEST_NULL;
    }
    drop_null();
  }

  void drop_null() {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (requests_[k] == MPI_REQUEST_NULL) {
        --count_of(parcels_[k].kind);
        continue;
      }
      requests_[kept] = requests_[k];
      parcels_[kept++] = parcels_[k];
    }
    requests_.resize(kept);
    parcels_.resize(kept);
  }

  std::size_t& count_of(request_kind kind) { return counts_[static_cast<std::size_t>(kind)]; }

  std::array<std::size_t, 4> counts_{};  // by kind
  unsigned looks_ = 0, looks_per_receives_ = 1;
  std::vector<MPI_Request> requests_;  // requests_[k] belongs to parcels_[k]; in the order of adding
  std::vector<entry> parcels_;
  std::vector<int> finished_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace orujo::internal::transport
