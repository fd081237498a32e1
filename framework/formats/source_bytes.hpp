// Reads an exact number of bytes of a source, and the numbers in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/formats/byte_source.hpp"

namespace orujo::internal::formats {

// In the machine's order of bytes, which is that of all binary formats here: little-endian.
template <class Number>
Number number_at(const char* bytes) {
  Number value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}
template <class Number>
void append_number(std::string& to, Number value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Fails if the source does, and with bad_data if it ends before `into` is full.
status read_all(byte_source& source, std::uint64_t at, std::span<char> into);
inline status read_all(byte_source& source, std::uint64_t at, std::span<std::byte> into) {
  return read_all(source, at, std::span(reinterpret_cast<char*>(into.data()), into.size()));
}

// Reads all of a source into memory, so that it can be read at any offset. It keeps the path and has the
// whole size. Fails if the source does, and with no_resource if it holds more than most_bytes.
result<std::unique_ptr<byte_source>> read_into_memory(byte_source& source, std::uint64_t most_bytes);

// These bytes as a source that can be read at any offset.
std::unique_ptr<byte_source> source_in_memory(std::string path, std::vector<char> bytes);

// A source whose first bytes have been inspected. It is read from its start on. `of` must outlive it.
class looked_at_source final : public byte_source {
 public:
  explicit looked_at_source(byte_source& of) : byte_source(of.path()), of_(of) {}

  // So many of its first bytes, or all that are there; once, before anything else.
  result<std::string_view> look(std::size_t bytes);

  const std::string& path() const override { return of_.path(); }
  bool seekable() const override { return of_.seekable(); }
  std::optional<compression> compressed_by() const override { return of_.compressed_by(); }
  std::uint64_t size() const override { return of_.size(); }
  result<std::size_t> read(std::span<char> into) override;
  result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    return of_.read_at(offset, into);
  }
  result<std::unique_ptr<byte_source>> again() const override { return of_.again(); }

 private:
  byte_source& of_;
  std::string start_;
  std::size_t given_ = 0;  // of it
};

}  // namespace orujo::internal::formats
