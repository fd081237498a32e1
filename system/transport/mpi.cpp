#include "system/transport/mpi.hpp"

#define OMPI_SKIP_MPICXX 1  // the C interface only
#include <mpi.h>
#include <sched.h>

#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <string>

#include "system/base/fatal.hpp"

namespace orujo::transport {
namespace {

constexpr int parcel_tag = 0;

void must(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int size = 0;
  MPI_Error_string(code, text, &size);
  fail(exit_status::peer_lost, std::string(call) + " failed: " + std::string(text, size) +
                                   "; a peer or the network is gone: see the other locales' messages");
}

void abort_job(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

class mpi_transport final : public transport {
 public:
  mpi_transport(int* argc, char*** argv) {
    int provided = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED) {
      fail(exit_status::no_resource,
           "this MPI lacks MPI_THREAD_SERIALIZED: use one built with thread support");
    }
    set_abort_hook(&abort_job);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    must(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &locale_);
    MPI_Comm_size(world_, &locales_);
  }

  ~mpi_transport() override {
    MPI_Comm_free(&world_);
    set_abort_hook(nullptr);
    MPI_Finalize();
  }

  int locale() const override { return locale_; }
  int locales() const override { return locales_; }

  void send(parcel& full) override {
    MPI_Request request;
    must(
        MPI_Isend(full.data, static_cast<int>(full.bytes), MPI_BYTE, full.peer, parcel_tag, world_, &request),
        "MPI_Isend");
    sends_.push_back(request);
    sent_parcels_.push_back(&full);
  }

  void provide(parcel& empty) override {
    MPI_Request request;
    must(MPI_Irecv(empty.data, static_cast<int>(empty.capacity), MPI_BYTE, MPI_ANY_SOURCE, parcel_tag, world_,
                   &request),
         "MPI_Irecv");
    receives_.push_back({request, &empty});
  }

  bool poll(listener& to) override {
    const bool something_arrived = poll_receives(to);
    return poll_sends(to) || something_arrived;
  }

  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(locales_));
    must(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, world_), "MPI_Allgather");
    return all;
  }

  // The nonblocking-consensus idea of Hoefler, Siebert, Lumsdaine, "Scalable Communication Protocols for
  // Dynamic Sparse Data Exchange" (PPoPP 2010): enter a barrier once all own sends are done; keep receiving
  // until it ends. A second time for what was only passing through the first time.
  void close(listener& to, const std::function<void()>& meanwhile) override {
    for (int round = 0; round < 2; ++round) {
      MPI_Request barrier = MPI_REQUEST_NULL;
      for (int done = 0; !done;) {
        poll(to);
        meanwhile();
        if (barrier == MPI_REQUEST_NULL && sends_.empty()) {
          must(MPI_Ibarrier(world_, &barrier), "MPI_Ibarrier");
        }
        if (barrier != MPI_REQUEST_NULL) must(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (!done) sched_yield();
      }
    }
    while (!sends_.empty()) poll_sends(to);
    for (pending_receive& open : receives_) {
      MPI_Cancel(&open.request);
      MPI_Wait(&open.request, MPI_STATUS_IGNORE);
    }
    receives_.clear();
  }

 private:
  struct pending_receive {
    MPI_Request request;
    parcel* buffer;
  };

  // MPI matches parcels with receives in the order posted, so only the oldest receive need be tested, and
  // parcels are reported in the order sent.
  bool poll_receives(listener& to) {
    bool any = false;
    while (!receives_.empty()) {
      int done = 0;
      MPI_Status arrived;
      must(MPI_Test(&receives_.front().request, &done, &arrived), "MPI_Test");
      if (!done) break;
      parcel& full = *receives_.front().buffer;
      receives_.pop_front();
      int bytes = 0;
      MPI_Get_count(&arrived, MPI_BYTE, &bytes);
      full.bytes = static_cast<std::uint32_t>(bytes);
      full.peer = arrived.MPI_SOURCE;
      to.received(full);
      any = true;
    }
    return any;
  }

  bool poll_sends(listener& to) {
    if (sends_.empty()) return false;
    finished_.resize(sends_.size());
    int count = 0;
    must(MPI_Testsome(static_cast<int>(sends_.size()), sends_.data(), &count, finished_.data(),
                      MPI_STATUSES_IGNORE),
         "MPI_Testsome");
    if (count <= 0) return false;
    for (int k = 0; k < count; ++k) to.sent(*sent_parcels_[static_cast<std::size_t>(finished_[k])]);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < sends_.size(); ++k) {
      if (sends_[k] == MPI_REQUEST_NULL) continue;
      sends_[kept] = sends_[k];
      sent_parcels_[kept++] = sent_parcels_[k];
    }
    sends_.resize(kept);
    sent_parcels_.resize(kept);
    return true;
  }

  MPI_Comm world_ = MPI_COMM_NULL;
  int locale_ = 0, locales_ = 1;
  std::deque<pending_receive> receives_;  // oldest first
  std::vector<MPI_Request> sends_;        // sends_[k] carries sent_parcels_[k]
  std::vector<parcel*> sent_parcels_;
  std::vector<int> finished_;
};

const char* first_set(std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (const char* value = std::getenv(name)) return value;
  }
  return nullptr;
}

}  // namespace

bool launched_by_mpi() {
  return first_set({"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK"}) != nullptr;
}

int launched_rank() {
  const char* rank = first_set({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
  return rank ? std::atoi(rank) : 0;
}

std::unique_ptr<transport> make_mpi(int* argc, char*** argv) {
  return std::make_unique<mpi_transport>(argc, argv);
}

}  // namespace orujo::transport
