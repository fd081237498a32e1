// What calls of MPI have in common: their errors, and requests under way.
#pragma once

#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <mpi.h>

#include <cstddef>
#include <string>
#include <vector>

#include "system/base/fatal.hpp"
#include "system/transport/transport.hpp"

namespace orujo::transport {

inline void must(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  fail(exit_status::peer_lost, std::string(call) + " failed: " + std::string(text, size) +
                                   "; a peer or the network is gone: see the other locales' messages");
}

// Requests under way and their parcels.
class request_set {
 public:
  bool empty() const { return requests_.empty(); }
  std::size_t size() const { return requests_.size(); }
  void add(MPI_Request request, parcel* of) {
    requests_.push_back(request);
    parcels_.push_back(of);
  }
  // Calls done(parcel, status) for each that is complete; true if any is.
  template <class F>
  bool poll(const F& done) {
    if (requests_.empty()) return false;
    finished_.resize(requests_.size());
    statuses_.resize(requests_.size());
    int count = 0;
    must(MPI_Testsome(static_cast<int>(requests_.size()), requests_.data(), &count, finished_.data(),
                      statuses_.data()),
         "MPI_Testsome");
    if (count <= 0) return false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
      done(*parcels_[static_cast<std::size_t>(finished_[k])], statuses_[k]);
    }
    std::size_t kept = 0;
    for (std::size_t k = 0; k < requests_.size(); ++k) {
      if (requests_[k] == MPI_REQUEST_NULL) continue;
      requests_[kept] = requests_[k];
      parcels_[kept++] = parcels_[k];
    }
    requests_.resize(kept);
    parcels_.resize(kept);
    return true;
  }
  // Receives: those that nothing has been sent for end here; the others are completed.
  void cancel() {
    for (MPI_Request& request : requests_) {
      MPI_Cancel(&request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    clear();
  }
  // Sends that nobody will ever receive.
  void abandon() {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
    clear();
  }

 private:
  void clear() {
    requests_.clear();
    parcels_.clear();
  }

  std::vector<MPI_Request> requests_;  // requests_[k] is of parcels_[k]
  std::vector<parcel*> parcels_;
  std::vector<int> finished_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace orujo::transport
