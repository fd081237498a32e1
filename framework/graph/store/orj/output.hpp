// An .orj file while it is being written by all cores of the job.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/formats/orj_header.hpp"
#include "system/base/descriptor.hpp"
#include "system/base/status.hpp"
#include "system/files/replacement_file.hpp"

namespace orujo::internal::graph {

// One core's view of the file. Members that are collective fail the same at every core.
class orj_output {
 public:
  // Core 0. The file that core 0 makes (system/files/replacement_file.hpp): if it cannot be, io_error.
  static result<files::replacement_file> create(const std::string& path);
  // [task; suspends; collective over the job]
  static result<orj_output> open(const std::string& path);

  const std::string& temporary_path() const { return temporary_path_; }

  // io_error if the bytes cannot be written.
  status write(std::uint64_t at, std::span<const std::byte> bytes) const;

  // [task; suspends; collective over the job] Cuts the file at `bytes`, when every core has written its part
  // before that.
  status cut(std::uint64_t bytes) const;

  // [task; suspends; collective over the job] Called when every core has written its parts of the sections
  // from `first_new` on. Reads these back for their checksums, and writes the section of checksums and the
  // header. `header` has the places, and the checksums of the sections before `first_new`, whose blocks'
  // checksums are at the front of `blocks`.
  status seal(formats::orj_header& header, formats::orj_section first_new,
              std::vector<std::uint64_t>& blocks) const;

  // [task; suspends; collective over the job] Brings the file to the disk and gives it its name.
  status finish();

 private:
  explicit orj_output(std::string path);
  status failure() const;

  std::string path_, temporary_path_;
  std::optional<files::replacement_file> made_;  // at core 0
  base::descriptor file_;
};

// Values that go to consecutive places of a file, collected to writes of 1 MiB.
template <class T>
class orj_stream {
 public:
  orj_stream(const orj_output& to, std::uint64_t at) : to_(to), at_(at) { values_.reserve(most); }

  void put(T value) {
    values_.push_back(value);
    if (values_.size() == most) flush();
  }
  status finish() {
    flush();
    return failed_;
  }

 private:
  static constexpr std::size_t most = (std::size_t{1} << 20) / sizeof(T);
  void flush() {
    if (failed_.ok()) failed_ = to_.write(at_, std::as_bytes(std::span(values_)));
    at_ += values_.size() * sizeof(T);
    values_.clear();
  }

  const orj_output& to_;
  std::uint64_t at_;
  std::vector<T> values_;
  status failed_;
};

}  // namespace orujo::internal::graph
