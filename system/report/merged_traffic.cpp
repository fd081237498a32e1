#include "system/report/merged_traffic.hpp"

#include <span>

#include "system/delegates/bulk.hpp"
#include "system/delegates/call_on_all.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::report {
namespace {

using messages::block_traffic;
using messages::messenger;
using messages::parcel_traffic;

// A copy of a core's figures, kept there until they are fetched. The first core of a locale has those of the
// post office, too.
struct snapshot {
  static constexpr base::core_part part = base::core_part::kept_traffic;
  by_locale<block_traffic> blocks;
  messages::post_traffic post;
};

// The address of a snapshot, and the part of it that needs no fetching.
struct snapshot_place {
  const block_traffic* blocks;
  const parcel_traffic* parcels;
  messages::transport_time transport;
  std::uint64_t now;
  double ns_per_tick;
  std::size_t parcel_bytes;
};

snapshot_place take_snapshot() {
  auto& taken = base::made_part<snapshot>();
  taken.blocks = messenger::here().traffic();
  if (leads_locale()) taken.post = messenger::here().post().traffic();
  const messages::post_traffic& p = taken.post;
  return {taken.blocks.data(), p.peers.data(), p.transport, p.now, p.ns_per_tick, p.parcel_bytes};
}

template <class T>
by_locale<T> fetch(core_id from, const T* first) {
  by_locale<T> values(locales());
  delegates::get(memory::global_address<const T>(from, first), std::span(values));
  return values;
}

}  // namespace

messages::traffic_table merged_traffic() {
  by_core<snapshot_place> places(cores());
  places[my_core()] = take_snapshot();  // before the question is counted
  delegates::call_on_all(
      [asker = my_core()] { return my_core() == asker ? snapshot_place() : take_snapshot(); },
      [&](core_id c, const snapshot_place& at) {
        if (at.blocks) places[c] = at;
      });
  messages::traffic_table table(locales());
  for (locale_id l = 0; l < locales(); ++l) {
    const core_id first = shape().first_core_of(l);
    loops::forall_here({0, static_cast<std::size_t>(shape().cores_of(l))},
                       [&](std::size_t k) {
                         const core_id c = first + static_cast<core_id>(k);
                         table.add_core(l, fetch(c, places[c].blocks));
                       },
                       {true, 1});
    const snapshot_place& p = places[first];
    table.add_post(l, {fetch(first, p.parcels), p.transport, p.now, p.ns_per_tick, p.parcel_bytes});
  }
  return table;
}

}  // namespace orujo::internal::report
