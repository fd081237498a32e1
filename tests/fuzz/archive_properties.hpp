// Properties of any bytes that are taken for an archive or for compressed data.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "framework/formats/archive_source.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::fuzz {

struct unpacked_bytes {
  std::string content, error;
  exit_status code = exit_status::ok;
  friend bool operator==(const unpacked_bytes&, const unpacked_bytes&) = default;
};

// Unpacks at most `most` bytes of the graph's file, `step` at a time. A tar is given as it comes out of gzip.
inline unpacked_bytes unpack_all(std::string_view bytes, std::size_t step, std::size_t most) {
  const formats::packing how = formats::packing_of(bytes.substr(0, formats::packing_bytes));
  const bool seekable = how != formats::packing::tar;
  const auto source = formats::unpack("F", how, [&]() -> result<std::unique_ptr<formats::byte_source>> {
    return std::unique_ptr<formats::byte_source>(
        std::make_unique<formats::memory_source>(std::string(bytes), "F", step, seekable));
  });
  unpacked_bytes all;
  std::string some(step, '\0');
  while (all.content.size() < most) {
    const auto got = source->read(some);
    if (!got.ok()) return {all.content, got.status().message(), got.status().code()};
    if (got.value() == 0) break;
    all.content.append(some, 0, got.value());
  }
  all.content.resize(std::min(all.content.size(), most));
  return all;
}

// "" or what is wrong: an error is no bad_data, or other pieces give another content.
inline std::string broken_archive_property(std::string_view bytes) {
  constexpr std::size_t most = 1 << 16;
  if (formats::packing_of(bytes.substr(0, formats::packing_bytes)) == formats::packing::none) return "";
  const unpacked_bytes whole = unpack_all(bytes, most, most);
  if (whole.code != exit_status::ok && (whole.code != exit_status::bad_data || whole.error.empty()))
    return "no bad_data: " + whole.error;
  const unpacked_bytes pieces = unpack_all(bytes, 61, most);
  const bool both_good = whole.code == exit_status::ok && pieces.code == exit_status::ok;
  return !both_good || whole.content == pieces.content ? "" : "read in other pieces";
}

}  // namespace orujo::internal::fuzz
