#include "framework/formats/archive_source.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <optional>
#include <span>
#include <utility>

#include "framework/formats/compressed_source.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t packed_buffer_bytes = std::size_t{256} << 10;
constexpr std::size_t most_members = 10000;  // that are remembered
constexpr std::size_t longest_member_name = 1024;
constexpr std::string_view remedy = unpack_remedy;

std::string_view name_of(packing how) {
  constexpr std::string_view names[] = {"plain", "bzip2", "xz", "zip", "tar"};
  return names[static_cast<std::size_t>(how)];
}

std::string_view program_that_tests(packing how) {
  constexpr std::string_view programs[] = {"cat", "bzip2 -t", "xz -t", "unzip -t", "tar -tf"};
  return programs[static_cast<std::size_t>(how)];
}

struct archive_closer {
  void operator()(archive* a) const { ::archive_read_free(a); }
};

// A way through an archive from its start: its regular files, and the bytes of some.
class archive_pass {
 public:
  archive_pass(std::string path, packing how, std::unique_ptr<byte_source> packed)
      : path_(std::move(path)), how_(how), packed_(std::move(packed)), buffer_(packed_buffer_bytes) {}
  archive_pass(const archive_pass&) = delete;
  archive_pass& operator=(const archive_pass&) = delete;

  status start();
  // The name of the next file; nothing at the end.
  result<std::optional<std::string>> next();
  result<std::size_t> read(std::span<char> into);
  bool is_encrypted() const { return ::archive_entry_is_encrypted(entry_) != 0; }
  // True if it is a single compressed file, not an archive of files.
  bool is_bare() const {
    const int format = ::archive_format(archive_.get());
    return format == ARCHIVE_FORMAT_RAW || format == ARCHIVE_FORMAT_EMPTY;
  }
  // Checks that nothing follows the compressed data.
  status check_end();

 private:
  static la_ssize_t give_bytes(archive* to, void* self, const void** bytes);
  static la_int64_t skip_bytes(archive* of, void* self, la_int64_t count);
  static la_int64_t seek_bytes(archive* of, void* self, la_int64_t offset, int whence);
  std::uint64_t bytes_read() const {
    return static_cast<std::uint64_t>(std::max<la_int64_t>(0, ::archive_filter_bytes(archive_.get(), -1)));
  }
  status bad_data(std::string_view what) const {
    return {exit_status::bad_data,
            fmt::format("{}: the {} data {} at about byte {}; check it with {}, or get it again", path_,
                        name_of(how_), what, bytes_read(), program_that_tests(how_))};
  }
  // The last message of libarchive.
  status failure() const;

  const std::string path_;
  const packing how_;
  std::unique_ptr<byte_source> packed_;
  std::vector<char> buffer_;
  std::uint64_t position_ = 0;  // in a seekable one
  status packed_failure_;
  archive_entry* entry_ = nullptr;
  std::unique_ptr<archive, archive_closer> archive_{::archive_read_new()};
};

la_ssize_t archive_pass::give_bytes(archive* to, void* self, const void** bytes) {
  auto& pass = *static_cast<archive_pass*>(self);
  byte_source& from = *pass.packed_;
  const auto got = from.seekable() ? from.read_at(pass.position_, pass.buffer_) : from.read(pass.buffer_);
  if (!got.ok()) {
    pass.packed_failure_ = got.status();
    ::archive_set_error(to, EIO, "cannot be read");
    return ARCHIVE_FATAL;
  }
  pass.position_ += got.value();
  *bytes = pass.buffer_.data();
  return static_cast<la_ssize_t>(got.value());
}

la_int64_t archive_pass::skip_bytes(archive*, void* self, la_int64_t count) {
  auto& pass = *static_cast<archive_pass*>(self);
  if (!pass.packed_->seekable()) return 0;
  const std::uint64_t left = pass.packed_->size() - std::min(pass.position_, pass.packed_->size());
  const std::uint64_t skipped = std::min(left, static_cast<std::uint64_t>(std::max<la_int64_t>(count, 0)));
  pass.position_ += skipped;
  return static_cast<la_int64_t>(skipped);
}

la_int64_t archive_pass::seek_bytes(archive*, void* self, la_int64_t offset, int whence) {
  auto& pass = *static_cast<archive_pass*>(self);
  const auto size = static_cast<la_int64_t>(pass.packed_->size());
  const la_int64_t base = whence == SEEK_SET   ? 0
                          : whence == SEEK_CUR ? static_cast<la_int64_t>(pass.position_)
                                               : size;
  const la_int64_t to = std::clamp<la_int64_t>(base + std::clamp(offset, -size - base, size), 0, size);
  pass.position_ = static_cast<std::uint64_t>(to);
  return to;
}

status archive_pass::start() {
  archive* const a = archive_.get();
  if (a == nullptr)
    return {exit_status::no_resource, fmt::format("no memory to unpack '{}'; free some memory", path_)};
  if (how_ == packing::zip) {
    ::archive_read_support_format_zip(a);
  } else {
    ::archive_read_support_format_tar(a);
  }
  if (how_ == packing::bzip2) ::archive_read_support_filter_bzip2(a);
  if (how_ == packing::xz) ::archive_read_support_filter_xz(a);
  if (how_ == packing::bzip2 || how_ == packing::xz) {
    ::archive_read_support_format_raw(a);
    ::archive_read_support_format_empty(a);
  }
  ::archive_read_set_callback_data(a, this);
  ::archive_read_set_read_callback(a, &give_bytes);
  ::archive_read_set_skip_callback(a, &skip_bytes);
  if (packed_->seekable()) ::archive_read_set_seek_callback(a, &seek_bytes);
  return ::archive_read_open1(a) < ARCHIVE_WARN ? failure() : status();
}

status archive_pass::failure() const {
  if (!packed_failure_.ok()) return packed_failure_;
  const char* const said = ::archive_error_string(archive_.get());
  return bad_data(fmt::format("is corrupt or ends too soon ({})", said ? said : "no reason given"));
}

result<std::optional<std::string>> archive_pass::next() {
  for (;;) {
    const int code = ::archive_read_next_header(archive_.get(), &entry_);
    if (code == ARCHIVE_EOF) return std::optional<std::string>();
    if (code < ARCHIVE_WARN) return failure();
    if (is_bare()) return std::optional<std::string>("");
    if (::archive_entry_filetype(entry_) != AE_IFREG || ::archive_entry_hardlink(entry_) != nullptr) continue;
    const char* name = ::archive_entry_pathname_utf8(entry_);
    if (name == nullptr) name = ::archive_entry_pathname(entry_);
    std::string shown = name != nullptr ? name : "?";
    if (shown.size() > longest_member_name) shown.erase(0, shown.size() - longest_member_name);
    std::ranges::replace_if(
        shown, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
    return std::optional(std::move(shown));
  }
}

result<std::size_t> archive_pass::read(std::span<char> into) {
  const la_ssize_t got = ::archive_read_data(archive_.get(), into.data(), into.size());
  if (got < 0) return failure();
  return static_cast<std::size_t>(got);
}

status archive_pass::check_end() {
  const auto more = next();
  if (!more.ok()) return more.status();
  if (!packed_->seekable() || bytes_read() == packed_->size()) return {};
  return bad_data("has other data after it");
}

// True for files that systems put beside others.
bool is_hidden(std::string_view path) {
  return path.substr(path.rfind('/') + 1).starts_with('.') || path.starts_with("__MACOSX/");
}

class unpacked_source final : public byte_source {
 public:
  unpacked_source(std::string path, packing how, source_opener open)
      : byte_source(std::move(path)), how_(how), open_(std::move(open)) {}

  bool seekable() const override { return false; }
  std::uint64_t size() const override { return 0; }
  const std::string& path() const override {
    return member_path_.empty() ? byte_source::path() : member_path_;
  }
  result<std::size_t> read_at(std::uint64_t, std::span<char>) override {
    return status(exit_status::broken_invariant, "read_at() of packed graph '" + path() + "'");
  }
  result<std::unique_ptr<byte_source>> again() const override {
    return unpack(byte_source::path(), how_, open_);
  }

  result<std::size_t> read(std::span<char> into) override {
    if (into.empty()) return std::size_t{0};
    if (!pass_) {
      if (status failed = find_graph(); !failed.ok()) return failed;
    }
    const bool first = !std::exchange(begun_, true);
    if (ended_) return std::size_t{0};
    auto got = pass_->read(into);
    if (!got.ok()) return got;
    ended_ = got.value() == 0;
    const std::string_view start(into.data(), first ? got.value() : 0);
    if (packing_of(start) != packing::none || compression_of(start))
      return status(exit_status::bad_data,
                    fmt::format("{}: is compressed inside the archive; {}", path(), remedy));
    if (!ended_ || !pass_->is_bare()) return got;
    if (status failed = pass_->check_end(); !failed.ok()) return failed;
    return got;
  }

 private:
  result<std::unique_ptr<archive_pass>> start_pass() const {
    auto packed = open_();
    if (!packed.ok()) return packed.status();
    auto pass = std::make_unique<archive_pass>(byte_source::path(), how_, std::move(packed).value());
    if (status failed = pass->start(); !failed.ok()) return failed;
    return pass;
  }

  // Leaves pass_ where the bytes of the graph begin.
  status find_graph() {
    auto started = start_pass();
    if (!started.ok()) return started.status();
    std::vector<std::string> names;
    std::vector<std::size_t> places;  // of those among all
    for (std::size_t place = 0;; ++place) {
      const auto name = started.value()->next();
      if (!name.ok()) return name.status();
      if (started.value()->is_bare()) {
        ended_ = !name.value();
        pass_ = std::move(started).value();
        return {};
      }
      if (!name.value()) break;
      if (is_hidden(*name.value())) continue;
      if (names.size() == most_members)
        return {exit_status::bad_data,
                fmt::format("{}: holds more than {} files; {}", path(), most_members, remedy)};
      names.push_back(*name.value());
      places.push_back(place);
    }
    const auto chosen = graph_among(names, byte_source::path());
    if (!chosen.ok()) return chosen.status();
    return go_to(places[chosen.value()], names[chosen.value()]);
  }

  status go_to(std::size_t place, const std::string& name) {
    auto started = start_pass();
    if (!started.ok()) return started.status();
    for (std::size_t k = 0; k <= place; ++k) {
      const auto there = started.value()->next();
      if (!there.ok()) return there.status();
      if (!there.value())
        return {exit_status::io_error,
                byte_source::path() + ": it has changed while it was read; read it again"};
    }
    if (started.value()->is_encrypted())
      return {exit_status::bad_data,
              fmt::format("{}: '{}' is encrypted; {}", byte_source::path(), name, remedy)};
    member_path_ = byte_source::path() + "/" + name;
    pass_ = std::move(started).value();
    return {};
  }

  const packing how_;
  const source_opener open_;
  std::string member_path_;
  std::unique_ptr<archive_pass> pass_;
  bool begun_ = false, ended_ = false;
};

}  // namespace

packing packing_of(std::string_view start) {
  constexpr std::size_t tar_magic_at = 257;
  if (start.starts_with("BZh")) return packing::bzip2;
  if (start.starts_with(std::string_view("\xfd"
                                         "7zXZ\0",
                                         6)))
    return packing::xz;
  if (start.starts_with("PK\3\4") || start.starts_with("PK\5\6")) return packing::zip;
  if (start.size() == packing_bytes && start.substr(tar_magic_at).starts_with("ustar")) return packing::tar;
  return packing::none;
}

std::unique_ptr<byte_source> unpack(const std::string& path, packing how, source_opener open) {
  return std::make_unique<unpacked_source>(path, how, std::move(open));
}

namespace {

// A source with another owner, from its start.
class lent_source final : public byte_source {
 public:
  explicit lent_source(byte_source& of) : byte_source(of.path()), of_(of) {}
  bool seekable() const override { return true; }
  std::uint64_t size() const override { return of_.size(); }
  result<std::size_t> read(std::span<char>) override { return not_so(); }
  result<std::size_t> read_at(std::uint64_t at, std::span<char> into) override {
    return of_.read_at(at, into);
  }

 private:
  static status not_so() { return {exit_status::broken_invariant, "read() of a source that is lent"}; }
  byte_source& of_;
};

// The file that a pass is at.
class member_source final : public byte_source {
 public:
  member_source(std::string path, archive_pass& pass) : byte_source(std::move(path)), pass_(pass) {}
  bool seekable() const override { return false; }
  std::uint64_t size() const override { return 0; }
  result<std::size_t> read(std::span<char> into) override {
    return into.empty() ? result<std::size_t>(std::size_t{0}) : pass_.read(into);
  }
  result<std::size_t> read_at(std::uint64_t, std::span<char>) override {
    return status(exit_status::broken_invariant, "read_at() of a file in an archive");
  }

 private:
  archive_pass& pass_;
};

}  // namespace

status visit_archive(byte_source& packed, packing how, const member_visitor& visit) {
  archive_pass pass(packed.path(), how, std::make_unique<lent_source>(packed));
  if (status failed = pass.start(); !failed.ok()) return failed;
  for (std::size_t count = 0;; ++count) {
    const auto name = pass.next();
    if (!name.ok()) return name.status();
    if (!name.value()) return {};
    const std::string member = packed.path() + "/" + *name.value();
    if (count == most_members)
      return {exit_status::bad_data,
              fmt::format("{}: holds more than {} files", packed.path(), most_members)};
    if (pass.is_encrypted()) return {exit_status::bad_data, fmt::format("{}: is encrypted", member)};
    member_source content(member, pass);
    if (status failed = visit(*name.value(), content); !failed.ok()) return failed;
  }
}

}  // namespace orujo::internal::formats
