#include "system/transport/mpi_pulses.hpp"

namespace orujo::internal::transport {
namespace {

constexpr int tag = 0;
constexpr auto relaxed = std::memory_order_relaxed;

bool is_done(MPI_Request& request) {
  int done = 0;
  must(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
  return done != 0;
}

}  // namespace

mpi_pulses::mpi_pulses(MPI_Comm world, int locale, const by_locale<int>& leader_of) {
  must(MPI_Comm_dup(world, &world_), "MPI_Comm_dup");
  MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN);
  const auto leads = [&](int other) { return leader_of[other] == other; };
  for (int other = 0; other < static_cast<int>(leader_of.size()); ++other) {
    if (other == locale || !leads(other) || !leads(locale) || (locale != 0 && other != 0)) continue;
    partner& made = partners_.emplace_back();
    made.locale = other;
    made.said.distant.store(1, relaxed);
    receive(made);
  }
}

mpi_pulses::~mpi_pulses() {
  for (partner& p : partners_) {
    MPI_Cancel(&p.receiving);
    MPI_Wait(&p.receiving, MPI_STATUS_IGNORE);
    if (!is_done(p.sending)) MPI_Request_free(&p.sending);
  }
  MPI_Comm_free(&world_);
}

node::pulse* mpi_pulses::of(int locale) {
  for (partner& p : partners_) {
    if (p.locale == locale) return &p.said;
  }
  return nullptr;
}

void mpi_pulses::receive(partner& from) {
  must(MPI_Irecv(from.received.data(), static_cast<int>(from.received.size()), MPI_UINT64_T, from.locale, tag,
                 world_, &from.receiving),
       "MPI_Irecv");
}

void mpi_pulses::take(partner& from) {
  const message& m = from.received;
  from.said.rest.store(m[1], relaxed);
  from.said.process.store(static_cast<std::int32_t>(m[2]), relaxed);
  from.said.ended.store(static_cast<std::uint32_t>(m[3]), relaxed);
  from.said.asks.store(static_cast<std::uint32_t>(m[4]), relaxed);
  from.said.has_told.store(static_cast<std::uint32_t>(m[5]), relaxed);
  from.said.beats.store(m[0], std::memory_order_release);
}

void mpi_pulses::exchange(const node::pulse& mine) {
  for (partner& p : partners_) {
    while (is_done(p.receiving)) {
      take(p);
      receive(p);
    }
    if (!is_done(p.sending)) continue;  // the network, or the receiver, is behind
    p.sent = {mine.beats.load(relaxed),
              mine.rest.load(relaxed),
              static_cast<std::uint64_t>(mine.process.load(relaxed)),
              mine.ended.load(relaxed),
              mine.asks.load(relaxed),
              mine.has_told.load(relaxed)};
    must(MPI_Isend(p.sent.data(), static_cast<int>(p.sent.size()), MPI_UINT64_T, p.locale, tag, world_,
                   &p.sending),
         "MPI_Isend");
  }
}

}  // namespace orujo::internal::transport
