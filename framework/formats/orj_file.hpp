// Reading the sections of an .orj file, checked block by block.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/orj_header.hpp"

namespace orujo::internal::formats {

// Returns nothing if the source does not begin as such a file does. Fails if the source does, and as
// decode_header() does.
result<std::optional<orj_header>> find_orj_header(byte_source& source);

// A section in memory, if the source lies there (byte_source::mapped()). It may be written to.
template <class T>
std::span<T> mapped_values(const byte_source& source, const orj_header& header, orj_section section) {
  const orj_header::place& place = header[section];
  if (source.mapped().empty()) return {};
  auto* const bytes = const_cast<std::byte*>(source.mapped().data()) + place.first;
  return {reinterpret_cast<T*>(bytes), place.bytes / sizeof(T)};
}

// One section of a file. Any thread, several at a time with a reader each. The source must outlive it.
class orj_section_reader {
 public:
  // Reads the checksums of the section's blocks: 1/32768 of its bytes.
  static result<orj_section_reader> open(byte_source& source, const orj_header& header, orj_section section);

  // Checks the values in bytes first .. last - 1 of the section, which have been read.
  using check = std::function<status(std::uint64_t first, std::uint64_t last)>;

  // Reads as many bytes as `into` has, from `first` on, and compares the checksums of all blocks that they
  // touch. If `into` is the same part of mapped_values(), nothing is copied. look_at is called after every
  // block, while it is in the cache. Fails if the source or look_at does, and with bad_data if a
  // checksum differs; what was read before is there.
  status read(std::uint64_t first, std::span<std::byte> into, const check& look_at = {});

  template <class T>
  status read_values(std::uint64_t first, std::span<T> into, const check& look_at = {}) {
    return read(first * sizeof(T), std::as_writable_bytes(into), look_at);
  }

  status error(std::uint64_t byte_of_section, std::string_view what) const;

 private:
  orj_section_reader(byte_source& source, const orj_header& header, orj_section section)
      : source_(&source), place_(header[section]), section_(section) {}
  status check_block(std::uint64_t block, std::span<const std::byte> content) const;

  byte_source* source_;
  orj_header::place place_;
  orj_section section_;
  std::vector<std::uint64_t> checksums_;  // by block
  std::vector<std::byte> partial_;        // a block of which only a part is wanted
};

}  // namespace orujo::internal::formats
