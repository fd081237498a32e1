// A file that several processes of a machine write, each its part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace orujo::base {

// Where the file is that one of them has open, so that the others can tell that theirs is the same.
struct shared_output_place {
  std::string path;
  std::uint64_t device = 0, node = 0;
  std::string machine;     // since it was started
  std::uint64_t size = 0;  // of what is written already

  // Nothing where the system does not say what is needed.
  static std::optional<shared_output_place> of(const std::string& path, int descriptor, std::uint64_t size);

  template <class Archive>
  void serialize(Archive& archive) {
    archive(path, device, node, machine, size);
  }
};

// One process's way to it. One thread.
class shared_output {
 public:
  // Nothing where the path is not this file here, or the machine is another one: between machines parts of
  // one page may be lost.
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
