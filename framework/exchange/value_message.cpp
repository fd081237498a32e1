#include "framework/exchange/value_message.hpp"

#include <glog/logging.h>

#include "framework/exchange/codecs/list_message.hpp"
#include "system/observe/metrics.hpp"

namespace orujo::internal::exchange {
namespace {

const observe::counter value_bytes_all("exchange.value_bytes_raw",
                                       "bytes of all mirrored values in every exchange of values");
const observe::counter value_bytes_sent("exchange.value_bytes",
                                        "bytes sent for them: changed values and lists of their places");
const observe::counter place_bytes_raw("exchange.place_bytes_raw", "bytes of the lists tried, 4 per place");
const observe::counter place_bytes_sent("exchange.place_bytes", "bytes of the lists tried, encoded");

}  // namespace

void append_places(const codec& with, std::span<const std::uint32_t> places,
                   std::vector<std::byte>& payload) {
  const std::size_t before = payload.size();
  append_list(with, places, payload);
  place_bytes_raw.add(places.size_bytes());
  place_bytes_sent.add(payload.size() - before);
}

void read_places(const stretch& s, std::size_t value_bytes, std::span<const std::byte> payload,
                 std::vector<std::uint32_t>& places) {
  CHECK_LE(value_bytes, payload.size()) << "changed values of mirrored vertices";
  const status read = read_list(payload.subspan(value_bytes), s.changed, places);
  CHECK(read.ok()) << "places of mirrored vertices: " << read.message();
  CHECK_EQ(places.size(), s.changed) << "places of mirrored vertices";
  CHECK(places.empty() || places.back() < s.length) << places.back() << " of " << s.length;
}

void require_valid(bool alike) { CHECK(alike) << "alike values of mirrored vertices"; }

void count_values(std::size_t all_bytes, std::size_t bytes) {
  value_bytes_all.add(all_bytes);
  value_bytes_sent.add(bytes);
}

}  // namespace orujo::internal::exchange
