// Arrays of NumPy as .npy files have them: a header, then all entries.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/edge.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::formats {

inline constexpr std::string_view numpy_magic = "\x93NUMPY";

struct numpy_array {
  std::string path;       // for people
  char kind = 0;          // of the entries: i, u, f, c (complex), b (bool), S or U
  std::size_t width = 0;  // in bytes
  bool big_endian = false;
  bool columns_first = false;  // Fortran's order
  std::vector<std::uint64_t> shape;
  std::vector<char> bytes;

  std::uint64_t size() const;  // in entries
  // The index of an entry in an array of two dimensions.
  std::uint64_t place(std::uint64_t row, std::uint64_t column) const {
    return columns_first ? column * shape[0] + row : row * shape[1] + column;
  }

  bool has_numbers() const { return kind == 'i' || kind == 'u' || kind == 'f'; }
  // Fails with bad_data and the entry's index if it is not a whole number from 0 on.
  result<std::uint64_t> id(std::uint64_t k) const;
  // bad_data if it is not finite as a float. Notes in the list a whole one that single precision rounds.
  result<float> weight(std::uint64_t k, edge_list& list) const;
  std::string text() const;  // of an array of one text

 private:
  double real(std::uint64_t k) const;
  std::uint64_t bits(std::uint64_t k) const;
  status bad_entry(std::uint64_t k, std::string_view what) const;
};

// Reads the source from its start to its end
// (numpy.org/doc/stable/reference/generated/numpy.lib.format.html). Fails with bad_data if it is not an array
// of numbers, bools or texts, or has more or fewer bytes than it says. Fails with no_resource if it has more
// than most_bytes.
result<numpy_array> read_numpy(byte_source& source, const std::string& path, std::uint64_t most_bytes);

}  // namespace orujo::internal::formats
