// Bulk transfers within a collective: from one member's memory straight into another's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "system/collectives/collective.hpp"

namespace orujo::internal::collectives {

// The numbered streams that one member receives; the object lies on the stack of the task that takes part.
// Each stream has one sender, who names it. It arrives at the address that `where` returns: in messages of
// 4 KiB, or from 64 KiB on as delegates::put does it, from memory to memory.
class exchange {
 public:
  // Returns the address for the `bytes` of a stream. It is called once per stream, in a handler, when the
  // first piece arrives.
  using place = std::function<std::byte*(int stream, std::size_t bytes)>;

  // [task; suspends; collective over the group] Costs a barrier.
  exchange(const members& who, int streams, place where, const call_site& at = call_site::current());
  exchange(const exchange&) = delete;
  // No stream may arrive later: await() every one that will be sent.
  ~exchange() { collective::here().end_exchange(number_); }

  // [task; suspends] Returns when `bytes` may be reused. Costs a message per 4,000 bytes, at least one; a
  // large stream a call, a put and a message.
  void send(int to_member, int stream, std::span<const std::byte> bytes);
  // [task; suspends] Returns when the streams [first, last) are complete.
  void await(int first, int last);

 private:
  struct arriving {
    std::byte* to = nullptr;
    std::size_t missing = 0;
    bool begun = false;
  };
  void put(core_id core, int stream, std::span<const std::byte> bytes);
  arriving& begin(int stream, std::size_t total);
  void arrived(arriving& at, std::size_t bytes);
  void receive(int stream, std::size_t offset, std::size_t total, std::span<const std::byte> piece);

  const collective::entrance entered_;
  const members who_;
  const place where_;
  std::vector<arriving> streams_;
  tasks::wait_queue waiting_;
  const std::uint32_t number_;
};

}  // namespace orujo::internal::collectives
