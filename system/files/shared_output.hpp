// A file that several processes of a machine write, each a part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "system/base/descriptor.hpp"

namespace orujo::internal::files {

// The place of a file that one process has open, by which the others find theirs to be the same.
struct shared_output_place {
  std::string path;
  std::uint64_t device = 0, node = 0;
  std::string machine;     // its boot id
  std::uint64_t size = 0;  // of what is written already

  // Nothing if the system does not tell device, inode and machine.
  static std::optional<shared_output_place> of(const std::string& path, const base::descriptor& opened,
                                               std::uint64_t size);
  // The file, to write. None if the path is another file here, or the machine another one: between machines
  // parts of one page may be lost.
  base::descriptor open() const;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(path, device, node, machine, size);
  }
};

}  // namespace orujo::internal::files
