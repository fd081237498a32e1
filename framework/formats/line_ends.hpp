// The line ends of text files: LF, CRLF, or CR alone, as old Macs wrote it. Readers get CR alone as LF, so
// that they and code that divides files into parts search for LF only; bytes keep their positions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "framework/formats/byte_source.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

// Replaces each CR that no LF follows by LF. lf_follows: of the last byte.
void end_lines_by_lf(std::span<char> text, bool lf_follows);

// `byte_source::read_at()` of text. Reads one byte more if the last one is CR.
result<std::size_t> read_text_at(byte_source& source, std::uint64_t offset, std::span<char> into);

// `byte_source::read()` of text. `source` must outlive it.
class text_stream {
 public:
  explicit text_stream(byte_source& source) : source_(source) {}

  result<std::size_t> read(std::span<char> into);

 private:
  byte_source& source_;
  std::optional<char> next_;  // read already, to see whether it is an LF
};

}  // namespace orujo::internal::formats
