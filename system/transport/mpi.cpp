#include "system/transport/mpi.hpp"

#include <glog/logging.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <optional>
#include <string>
#include <thread>

#include "system/base/aligned_bytes.hpp"
#include "system/base/check.hpp"
#include "system/base/fatal.hpp"
#include "system/base/random.hpp"
#include "system/transport/mpi_node_memory.hpp"
#include "system/transport/mpi_patience.hpp"
#include "system/transport/mpi_pulses.hpp"
#include "system/transport/mpi_receives.hpp"
#include "system/transport/mpi_requests.hpp"

namespace orujo::internal::transport {
namespace {

// Usually MPI has finished with messages of at most this size when the call of the send returns.
constexpr std::uint32_t small_bytes = 4096;

void abort_job(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

// Calls MPI_Finalize. In its last step it reports the end of this process to mpirun and waits for the answer,
// but only for 2 s (PMIx_Finalize of PMIx 4). A busy mpirun, as with hundreds of threads for each CPU, may be
// slower. If the process ends before mpirun has read the report, mpirun takes a successful job for failed,
// with status 1. The process therefore waits longer in that case.
void finalize() {
  using clock = std::chrono::steady_clock;
  const auto start = clock::now();
  MPI_Finalize();
  const auto taken = clock::now() - start;
  if (taken >= std::chrono::seconds(2))
    std::this_thread::sleep_for(std::min<clock::duration>(2 * taken, std::chrono::seconds(10)));
}

// Open MPI polls its connections by poll(2) by default, which visits all of them. With three peers two calls
// of MPI that find nothing take 0.9 us, and 0.3 us by epoll. A setting of the user has priority. The ranks
// set this and not the launcher, because mpirun itself does not work by epoll with a closed stdin.
void choose_epoll() { setenv("OMPI_MCA_opal_event_include", "epoll,poll", 0); }

class mpi_transport final : public transport {
 public:
  mpi_transport(int* argc, char*** argv, std::uint64_t chaos_seed)
      : chaos_seed_(chaos_seed), chaos_(chaos_seed != 0) {
    int provided = 0, begun = 0;
    MPI_Initialized(&begun);
    ours_ = !begun;
    if (begun) {
      check_given(&provided);
    } else {
      choose_epoll();
      MPI_Init_thread(argc, argv, MPI_THREAD_SERIALIZED, &provided);
    }
    if (provided < MPI_THREAD_SERIALIZED) {
      base::fail(exit_status::no_resource,
                 "this MPI lacks MPI_THREAD_SERIALIZED: use one built with thread support");
    }
    base::set_abort_hook(&abort_job);
    if (ours_) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    must(MPI_Comm_dup(MPI_COMM_WORLD, &world_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
    must(MPI_Comm_dup(world_, &for_parcels_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(for_parcels_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(world_, &locale_);
    MPI_Comm_size(world_, &locales_);
    receives_ = mpi_receives(locales_);
    lanes_.resize(locales_);
    alarms_.resize(locales_);
    pulses_.resize(locales_);
    void* largest = nullptr;
    int known = 0;
    must(MPI_Comm_get_attr(world_, MPI_TAG_UB, &largest, &known), "MPI_Comm_get_attr");
    if (known) largest_tag_ = *static_cast<int*>(largest);
    random_ = random_stream(chaos_seed, static_cast<std::uint64_t>(locale_));
  }

  ~mpi_transport() override {
    distant_.reset();
    if (alarm_memory_ != MPI_WIN_NULL) MPI_Win_free(&alarm_memory_);
    MPI_Comm_free(&for_parcels_);
    MPI_Comm_free(&world_);
    base::set_abort_hook(nullptr);
    if (ours_) finalize();
  }

  int locale() const override { return locale_; }
  int locales() const override { return locales_; }

  void send(parcel& full) override {
    MPI_Request request;
    // A synchronous send is complete only when the receiver has begun to receive.
    const auto start = chaos_ && random_.below(2) == 0 ? &MPI_Issend : &MPI_Isend;
    const bool transfer = full.transfer_number != 0;
    const int tag = transfer ? tag_of(full) : receives_.number_to(full.peer);
    if (!transfer && put_into_lane(full, tag)) return;
    must(start(full.data, static_cast<int>(full.bytes), MPI_BYTE, full.peer, tag,
               transfer ? world_ : for_parcels_, &request),
         "MPI_Isend");
    if (!transfer) ++counts_.sent;
    ring(full.peer);
    int done = 0;
    if (full.bytes <= small_bytes) must(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (done) {
      sent_at_once_.push_back(&full);
    } else {
      requests_.add(request, transfer ? request_kind::transfer_send : request_kind::send, &full);
    }
  }

  void provide(parcel& empty) override {
    if (empty.transfer_number == 0) return receives_.post(for_parcels_, empty, requests_);
    MPI_Request request;
    must(MPI_Irecv(empty.data, static_cast<int>(empty.capacity), MPI_BYTE, empty.peer, tag_of(empty), world_,
                   &request),
         "MPI_Irecv");
    requests_.add(request, request_kind::transfer_receive, &empty);
  }

  // In memory that the processes of a node share. Processes of other nodes wake nobody here.
  node::alarms make_alarms(int cores) override {
    MPI_Comm node;
    must(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, locale_, MPI_INFO_NULL, &node),
         "MPI_Comm_split_type");
    std::byte* board_memory = nullptr;
    int on_node = 0, my_rank = 0;
    MPI_Comm_size(node, &on_node);
    MPI_Comm_rank(node, &my_rank);
    const by_locale<std::uint64_t> cores_of = all_gather(static_cast<std::uint64_t>(cores));
    const by_locale<int> ranks = ranks_in(node);
    int cores_of_node = 0;
    for (int peer = 0; peer < locales_; ++peer)
      cores_of_node += ranks[peer] == MPI_UNDEFINED ? 0 : static_cast<int>(cores_of[peer]);
    const node_memory parts(on_node, cores_of_node);
    const std::size_t bytes = parts.bytes_for(cores, my_rank == 0);
    if (on_node == 1) alone_memory_ = base::make_aligned_bytes(bytes);  // asks nothing of MPI
    std::byte* const mine = on_node == 1 ? alone_memory_.get() : allocate_on_node(bytes, node, alarm_memory_);
    parts.clear(mine, cores, my_rank == 0);
    MPI_Barrier(node);
    node::work_tables work;
    for (int peer = 0; peer < locales_; ++peer) {
      const int rank = ranks[peer];
      all_on_one_node_ &= rank != MPI_UNDEFINED;
      if (rank == MPI_UNDEFINED) continue;
      std::byte* const memory = on_node == 1 ? mine : memory_of(rank, alarm_memory_);
      const int theirs = static_cast<int>(cores_of[peer]);
      pulses_[peer] = node_memory::pulse(memory);
      if (rank == 0) board_memory = parts.board(memory, theirs);
      if (on_node > 1) work.add(parts.work(memory, theirs), theirs, cores_of_node);
      if (peer != locale_) alarms_[peer] = node_memory::alarms(memory, theirs);
      on_node_.push_back(peer);
      if (peer == locale_ || !parts.has_lanes()) continue;
      lanes_[peer] = parts.lane_from(memory, theirs, my_rank);
      receives_.hear(peer, parts.lane_from(mine, cores, rank));
    }
    MPI_Comm_free(&node);
    all_on_one_node_ ? requests_.all_is_near() : hear_of_other_nodes();
    for (int peer = 0; peer < on_node_.front(); ++peer) work.first_core += static_cast<int>(cores_of[peer]);
    meet_on_node(board_memory, my_rank, std::move(work));
    return node_memory::alarms(mine, cores);
  }
  meeting_place take_board() override { return std::move(place_); }
  std::vector<node::pulse*> pulses() override { return pulses_; }
  void exchange_pulses(const node::pulse& of_node) override {
    if (distant_) distant_->exchange(of_node);
  }
  // MPI may deliver late, and arrivals over a network wake nobody. The sleep is therefore limited to a share
  // of the wait, as much as a CPU can afford.
  std::chrono::nanoseconds longest_sleep(std::chrono::nanoseconds waited) const override {
    if (locales_ == 1) return std::chrono::hours(1);
    const std::chrono::microseconds longest(all_on_one_node_ ? 4000 : 500);
    return std::min<std::chrono::nanoseconds>(waited / 4, longest);
  }

  // Sends words to the locale at distance 1, 2, 4, ..., so that in any order of ranks some pass between
  // nodes. A late locale finds its word there at once, while its neighbour waits for longer; several in a row
  // average that out.
  std::chrono::nanoseconds round_trip() override {
    constexpr int rounds = 3, words = 4;
    double longest = 0;
    for (int step = 1; step < locales_ && !all_on_one_node_; step *= 2) {
      double shortest = 1;
      for (int k = 0; k < rounds; ++k) shortest = std::min(shortest, seconds_of_words(step, words));
      longest = std::max(longest, 2 * shortest / words);
    }
    const std::vector<std::uint64_t> all = all_gather(static_cast<std::uint64_t>(longest * 1e9));
    return std::chrono::nanoseconds(*std::max_element(all.begin(), all.end()));
  }

  // Reports at most one arrived parcel: it is handled before the next poll.
  bool poll(listener& to) override {
    if (ours_) patience_.yield_when_idle(false);
    bool any = !sent_at_once_.empty();
    for (parcel* done : sent_at_once_) to.sent(*done);
    sent_at_once_.clear();
    parcel* const full =
        receives_.poll(requests_, [&](request_kind kind, parcel& of, const MPI_Status& status) {
          any = true;
          if (kind != request_kind::transfer_receive) return to.sent(of);
          end_transfer(of, status, to);
        });
    if (!full) return any;
    ++counts_.received;
    if (chaos_ || full->bytes > small_bytes) ring(full->peer);  // the peer may wait for the end of its send
    to.received(*full);
    return true;
  }

  std::vector<std::uint64_t> all_gather(std::uint64_t mine) override {
    std::vector<std::uint64_t> all(static_cast<std::size_t>(locales_));
    must(MPI_Allgather(&mine, 1, MPI_UINT64_T, all.data(), 1, MPI_UINT64_T, world_), "MPI_Allgather");
    return all;
  }

  // Takes two rounds because of transfers. Those that tasks waited for are over, but transfers of tasks that
  // the job's end cut off may have one side only. After the first round nobody starts any, so receives end or
  // are cancelled. After the second nobody receives, so sends do not need their memory.
  void close(listener& to, const std::function<void()>& meanwhile) override {
    barrier(to, meanwhile);
    poll(to);
    requests_.cancel(request_kind::transfer_receive);
    barrier(to, meanwhile);
    do poll(to);
    while (requests_.count(request_kind::send) > 0);
    requests_.abandon(request_kind::transfer_send);
    requests_.cancel(request_kind::receive);
    patience_.yield_when_idle(true);
  }

 private:
  // Counts without transfers.
  struct parcel_counts {
    std::uint64_t sent = 0, received = 0;
    bool operator==(const parcel_counts&) const = default;
  };

  bool put_into_lane(parcel& full, int number) {
    node::lane& way = lanes_[full.peer];
    if (!way || (chaos_ && random_.below(2) == 0) ||
        !way.put({full.data, full.bytes}, static_cast<std::uint32_t>(number)))
      return false;
    ++counts_.sent;
    ring(full.peer);
    sent_at_once_.push_back(&full);
    return true;
  }

  // The level of threads of an MPI that the program has initialised itself.
  static void check_given(int* provided) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended)
      base::misuse(
          "a job after MPI_Finalize, and MPI cannot be initialised again: for several jobs of a process, one "
          "after the other, have main() call MPI_Init_thread and, at its end, MPI_Finalize");
    MPI_Query_thread(provided);
    if (*provided < MPI_THREAD_SERIALIZED)
      base::misuse(
          "MPI_Init before the job: leave it to orujo::run, or to the session, or ask MPI_Init_thread for "
          "MPI_THREAD_SERIALIZED");
  }

  // Collective.
  double seconds_of_words(int step, int count) const {
    const double begun = MPI_Wtime();
    char mine = 0, theirs = 0;
    for (int k = 0; k < count; ++k) {
      must(MPI_Sendrecv(&mine, 1, MPI_BYTE, (locale_ + step) % locales_, 0, &theirs, 1, MPI_BYTE,
                        (locale_ + locales_ - step) % locales_, 0, world_, MPI_STATUS_IGNORE),
           "MPI_Sendrecv");
    }
    return MPI_Wtime() - begun;
  }

  // Collective.
  void hear_of_other_nodes() {
    for (std::uint64_t leader : all_gather(static_cast<std::uint64_t>(on_node_.front())))
      leader_of_.push_back(static_cast<int>(leader));
    distant_.emplace(world_, locale_, leader_of_);
    for (int peer = 0; peer < locales_; ++peer) {
      if (!pulses_[peer]) pulses_[peer] = distant_->of(peer);
    }
  }

  // The locales of each node must be consecutive, so that nodes combine in the order of locales. Under chaos
  // every other node has no board.
  void meet_on_node(std::byte* board_memory, int my_rank, node::work_tables work) {
    if (leader_of_.empty()) leader_of_.assign(locales_, 0);
    std::vector<int> first_locales;
    for (int l = 0; l < locales_; ++l) {
      const int first = leader_of_[l];
      if (first == l) first_locales.push_back(l);
      if (first != first_locales.back()) return;
    }
    if (chaos_seed_ % 2 != 0 || first_locales.size() == leader_of_.size()) return;
    std::vector<node::alarms> bells;
    for (int l : on_node_) bells.push_back(alarms_[l]);
    place_ = {node::board(board_memory, my_rank, std::move(bells)), std::move(first_locales),
              std::move(work)};
  }

  // The ranks of all locales in this communicator, MPI_UNDEFINED for those that have none.
  std::vector<int> ranks_in(MPI_Comm part) const {
    std::vector<int> locales(static_cast<std::size_t>(locales_)), ranks(locales.size());
    std::iota(locales.begin(), locales.end(), 0);
    MPI_Group all, of_part;
    MPI_Comm_group(world_, &all);
    MPI_Comm_group(part, &of_part);
    MPI_Group_translate_ranks(all, locales_, locales.data(), of_part, ranks.data());
    MPI_Group_free(&all);
    MPI_Group_free(&of_part);
    return ranks;
  }

  // Wakes a peer after MPI, or a lane, has passed something on. That must be visible before the read of the
  // flag.
  void ring(int peer) const { alarms_[peer].ring_one_after_stores(); }

  int tag_of(const parcel& p) const {  // a transfer
    CHECK_LE(p.transfer_number, static_cast<std::uint32_t>(largest_tag_))
        << "too many cores for this MPI's tags";
    return static_cast<int>(p.transfer_number);
  }

  // Returns when no parcel is under way. In two successive rounds all locales together must have received as
  // many as they have sent (Mattern's four counters, as in delegates/completion_event.hpp). A barrier after
  // the completion of one's own sends would not suffice. (Hoefler, Siebert, Lumsdaine, "Scalable
  // Communication Protocols for Dynamic Sparse Data Exchange", PPoPP 2010.) It needs synchronous sends,
  // because MPI completes other sends before they have arrived.
  void barrier(listener& to, const std::function<void()>& meanwhile) {
    for (parcel_counts before{~std::uint64_t{0}, 0};;) {
      poll(to);
      meanwhile();
      const parcel_counts mine = counts_;
      parcel_counts all;
      MPI_Request summed;
      must(MPI_Iallreduce(&mine, &all, 2, MPI_UINT64_T, MPI_SUM, world_, &summed), "MPI_Iallreduce");
      for (int done = 0; !done;) {
        poll(to);
        meanwhile();
        must(MPI_Test(&summed, &done, MPI_STATUS_IGNORE), "MPI_Test");
        if (!done) sched_yield();
      }
      if (all.sent == all.received && all == before) return;
      before = all;
    }
  }

  void end_transfer(parcel& full, const MPI_Status& status, listener& to) const {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    CHECK_EQ(static_cast<std::uint32_t>(bytes), full.capacity) << "a transfer of another size";
    full.bytes = full.capacity;
    ring(full.peer);
    to.received(full);
  }

  bool ours_ = true;  // MPI, to initialise and to finalise
  MPI_Comm world_ = MPI_COMM_NULL, for_parcels_ = MPI_COMM_NULL;
  MPI_Win alarm_memory_ = MPI_WIN_NULL;
  base::aligned_bytes alone_memory_;  // in its place if no other locale is on the node
  by_locale<node::alarms> alarms_;    // empty for this one and those on other nodes
  by_locale<node::lane> lanes_;       // to those of this node
  by_locale<node::pulse*> pulses_;
  std::optional<mpi_pulses> distant_;
  std::vector<int> on_node_;  // this node's locales
  by_locale<int> leader_of_;  // the first one of its node
  meeting_place place_;
  bool all_on_one_node_ = true;
  int locale_ = 0, locales_ = 1;
  const std::uint64_t chaos_seed_;
  const bool chaos_;
  random_stream random_{0};  // under chaos: which sends are synchronous
  mpi_patience patience_;
  mpi_receives receives_;
  parcel_counts counts_;
  request_set requests_;
  std::vector<parcel*> sent_at_once_;
  int largest_tag_ = 32767;  // the least that every MPI supports
};

}  // namespace

std::unique_ptr<transport> make_mpi(int* argc, char*** argv, std::uint64_t chaos_seed) {
  return std::make_unique<mpi_transport>(argc, argv, chaos_seed);
}

}  // namespace orujo::internal::transport
