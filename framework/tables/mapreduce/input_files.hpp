// Files as the input of a mapper: each core reads a part of them, piece by piece.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::mapreduce {

// A file of the input.
struct input_file {
  std::string path;
  std::uint64_t bytes = 0;  // as it lies on the disk
  bool seekable = false;    // else compressed
};
// The files of the input of a mapper, in order; find_input_on_all() finds them.
using input_files = std::vector<input_file>;

// Any thread. The file, or the files of a directory and of those within it, in the order of their paths but
// for those whose names begin with a dot. Fails as open_source() does, and with no_input if there is none.
result<input_files> find_input(const std::string& path);

// [task; suspends; collective over the job] Finds the file of this path, or the files of a directory and of
// those within it, in the order of their paths; names that begin with a dot are left out. Returns the same at
// every core. Fails with no_input if there is none, and with bad_data if nodes see different files.
result<input_files> find_input_on_all(const std::string& path);

std::uint64_t bytes_of(const input_files& files);
std::vector<std::string> paths_of(const input_files& files);

// Bytes [first, last) of a file.
struct file_part {
  std::size_t file = 0;
  std::uint64_t first = 0, last = 0;
};
// The k-th of n nearly equal parts of the files, taken one after the other. A compressed file is read by the
// core that has its first byte.
std::vector<file_part> parts_of(const input_files& files, std::size_t k, std::size_t n);
// The calling core's of as many parts as the job has cores.
std::vector<file_part> my_parts(const input_files& files);

// A reader's mistake: its position in the content of the file, and "what is wrong; what is expected". Without
// a text there is none.
struct mistake {
  std::uint64_t at = 0;
  std::string text = {};
  bool any() const { return !text.empty(); }
};

// [task; suspends] bad_data, `"FILE:LINE:COLUMN: text"`. Reads the file up to there once more.
status mistake_in(const input_file& file, const mistake& m);

// [task; suspends] Reads the calling core's parts by status read(file, part, found), up to the first mistake.
template <class Read>
status read_my_parts(const input_files& files, const Read& read) {
  for (const file_part& part : my_parts(files)) {
    mistake found;
    if (status failed = read(files[part.file], part, found); !failed.ok()) return failed;
    if (found.any()) return mistake_in(files[part.file], found);
  }
  return {};
}

// Bytes of a file that no reader has taken yet.
struct chunk {
  std::string_view bytes;
  std::uint64_t at = 0;  // of the file
  bool is_last = false;  // nothing follows them
};
inline constexpr std::size_t stop_reading = ~std::size_t{0};
// Returns the number of bytes that it has used, or stop_reading. It gets the others again, followed by more.
// It may leave longest_piece_bytes.
using chunk_reader = std::function<std::size_t(const chunk&)>;
inline constexpr std::size_t longest_piece_bytes = std::size_t{64} << 10;

// [task; suspends] Gives a reader the bytes of a part, beginning a byte before it, and the bytes after it,
// until it stops. Others run once in a chunk of 1 MiB.
status read_part(const input_file& file, const file_part& part, const chunk_reader& reader);

}  // namespace orujo::internal::mapreduce
