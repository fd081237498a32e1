// Members of gzip and frames of zstd, for tests of their readers.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

namespace orujo::internal::formats {

// One member, with the extra field `extra` in its header, if not empty.
inline std::string gzip_member(std::string content, std::string extra = {}) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
  gz_header header{};
  if (!extra.empty()) {
    header.extra = reinterpret_cast<Bytef*>(extra.data());
    header.extra_len = static_cast<uInt>(extra.size());
    header.os = 255;
    deflateSetHeader(&stream, &header);
  }
  std::string packed(deflateBound(&stream, content.size()) + extra.size() + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(content.data());
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// As bgzip has it: the member's size is in its header.
inline std::string bgzf_block(const std::string& content) {
  using namespace std::string_view_literals;
  std::string block = gzip_member(content, std::string("BC\2\0\0\0"sv));
  const auto last = static_cast<std::uint16_t>(block.size() - 1);
  block[16] = static_cast<char>(last & 0xff);
  block[17] = static_cast<char>(last >> 8);
  return block;
}

inline std::string bgzf(std::string_view content, std::size_t block_bytes = 60000) {
  std::string blocks;
  for (; !content.empty(); content.remove_prefix(std::min(content.size(), block_bytes)))
    blocks += bgzf_block(std::string(content.substr(0, block_bytes)));
  return blocks + bgzf_block("");
}

// A frame whose header says how much it holds, and that has a checksum, or not.
inline std::string zstd_frame(std::string_view content, bool says_size = true, bool has_checksum = true) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, says_size ? 1 : 0);
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, has_checksum ? 1 : 0);
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context, packed.data(), packed.size(), content.data(), content.size());
  EXPECT_FALSE(ZSTD_isError(size));
  packed.resize(size);
  ZSTD_freeCCtx(context);
  return packed;
}

// As pzstd puts it before a frame: one without content that says how long that is.
inline std::string skippable_frame(std::string_view content) {
  std::string frame = "\x50\x2a\x4d\x18";
  for (int shift = 0; shift < 32; shift += 8) frame += static_cast<char>(content.size() >> shift & 0xff);
  return frame.append(content);
}

}  // namespace orujo::internal::formats
