// The manifest of a checkpoint. It is the file that is written last and lists the contents of the others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "system/base/status.hpp"

// A manifest is text, with an item a line and blanks between words. In words other than numbers blanks, '%'
// and unprintable bytes are written as %XX.
//
//   orujo checkpoint 1
//   epoch NUMBER TOKEN RUN                     the token is in the names of the files that belong to it
//   fact NAME VALUE                            what has to be the same where it is used
//   value NAME BYTES                           in hexadecimal; '-' where there are none
//   section NAME ordered|loose RECORD_BYTES RECORDS
//   file BYTES                                 number 0, 1, ...
//   chunk FILE SECTION FIRST RECORDS AT SUM    FIRST: of the section's records, 0 where they are loose
//   end SUM                                    of all bytes before this line
//
// The files have nothing but chunks, back to back. Sums are XXH3 of 64 bits, in hexadecimal.
namespace orujo::internal::checkpoint {

inline constexpr int manifest_version = 1;

using fact = std::pair<std::string, std::string>;

struct named_bytes {
  std::string name;
  std::vector<std::byte> bytes;
  friend bool operator==(const named_bytes&, const named_bytes&) = default;
};

// Records of one size. The records of ordered sections have numbers, others come in any order.
struct section {
  std::string name;
  bool ordered = true;
  std::uint64_t record_bytes = 1;
  std::uint64_t records = 0;
  friend bool operator==(const section&, const section&) = default;
};

// Records that lie together in a file and have one checksum.
struct chunk {
  std::uint64_t file, section, first, records, at, checksum;
  friend bool operator==(const chunk&, const chunk&) = default;
};

struct manifest {
  std::uint64_t epoch = 0;
  std::uint64_t token = 0;
  std::uint64_t run = 0;  // the run of the job that wrote it
  std::vector<fact> facts;
  std::vector<named_bytes> values;
  std::vector<section> sections;
  std::vector<std::uint64_t> file_bytes;
  std::vector<chunk> chunks;
  friend bool operator==(const manifest&, const manifest&) = default;
};

std::string encode(const manifest& all);

// Decodes a manifest whose chunks lie within their files and sections. They have every record of each
// section, and those of ordered sections once. A damaged one gives bad_data, "PATH: ...", and a whole one of
// another version bad_checkpoint.
result<manifest> decode(std::string_view text, const std::string& path);

// The first difference, as "NAME is VALUE and was VALUE"; empty if there is none.
std::string difference(const std::vector<fact>& now, const std::vector<fact>& then);

}  // namespace orujo::internal::checkpoint
