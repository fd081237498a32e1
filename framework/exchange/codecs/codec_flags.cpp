#include <gflags/gflags.h>

#include "framework/exchange/codecs/selection.hpp"
#include "system/base/flags.hpp"

DEFINE_string(codec, "auto",
              "encoding of lists of vertices between locales: auto (bitmap, bp128 or pfor, by density and "
              "gaps; none within a node), bp128, pfor, varint, stream_varint, bitmap, lz4 or none");
DEFINE_uint64(codec_min_bytes, orujo::internal::exchange::default_codec_min_bytes,
              "size in bytes, at 4 per vertex, below which lists are not encoded");

namespace orujo::internal::exchange {
namespace {

const flag_rule codec_rule(
    "codec", [] { return FLAGS_codec == "auto" || find_codec(FLAGS_codec) != nullptr; },
    "auto, bp128, pfor, varint, stream_varint, bitmap, lz4 or none");
const flag_rule min_bytes_rule(
    "codec_min_bytes", [] { return FLAGS_codec_min_bytes <= std::uint64_t{1} << 32; }, "at most 2^32");
const base::flag_need min_bytes_need(
    {"codec_min_bytes"}, [] { return FLAGS_codec != "none"; }, "with another --codec than none");

}  // namespace

codec_options codec_options_from_flags() {
  return {place_of(find_codec(FLAGS_codec)), FLAGS_codec_min_bytes};
}

}  // namespace orujo::internal::exchange
