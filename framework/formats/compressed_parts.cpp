#include "framework/formats/compressed_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "framework/formats/compressed_source.hpp"
#include "framework/formats/source_bytes.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::size_t scanned_bytes = std::size_t{1} << 20;
constexpr std::size_t window_size = std::size_t{256} << 10;
constexpr std::uint64_t most_deflated = 1032;  // bytes of content for one of deflate
using part_list = std::vector<packed_part>;

// Returns true if all bytes were there.
result<bool> read_whole(plain_source& file, std::uint64_t at, std::span<char> into) {
  for (std::size_t filled = 0; filled < into.size();) {
    const auto got = file.read_at(at + filled, into.subspan(filled));
    if (!got.ok()) return got.status();
    if (got.value() == 0) return false;
    filled += got.value();
  }
  return true;
}

std::uint8_t byte_at(const char* bytes) { return static_cast<std::uint8_t>(*bytes); }

// A block as bgzip writes them: a member with one extra field, which has the member's size less 1 (SAM/BAM
// Format Specification, section 4.1).
constexpr std::size_t block_header_bytes = 18, member_trailer_bytes = 8;
constexpr std::uint64_t most_of_block = 65536;

bool is_block_header(const char* header) {
  using namespace std::string_view_literals;
  return std::string_view(header, 4) == "\x1f\x8b\x08\x04"sv &&
         std::string_view(header + 10, 6) == "\x06\0BC\x02\0"sv;
}

result<part_list> list_blocks(plain_source& file) {
  part_list parts;
  char bytes[4 + block_header_bytes];  // the size of a block's content, and the next one's header
  const auto got = read_whole(file, 0, std::span(bytes).subspan(4));
  if (!got.ok()) return got.status();
  if (!got.value()) return part_list();
  for (std::uint64_t at = 0;;) {
    if (!is_block_header(bytes + 4)) return part_list();
    const std::uint64_t end = at + number_at<std::uint16_t>(bytes + 4 + 16) + 1;
    if (end < at + block_header_bytes + member_trailer_bytes || end > file.size()) return part_list();
    const std::size_t wanted = end == file.size() ? 4 : sizeof bytes;
    const auto more = read_whole(file, end - 4, std::span(bytes).first(wanted));
    if (!more.ok()) return more.status();
    const std::uint32_t content = number_at<std::uint32_t>(bytes);
    if (!more.value() || content > most_of_block) return part_list();
    parts.push_back({at, content});
    if (end == file.size()) return parts;
    at = end;
  }
}

// Goes through frames (RFC 8878, section 3.1) without decompressing them.
class frame_walk {
 public:
  explicit frame_walk(plain_source& file) : file_(file) {}

  // Returns nothing if a header is not as expected.
  result<part_list> run() {
    part_list parts;
    std::optional<std::uint64_t> skipped;  // where frames without content begin: they go with the next one
    while (at_ < file_.size()) {
      const std::uint64_t begin = skipped.value_or(at_);
      if (!load(4)) return ended();
      if (is_skippable_frame({bytes_, 4})) {
        if (!load(8)) return ended();
        at_ += 8 + std::uint64_t{number_at<std::uint32_t>(bytes_ + 4)};
        skipped = begin;
        continue;
      }
      std::uint64_t content = packed_part::unknown;
      if (!read_header(content) || !skip_blocks(content)) return ended();
      parts.push_back({begin, content});
      skipped.reset();
    }
    if (at_ != file_.size() || parts.empty()) return part_list();
    return parts;
  }

 private:
  result<part_list> ended() const {
    if (!failure_.ok()) return failure_;
    return part_list();
  }

  bool load(std::size_t count) {
    const auto got = read_whole(file_, at_, std::span(bytes_).first(count));
    if (!got.ok()) failure_ = got.status();
    return got.ok() && got.value();
  }

  bool read_header(std::uint64_t& content) {
    if (std::string_view(bytes_, 4) != zstd_magic || !load(5)) return false;
    const unsigned descriptor = byte_at(bytes_ + 4);
    const bool single = (descriptor & 0x20) != 0;
    has_checksum_ = (descriptor & 0x04) != 0;
    if ((descriptor & 0x08) != 0 || (descriptor & 0x03) != 0) return false;  // reserved; with a dictionary
    constexpr std::size_t sizes[] = {0, 2, 4, 8};
    const std::size_t size_bytes = descriptor >> 6 == 0 && single ? 1 : sizes[descriptor >> 6];
    const std::size_t size_at = 5 + (single ? 0 : 1);
    if (!load(size_at + size_bytes)) return false;
    if (size_bytes == 1) content = byte_at(bytes_ + size_at);
    if (size_bytes == 2) content = std::uint64_t{number_at<std::uint16_t>(bytes_ + size_at)} + 256;
    if (size_bytes == 4) content = number_at<std::uint32_t>(bytes_ + size_at);
    if (size_bytes == 8) content = number_at<std::uint64_t>(bytes_ + size_at);
    at_ += size_at + size_bytes;
    return true;
  }

  // Skips blocks, and rejects sizes that they cannot have.
  bool skip_blocks(std::uint64_t content) {
    constexpr std::uint64_t most_in_block = std::uint64_t{128} << 10;
    for (std::uint64_t blocks = 1;; ++blocks) {
      if (!load(3)) return false;
      const unsigned header = byte_at(bytes_) | byte_at(bytes_ + 1) << 8 | byte_at(bytes_ + 2) << 16;
      const unsigned type = header >> 1 & 3;
      if (type == 3) return false;
      at_ += 3 + (type == 1 ? 1 : header >> 3);
      if (at_ > file_.size()) return false;
      if ((header & 1) == 0) continue;
      at_ += has_checksum_ ? 4 : 0;
      return content == packed_part::unknown || content <= blocks * most_in_block;
    }
  }

  plain_source& file_;
  std::uint64_t at_ = 0;
  bool has_checksum_ = false;
  char bytes_[16] = {};
  status failure_;
};

// A header of gzip with values that programs write.
constexpr std::size_t member_header_bytes = 10;
bool may_be_member(const char* header) {
  const unsigned flags = byte_at(header + 3), extra = byte_at(header + 8), system = byte_at(header + 9);
  return (flags & 0xe0) == 0 && (extra == 0 || extra == 2 || extra == 4) && (system <= 13 || system == 255);
}

}  // namespace

result<part_list> list_parts(plain_source& file, compression how) {
  return how == compression::gzip ? list_blocks(file) : frame_walk(file).run();
}

result<part_list> find_members(plain_source& file, std::uint64_t first, std::uint64_t last) {
  constexpr std::string_view magic = "\x1f\x8b\x08";
  constexpr std::uint64_t shortest_member = member_header_bytes + member_trailer_bytes;
  part_list found;
  std::vector<char> buffer(scanned_bytes);
  first = std::max(first, shortest_member);
  while (first < last) {
    // With the four bytes before, and the header that begins with the last one.
    const auto want = std::min<std::uint64_t>(buffer.size(), last + member_header_bytes - first + 4);
    const auto got = file.read_at(first - 4, std::span(buffer).first(want));
    if (!got.ok()) return got.status();
    if (got.value() < 4 + member_header_bytes) break;
    const std::string_view bytes(buffer.data(), got.value());
    const std::size_t starts_end = got.value() - member_header_bytes + 1;
    for (std::size_t at = bytes.find(magic, 4); at < starts_end; at = bytes.find(magic, at + 1)) {
      if (first + at - 4 < last && may_be_member(bytes.data() + at))
        found.push_back({first + at - 4, number_at<std::uint32_t>(bytes.data() + at - 4)});
    }
    first += starts_end - 4;
  }
  return found;
}

result<part_list> parts_of_members(plain_source& file, std::span<const packed_part> found) {
  part_list parts{{0, 0}};
  char trailer[4];
  if (found.empty() || file.size() < member_trailer_bytes) return part_list();
  const auto got = read_whole(file, file.size() - sizeof trailer, trailer);
  if (!got.ok()) return got.status();
  const auto end_last = [&](std::uint64_t at, std::uint64_t content) {
    parts.back().bytes = content;
    return content <= (at - parts.back().at) * most_deflated;
  };
  for (const packed_part& next : found) {
    if (!end_last(next.at, next.bytes)) return part_list();
    parts.push_back({next.at, 0});
  }
  if (!end_last(file.size(), number_at<std::uint32_t>(trailer))) return part_list();
  return parts;
}

result<std::uint64_t> count_content(const plain_source& file, compression how, std::uint64_t first,
                                    std::uint64_t last) {
  // NOLINTNEXTLINE(clang-analyzer-cplusplus.NewDeleteLeaks): owned by what is returned
  auto stream = decompress(file.part(first, last), how);
  if (!stream.ok()) return stream.status();
  std::vector<char> buffer(window_size);
  for (std::uint64_t count = 0;;) {
    const auto got = stream.value()->read(buffer);
    if (!got.ok()) return got.status();
    if (got.value() == 0) return count;
    count += got.value();
  }
}

part_list join_parts(std::span<const packed_part> parts, std::uint64_t least_bytes) {
  part_list joined;
  for (const packed_part& part : parts) {
    // A part without content cannot be read by itself.
    if (joined.empty() || (joined.back().bytes >= least_bytes && part.bytes > 0)) {
      joined.push_back(part);
    } else {
      joined.back().bytes += part.bytes;
    }
  }
  return joined;
}

parted_source::parted_source(std::unique_ptr<plain_source> file, compression how, part_list parts)
    : byte_source(file->path()), file_(std::move(file)), how_(how), parts_(std::move(parts)) {
  for (const packed_part& part : parts_) {
    firsts_.push_back(size_);
    size_ += part.bytes;
  }
  firsts_.push_back(size_);
}

result<std::size_t> parted_source::read(std::span<char> into) {
  auto got = read_at(position_, into);
  if (got.ok()) position_ += got.value();
  return got;
}

result<std::size_t> parted_source::read_at(std::uint64_t offset, std::span<char> into) {
  if (offset >= size_ || into.empty()) return std::size_t{0};
  const std::lock_guard lock(mutex_);
  const bool is_near = stream_ && window_first_ <= offset && part_of(offset) <= part_ + 1;
  if (!is_near) {
    if (status failed = start_part(part_of(offset)); !failed.ok()) return failed;
  }
  if (offset == window_end() && into.size() >= window_.size()) return read_on(into);
  while (offset >= window_end()) {
    const auto got = read_on(window_);
    if (!got.ok()) return got.status();
    window_first_ -= got.value();
    window_bytes_ = got.value();
  }
  const std::size_t place = offset - window_first_;
  const std::size_t count = std::min<std::uint64_t>(into.size(), window_bytes_ - place);
  std::copy_n(window_.begin() + static_cast<std::ptrdiff_t>(place), count, into.begin());
  return count;
}

std::uint64_t parted_source::start_near(std::uint64_t offset, std::uint64_t most) const {
  if (offset == 0 || offset >= size_) return offset;
  const std::uint64_t first = firsts_[part_of(offset)], last = firsts_[part_of(offset) + 1];
  // Readers inspect the byte before, too.
  if (offset == first) return offset + 1;
  // A reader that begins here decompresses the bytes before for nothing. The reader before would have to
  // decompress and parse the rest, which takes about three times as long.
  const bool is_cheaper = 3 * (last - offset) < offset - first;
  return is_cheaper && last - offset <= most ? std::min(last + 1, size_) : offset;
}

std::size_t parted_source::part_of(std::uint64_t offset) const {
  return static_cast<std::size_t>(std::upper_bound(firsts_.begin(), firsts_.end() - 1, offset) -
                                  firsts_.begin() - 1);
}

status parted_source::start_part(std::size_t part) {
  const std::uint64_t end = part + 1 < parts_.size() ? parts_[part + 1].at : file_->size();
  auto stream = decompress(file_->part(parts_[part].at, end), how_);
  if (!stream.ok()) return stream.status();
  stream_ = std::move(stream).value();
  part_ = part;
  window_first_ = firsts_[part];
  window_bytes_ = 0;
  window_.resize(window_size);
  return {};
}

// The next bytes of the stream, or the first of the next part; the window is empty after them.
result<std::size_t> parted_source::read_on(std::span<char> into) {
  if (window_end() == firsts_[part_ + 1]) {
    if (status failed = start_part(part_ + 1); !failed.ok()) return failed;
  }
  window_first_ += window_bytes_;
  window_bytes_ = 0;
  const std::uint64_t left = firsts_[part_ + 1] - window_first_;
  auto got = stream_->read(into.first(std::min<std::uint64_t>(into.size(), left)));
  if (!got.ok()) return mislead(got.status());
  if (got.value() == 0) return mislead({exit_status::bad_data, path() + ": a part of it ends too soon"});
  window_first_ += got.value();
  if (window_end() == firsts_[part_ + 1]) {
    if (status failed = end_part(); !failed.ok()) return failed;
  }
  return got;
}

// The stream has nothing more, and has checked its sums.
status parted_source::end_part() {
  char more;
  const auto got = stream_->read({&more, 1});
  if (!got.ok()) return mislead(got.status());
  if (got.value() == 0) return {};
  return mislead({exit_status::bad_data, path() + ": a part of it is longer than it says"});
}

status parted_source::mislead(status why) {
  misled_ = true;
  stream_.reset();
  return why;
}

}  // namespace orujo::internal::formats
