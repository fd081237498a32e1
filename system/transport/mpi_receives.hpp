// Arrival of parcels from MPI, and from lanes. A slow parcel does not delay those of other locales.
//
// MPI matches arrivals with receives in the order posted, so the oldest receive usually completes next. But a
// large parcel is matched as soon as it is announced. It arrives at the speed of its sender's link, while
// later ones are already complete. Other receives are therefore polled, too. The parcels of one locale are
// numbered by MPI's tags, and reported in that order, whichever of them arrives first and by whichever way.
// whichever way.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "system/base/by_core.hpp"
#include "system/base/fatal.hpp"
#include "system/node/lane.hpp"
#include "system/transport/mpi_requests.hpp"

namespace orujo::internal::transport {

class mpi_receives {
 public:
  mpi_receives() = default;
  explicit mpi_receives(int locales) : next_to_(locales), next_from_(next_to_) {}

  // Adds a lane, from that locale.
  void hear(int peer, const node::lane& from) { lanes_.push_back({peer, from}); }

  // The tag of the next parcel to that locale.
  int number_to(int peer) { return take_number(next_to_[peer]); }

  void post(MPI_Comm from, parcel& empty, request_set& at) {
    if (!lanes_.empty() && for_lanes_.size() < kept_for_lanes) return for_lanes_.push_back(&empty);
    MPI_Request request;
    must(MPI_Irecv(empty.data, static_cast<int>(empty.capacity), MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, from,
                   &request),
         "MPI_Irecv");
    at.add(request, request_kind::receive, &empty);
  }

  // The next parcel that has arrived, with bytes and peer set, or null. Calls done(kind, parcel, status) for
  // other requests that are complete.
  template <class F>
  parcel* poll(request_set& requests, const F& done) {
    if (parcel* was_early = take_early()) return was_early;
    // The ways take turns, so that neither starves while the other is busy. Both are polled before null is
    // returned.
    const bool lanes_first =
        ++looks_ % looks_per_other != 0 && requests.count(request_kind::send) <= few_sends;
    if (lanes_first) {
      if (parcel* near = take_from_lanes()) return near;
    }
    requests.poll([&](request_kind kind, parcel& of, const MPI_Status& status) {
      kind == request_kind::receive ? keep(of, status) : done(kind, of, status);
    });
    if (parcel* far = take_early()) return far;
    return lanes_first ? nullptr : take_from_lanes();
  }

 private:
  struct incoming {
    int peer;
    node::lane from;
  };
  struct arrival {
    parcel* full;
    int number;
  };
  static constexpr int numbers = 1 << 15;  // the tags that every MPI has
  static constexpr std::size_t looks_per_other = 8;
  static constexpr std::size_t few_sends = 2;
  static constexpr std::size_t kept_for_lanes = 2;  // buffers

  static int take_number(int& next) { return std::exchange(next, (next + 1) % numbers); }
  int& next_from(const arrival& a) { return next_from_[a.full->peer]; }
  bool is_next(const arrival& a) { return next_from(a) == a.number; }

  parcel* report(const arrival& a) {
    take_number(next_from(a));
    return a.full;
  }

  void keep(parcel& full, const MPI_Status& status) {
    int bytes = 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    full.bytes = static_cast<std::uint32_t>(bytes);
    full.peer = status.MPI_SOURCE;
    early_.push_back({&full, status.MPI_TAG});
  }
  parcel* take_early() {
    const auto next =
        std::find_if(early_.begin(), early_.end(), [this](const arrival& a) { return is_next(a); });
    if (next == early_.end()) return nullptr;
    const arrival a = *next;
    early_.erase(next);
    return report(a);
  }

  // Bytes from another process are checked before use.
  [[noreturn]] static void fail_for_size(std::size_t bytes, int peer) {
    base::fail(
        exit_status::broken_invariant,
        "a parcel from locale " + std::to_string(peer) + " is damaged: its lane has one of " +
            std::to_string(bytes) +
            " bytes; a program that writes outside of its memory, or faulty memory, may have changed it");
  }

  // The next lane's oldest parcel, if it is the next of its locale.
  parcel* take_from_lanes() {
    if (for_lanes_.empty()) return nullptr;
    for (std::size_t k = 0; k < lanes_.size(); ++k) {
      if (++last_lane_ >= lanes_.size()) last_lane_ = 0;
      incoming& way = lanes_[last_lane_];
      const node::lane::entry oldest = way.from.front();
      if (oldest.content.empty()) continue;
      parcel* const into = for_lanes_.back();
      into->peer = way.peer;
      const arrival a{into, static_cast<int>(oldest.number)};
      if (!is_next(a)) continue;  // an earlier one comes by MPI
      if (oldest.content.size() > std::min<std::size_t>(into->capacity, way.from.largest()))
        fail_for_size(oldest.content.size(), way.peer);
      into->bytes = static_cast<std::uint32_t>(oldest.content.size());
      std::memcpy(into->data, oldest.content.data(), oldest.content.size());
      way.from.pop(oldest);
      for_lanes_.pop_back();
      return report(a);
    }
    return nullptr;
  }

  std::vector<arrival> early_;  // by MPI, not reported yet; few
  by_locale<int> next_to_, next_from_;
  std::vector<incoming> lanes_;
  std::size_t last_lane_ = 0;
  std::vector<parcel*> for_lanes_;
  std::size_t looks_ = 0;
};

}  // namespace orujo::internal::transport
