#include "framework/formats/orj_file.hpp"

#include <fmt/format.h>

#include <glog/logging.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "framework/formats/source_bytes.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::formats {

result<std::optional<orj_header>> find_orj_header(byte_source& source) {
  std::optional<orj_header> none;
  std::array<std::byte, orj_page> bytes{};
  constexpr std::uint64_t magic_bytes = 8;
  if (!source.seekable() || source.size() < magic_bytes) return none;
  const std::size_t there = std::min(source.size(), orj_page);
  if (status failed = read_all(source, 0, std::span(bytes).first(there)); !failed.ok()) return failed;
  if (!is_orj(bytes)) return none;
  if (there < orj_page) return orj_error(source.path(), there, "header", "the file ends within it");
  const auto header = decode_header(bytes, source.size(), source.path());
  if (!header.ok()) return header.status();
  return std::optional(header.value());
}

result<orj_section_reader> orj_section_reader::open(byte_source& source, const orj_header& header,
                                                    orj_section section) {
  orj_section_reader reader(source, header, section);
  if (reader.place_.bytes == 0) return reader;
  reader.checksums_.resize(blocks_of(reader.place_.bytes));
  const std::span<std::byte> bytes = std::as_writable_bytes(std::span(reader.checksums_));
  const std::uint64_t at = header[orj_section::checksums].first + 8 * first_block_of(header, section);
  if (status failed = read_all(source, at, bytes); !failed.ok()) return failed;
  if (files::checksum(bytes) != reader.place_.checksum)
    return orj_error(source.path(), at, name_of(orj_section::checksums),
                     fmt::format("is damaged in its entry of section {}", name_of(section)));
  return reader;
}

status orj_section_reader::error(std::uint64_t byte_of_section, std::string_view what) const {
  return orj_error(source_->path(), place_.first + byte_of_section, name_of(section_), what);
}

status orj_section_reader::check_block(std::uint64_t block, std::span<const std::byte> content) const {
  if (files::checksum(content) == checksums_[block]) return {};
  return error(block * orj_block_bytes,
               fmt::format("its {} bytes from here on are damaged: their checksum differs", content.size()));
}

status orj_section_reader::read(std::uint64_t first, std::span<std::byte> into, const check& look_at) {
  const std::uint64_t last = first + into.size();
  CHECK_LE(last, place_.bytes);
  std::span<std::byte> in_place;
  if (!source_->mapped().empty())
    in_place = {const_cast<std::byte*>(source_->mapped().data()) + place_.first, place_.bytes};
  for (std::uint64_t at = first; at < last;) {
    const std::uint64_t block = at / orj_block_bytes, block_first = block * orj_block_bytes;
    const std::uint64_t block_bytes = std::min(orj_block_bytes, place_.bytes - block_first);
    const std::uint64_t end = std::min(last, block_first + block_bytes);
    const std::span<std::byte> to = into.subspan(at - first, end - at);
    std::span<std::byte> whole = to;
    if (!in_place.empty()) {
      whole = in_place.subspan(block_first, block_bytes);
    } else {
      if (to.size() < block_bytes) {
        partial_.resize(block_bytes);
        whole = partial_;
      }
      if (status failed = read_all(*source_, place_.first + block_first, whole); !failed.ok()) return failed;
    }
    if (status failed = check_block(block, whole); !failed.ok()) return failed;
    const std::byte* const from = whole.data() + (at - block_first);
    if (from != to.data()) std::memcpy(to.data(), from, to.size());
    if (look_at) {
      if (status failed = look_at(at, end); !failed.ok()) return failed;
    }
    at = end;
  }
  return {};
}

}  // namespace orujo::internal::formats
