#include "system/collectives/exchange.hpp"

#include <algorithm>
#include <cstring>

#include "system/base/check.hpp"
#include "system/collectives/collective.hpp"
#include "system/delegates/bulk.hpp"
#include "system/delegates/delegate.hpp"
#include "system/messages/messenger.hpp"
#include "system/tasks/wait_name.hpp"

namespace orujo::internal::collectives {

constexpr std::size_t least_put_bytes = 64 << 10;

exchange::exchange(const members& who, int streams, place where, const call_site& at)
    : entered_(collective::here(), at),
      who_(who),
      where_(std::move(where)),
      streams_(static_cast<std::size_t>(streams)),
      number_(collective::here().begin_exchange(who.kind(), this)) {
  collective::here().gather(who.kind(), {}, {}, at);  // a barrier: all are ready to receive
}

void exchange::send(int to_member, int stream, std::span<const std::byte> bytes) {
  if (to_member == who_.me()) return receive(stream, 0, bytes.size(), bytes);
  const core_id core = who_.core(to_member);
  if (bytes.size() >= least_put_bytes) return put(core, stream, bytes);
  constexpr std::size_t step = 4000;
  messages::messenger& here = messages::messenger::here();
  std::size_t offset = 0;
  do {
    const auto piece = bytes.subspan(offset, std::min(step, bytes.size() - offset));
    const auto arrive = [number = number_, stream, offset,
                         total = bytes.size()](std::span<const std::byte> content) {
      collective::here().exchange_of(number).receive(stream, offset, total, content);
    };
    static_assert(step <= messages::messenger::max_payload_bytes(sizeof(arrive)));
    here.send_with_payload(core, arrive, piece);
    offset += piece.size();
  } while (offset < bytes.size());
  here.flush(core);
}

// Asks for the address first, and tells when all bytes are there.
void exchange::put(core_id core, int stream, std::span<const std::byte> bytes) {
  const std::size_t total = bytes.size();
  std::byte* const to = delegates::call(core, [number = number_, stream, total] {
    return collective::here().exchange_of(number).begin(stream, total).to;
  });
  delegates::put(memory::global_address<std::byte>(core, to), bytes);
  messages::messenger& here = messages::messenger::here();
  here.send(core, [number = number_, stream, total] {
    exchange& there = collective::here().exchange_of(number);
    there.arrived(there.begin(stream, total), total);
  });
  here.flush(core);
}

exchange::arriving& exchange::begin(int stream, std::size_t total) {
  arriving& at = streams_[static_cast<std::size_t>(stream)];
  if (!at.begun) at = {where_(stream, total), total, true};
  return at;
}

void exchange::arrived(arriving& at, std::size_t bytes) {
  require(at.missing >= bytes, "two senders for one stream of an exchange");
  at.missing -= bytes;
  if (at.missing == 0) tasks::scheduler::here()->wake_all(waiting_);
}

void exchange::receive(int stream, std::size_t offset, std::size_t total, std::span<const std::byte> piece) {
  arriving& at = begin(stream, total);
  if (!piece.empty()) std::memcpy(at.to + offset, piece.data(), piece.size());
  arrived(at, piece.size());
}

void exchange::await(int first, int last) {
  for (int k = first; k < last; ++k) {
    const arriving& at = streams_[static_cast<std::size_t>(k)];
    if (at.begun && at.missing == 0) continue;
    const tasks::wait_name waits_for("what other members of a collective send",
                                     collective::here().called_at());
    while (!at.begun || at.missing > 0) tasks::scheduler::here()->suspend(waiting_, waits_for.text());
  }
}

}  // namespace orujo::internal::collectives
