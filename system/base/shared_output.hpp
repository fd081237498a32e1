// A file that several processes of a machine write, each a part of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orujo::base {

// The place of a file that one process has open, by which the others find theirs to be the same.
struct shared_output_place {
  std::string path;
  std::uint64_t device = 0, node = 0;
  std::string machine;     // its boot id
  std::uint64_t size = 0;  // of what is written already

  // Nothing if the system does not tell device, inode and machine.
  static std::optional<shared_output_place> of(const std::string& path, int descriptor, std::uint64_t size);

  template <class Archive>
  void serialize(Archive& archive) {
    archive(path, device, node, machine, size);
  }
};

// The descriptor of one process for it. One thread.
class shared_output {
 public:
  // Nothing if the path is another file here, or the machine another one: between machines parts of one page
  // may be lost.
  static std::optional<shared_output> open(const shared_output_place& place);
  shared_output(shared_output&& other) noexcept;
  ~shared_output();

  // 0, or errno where it cannot be written.
  int write(std::uint64_t at, std::string_view bytes);

 private:
  explicit shared_output(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace orujo::base
