// Packed values (messages/pack.hpp) of any size on their way to another core.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "system/base/identity.hpp"
#include "system/messages/messenger.hpp"
#include "system/messages/pack.hpp"

namespace orujo::internal::delegates::detail {

// Bytes that do not fit a message. They stay at the sending core until they are fetched.
struct large_packed {
  core_id from;
  std::vector<std::byte>* bytes;
  const std::byte* first;
  std::size_t size;
  bool counted;  // against the number that this core may have under way
};
// [task or handler] A task waits while 16 others of its core are under way.
large_packed keep_for_fetching(std::vector<std::byte>&& bytes);
// [handler] Runs receive(bytes) in a handler of this core.
void fetch(const large_packed& what, std::function<void(std::span<const std::byte>)> receive);

// [task or handler] Runs `receive(std::span<const std::byte>)` with `packed` at core `to` some time, in a
// message handler. A message takes packed values of up to 4 KiB less some headers, by one more copy. Larger
// ones stay in place. A core of the same locale reads them there. A core of another locale fetches them in a
// task, by a bulk get. This takes messages of 4 KiB or, from 16 KiB on, transfers without a further copy.
// Messages sent later may arrive before them.
template <class Receive>
void send_packed(core_id to, const Receive& receive, std::vector<std::byte>&& packed) {
  messages::messenger& here = messages::messenger::here();
  if (packed.size() <= messages::messenger::max_payload_bytes(sizeof(Receive)))
    return here.send_with_payload(to, receive, packed);
  const large_packed large = keep_for_fetching(std::move(packed));
  here.send_seldom(to, [receive, large] { fetch(large, receive); });
}

// Travels in place of a closure that takes values, and reads them where it is called.
template <class F, class... Args>
struct with_values {
  F f;
  static std::tuple<Args...> read(std::span<const std::byte> packed) {
    std::tuple<Args...> values;
    messages::unpacker archive(packed);
    std::apply([&](Args&... each) { archive(each...); }, values);
    archive.require_end();
    return values;
  }
  auto operator()(std::span<const std::byte> packed) const { return std::apply(f, read(packed)); }
};

}  // namespace orujo::internal::delegates::detail
