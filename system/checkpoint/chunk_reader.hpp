// Reads the records of a checkpoint's files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"
#include "system/checkpoint/manifest.hpp"

namespace orujo::internal::checkpoint {

// Reads one file after the other. decode() has found the manifest right.
class chunk_reader {
 public:
  chunk_reader(const std::string& folder, const manifest& from) : folder_(folder), from_(from) {}

  // The chunk's records, valid until the next call. bad_data if the file is shorter, or its bytes do not
  // match.
  result<std::span<const std::byte>> read(const chunk& c);

 private:
  const std::string& folder_;
  const manifest& from_;
  std::uint64_t number_ = ~std::uint64_t{0};
  base::descriptor file_;  // of this number
  std::uint64_t file_bytes_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace orujo::internal::checkpoint
