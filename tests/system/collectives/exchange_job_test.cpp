#include "system/collectives/exchange.hpp"

#include <gtest/gtest.h>

#include "system/base/random.hpp"
#include "tests/system/cores_where.hpp"

namespace orujo::internal::collectives {
namespace {

TEST(exchange, streams_arrive_whole_at_the_place_asked_for) {
  // Each core sends to the next: an empty stream, one of a byte, one of a whole piece, and one of many.
  static constexpr std::size_t sizes[] = {0, 1, 4000, 4001, 300'000};
  constexpr int streams = std::size(sizes);
  EXPECT_EQ(cores_where([] {
              std::vector<std::vector<std::byte>> received(streams);
              std::vector<int> asked(streams, 0);
              exchange transfers(members(group::job), streams, [&](int stream, std::size_t bytes) {
                ++asked[static_cast<std::size_t>(stream)];
                received[static_cast<std::size_t>(stream)].resize(bytes);
                return received[static_cast<std::size_t>(stream)].data();
              });
              const auto content = [](core_id from, std::size_t size) {
                std::vector<std::byte> bytes(size);
                for (std::size_t i = 0; i < size; ++i) {
                  bytes[i] = static_cast<std::byte>(mix64(i + static_cast<std::size_t>(from)));
                }
                return bytes;
              };
              const core_id next = (my_core() + 1) % cores(), previous = (my_core() + cores() - 1) % cores();
              for (int s = streams - 1; s >= 0; --s) {
                transfers.send(next, s, content(my_core(), sizes[s]));
              }
              transfers.await(0, streams);
              for (int s = 0; s < streams; ++s) {
                if (received[static_cast<std::size_t>(s)] != content(previous, sizes[s])) return false;
              }
              return asked == std::vector<int>(streams, 1);
            }),
            cores());
}

}  // namespace
}  // namespace orujo::internal::collectives
