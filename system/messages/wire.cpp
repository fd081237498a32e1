#include "system/messages/wire.hpp"

#include <fmt/format.h>

#include "system/base/fatal.hpp"

namespace orujo::internal::messages {
namespace {

bool is_at(core_id core, locale_id locale, const job_shape& shape) {
  const core_id first = shape.first_core_of(locale);
  return core >= first && core < first + shape.cores_of(locale);
}

// Checks that the block is from there and for here.
const char* fault_of_way(const block& b, locale_id from, locale_id here, const job_shape& shape) {
  if (b.source < 0 || b.source >= shape.cores() || b.destination < 0 || b.destination >= shape.cores())
    return "a block names cores that there are not";
  const bool right = is_at(b.source, from, shape) && is_at(b.destination, here, shape);
  return right ? nullptr : "a block is not on its way to here";
}

}  // namespace

parcel_contents look_into(std::span<const std::byte> parcel, locale_id from, locale_id here,
                          const job_shape& shape) {
  parcel_contents found;
  for (std::size_t at = 0; at < parcel.size(); ++found.blocks) {
    const std::size_t left = parcel.size() - at;
    if (left < sizeof(block)) return {0, "it ends within a block's header"};
    const block& b = *reinterpret_cast<const block*>(parcel.data() + at);
    if (b.bytes > max_block_content) return {0, "a block is larger than blocks are"};
    if (b.wire_bytes() > left) return {0, "a block ends behind it"};
    if (const char* fault = fault_of_way(b, from, here, shape)) return {0, fault};
    at += b.wire_bytes();
  }
  return found;
}

void fail_for_damage(const char* what, const char* fault, locale_id from) {
  base::fail(
      exit_status::broken_invariant,
      fmt::format("{} from locale {} is damaged: {}; a program that writes outside of its memory, or faulty "
                  "memory or network, may have changed it",
                  what, from, fault));
}

}  // namespace orujo::internal::messages
