// The content of a file compressed by gzip or zstd, from its start to its end.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/plain_source.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

inline constexpr std::string_view gzip_magic = "\x1f\x8b", zstd_magic = "\x28\xb5\x2f\xfd";

// True for a frame of zstd without content. Programs keep data of their own in such frames, and pzstd begins
// with one.
bool is_skippable_frame(std::string_view start);

// By the first bytes of the file.
std::optional<compression> compression_of(std::string_view start);

// One or more members (RFC 1952) or frames (RFC 8878). Fails if there is no memory.
result<std::unique_ptr<byte_source>> decompress(std::unique_ptr<plain_source> file, compression how);

}  // namespace orujo::internal::formats
