#include "framework/formats/numpy_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "framework/formats/rounded_weight.hpp"
#include "framework/formats/source_bytes.hpp"
#include "framework/formats/text_file.hpp"

namespace orujo::internal::formats {
namespace {

constexpr std::uint64_t most_header_bytes = std::uint64_t{64} << 10;
constexpr std::uint64_t most_entries = std::uint64_t{1} << 48;
constexpr std::uint64_t step_bytes = std::uint64_t{1} << 20;

// Reads `into` full, or fewer bytes at the end.
result<std::size_t> read_some(byte_source& source, std::span<char> into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const auto got = source.read(into.subspan(filled));
    if (!got.ok()) return got.status();
    if (got.value() == 0) break;
    filled += got.value();
  }
  return filled;
}

// The description of the array: a dictionary of Python's with three keys, "{'descr': '<i8', 'fortran_order':
// False, 'shape': (3, 2), }".
class header_text {
 public:
  explicit header_text(std::string_view text) : rest_(text) {}

  // False if it is none, or not of a kind that has numbers.
  bool read(numpy_array& to) {
    bool has_type = false, has_order = false, has_shape = false;
    if (!take('{')) return false;
    while (!take('}')) {
      const auto key = text();
      if (!key || !take(':')) return false;
      if (key == "descr") {
        has_type = read_type(to);
      } else if (key == "fortran_order") {
        has_order = read_order(to);
      } else if (key == "shape") {
        has_shape = read_shape(to);
      } else {
        return false;
      }
      if (!take(',') && peek() != '}') return false;
    }
    return has_type && has_order && has_shape;
  }

 private:
  char peek() {
    const std::size_t at = rest_.find_first_not_of(" \n");
    rest_.remove_prefix(std::min(at, rest_.size()));
    return rest_.empty() ? '\0' : rest_.front();
  }
  bool take(char c) {
    if (peek() != c || rest_.empty()) return false;
    rest_.remove_prefix(1);
    return true;
  }
  std::optional<std::string_view> text() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return {};
    const std::size_t end = rest_.find(quote, 1);
    if (end == rest_.npos) return {};
    const std::string_view inside = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return inside;
  }
  std::optional<std::uint64_t> number() {
    peek();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return {};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  bool read_type(numpy_array& to) {
    const auto type = text();
    if (!type || type->size() < 3) return false;
    to.big_endian = type->front() == '>';
    to.kind = (*type)[1];
    const auto [end, error] = std::from_chars(type->data() + 2, type->data() + type->size(), to.width);
    if (error != std::errc() || end != type->data() + type->size()) return false;
    switch (to.kind) {
      case 'b':
        return to.width == 1;
      case 'i':
      case 'u':
        return to.width == 1 || to.width == 2 || to.width == 4 || to.width == 8;
      case 'f':
        return to.width == 4 || to.width == 8;
      case 'c':
        return to.width == 8 || to.width == 16;
      case 'U':
        to.width *= 4;
        [[fallthrough]];
      case 'S':
        return to.width > 0 && to.width <= 64;
      default:
        return false;
    }
  }
  bool read_order(numpy_array& to) {
    peek();
    to.columns_first = rest_.starts_with("True");
    if (!to.columns_first && !rest_.starts_with("False")) return false;
    rest_.remove_prefix(to.columns_first ? 4 : 5);
    return true;
  }
  bool read_shape(numpy_array& to) {
    if (!take('(')) return false;
    while (!take(')')) {
      const auto extent = number();
      if (!extent || *extent > most_entries || to.shape.size() == 8) return false;
      to.shape.push_back(*extent);
      if (!take(',') && peek() != ')') return false;
    }
    std::uint64_t entries = 1;
    for (const std::uint64_t extent : to.shape) {
      if (extent > 0 && entries > most_entries / extent) return false;
      entries *= extent;
    }
    return true;
  }

  std::string_view rest_;
};

}  // namespace

result<numpy_array> read_numpy(byte_source& source, const std::string& path, std::uint64_t most_bytes) {
  numpy_array array;
  array.path = path;
  const auto bad = [&](std::string_view what) {
    return status(exit_status::bad_data, fmt::format("{}: {}", path, what));
  };
  const auto ends_in_header = [&] { return bad("the header ends too soon; get the file again"); };
  char start[12];
  auto got = read_some(source, std::span(start).first(10));
  if (!got.ok()) return got.status();
  const bool is_array =
      got.value() == 10 && std::string_view(start, 6) == numpy_magic && start[6] >= 1 && start[6] <= 3;
  if (!is_array) return bad("not an array of NumPy; expected what numpy.save writes");
  std::uint64_t header_bytes = number_at<std::uint16_t>(start + 8);
  if (start[6] > 1) {
    got = read_some(source, std::span(start).subspan(10, 2));
    if (!got.ok()) return got.status();
    if (got.value() < 2) return ends_in_header();
    header_bytes = number_at<std::uint32_t>(start + 8);
  }
  if (header_bytes > most_header_bytes) return bad("its header has more than 64 KiB");
  std::vector<char> header(header_bytes);
  got = read_some(source, header);
  if (!got.ok()) return got.status();
  if (got.value() < header.size()) return ends_in_header();
  if (!header_text({header.data(), header.size()}).read(array))
    return bad(
        fmt::format("an array of a type that is not supported, or a damaged header: {}; expected numbers: "
                    "save array.astype('int64')",
                    std::string_view(header.data(), std::min<std::size_t>(header.size(), 60))));
  // Grows as bytes arrive, because a header may claim any size.
  const std::uint64_t wanted = array.size() * array.width;
  for (std::uint64_t filled = 0;;) {
    const std::uint64_t step = std::min(std::max(step_bytes, filled / 2), wanted - filled);
    if (status no_room = check_room(filled + step, most_bytes, path); !no_room.ok()) return no_room;
    array.bytes.resize(filled + step);
    got = read_some(source, std::span(array.bytes).subspan(filled));
    if (!got.ok()) return got.status();
    filled += got.value();
    if (got.value() < step)
      return bad(fmt::format("ends after {} of {} bytes of entries; get the file again", filled, wanted));
    if (filled == wanted) break;
  }
  char more;
  got = source.read({&more, 1});
  if (!got.ok()) return got.status();
  if (got.value() > 0)
    return bad(fmt::format("has more than the {} bytes of its entries; get the file again", wanted));
  return array;
}

std::uint64_t numpy_array::size() const {
  std::uint64_t entries = 1;
  for (const std::uint64_t extent : shape) entries *= extent;
  return entries;
}

// The bytes of an entry, the least significant first.
std::uint64_t numpy_array::bits(std::uint64_t k) const {
  std::uint64_t value = 0;
  for (std::size_t b = 0; b < std::min<std::size_t>(width, 8); ++b) {
    const std::size_t place = big_endian ? width - 1 - b : b;
    value |= std::uint64_t{static_cast<std::uint8_t>(bytes[k * width + place])} << (8 * b);
  }
  return value;
}

double numpy_array::real(std::uint64_t k) const {
  const std::uint64_t value = bits(k);
  if (kind == 'u' || kind == 'b') return static_cast<double>(value);
  if (kind == 'i') {
    const unsigned unused = 64 - 8 * static_cast<unsigned>(width);
    // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): read_type takes no width of 0
    return static_cast<double>(static_cast<std::int64_t>(value << unused) >> unused);
  }
  if (width == 8) return std::bit_cast<double>(value);
  return std::bit_cast<float>(static_cast<std::uint32_t>(value));
}

status numpy_array::bad_entry(std::uint64_t k, std::string_view what) const {
  return {exit_status::bad_data, fmt::format("{}: entry {} is {}, {}", path, k, real(k), what)};
}

result<std::uint64_t> numpy_array::id(std::uint64_t k) const {
  if (kind == 'u') return bits(k);
  const double value = real(k);
  if (!(value >= 0) || (kind != 'i' && value != std::floor(value)))
    return bad_entry(k, "not a vertex; expected whole numbers from 0 on");
  if (kind == 'i') return bits(k);
  const int digits = width == 8 ? std::numeric_limits<double>::digits : std::numeric_limits<float>::digits;
  if (value <= std::ldexp(1.0, digits)) return static_cast<std::uint64_t>(value);
  return bad_entry(k, fmt::format("which may be another id that was rounded, as floats of {} bits hold whole "
                                  "numbers exactly only up to 2^{}; save array.astype('int64')",
                                  8 * width, digits));
}

result<float> numpy_array::weight(std::uint64_t k, edge_list& list) const {
  const double value = real(k), size = std::abs(value);
  if (std::isfinite(value) && size <= std::numeric_limits<float>::max()) {
    const auto read = static_cast<float>(value);
    if (kind == 'u' || (kind == 'i' && value >= 0)) {
      note_whole_weight(list, bits(k), read);
    } else if (size >= exact_whole_weights && size < 0x1p64 && std::floor(size) == size) {
      note_whole_weight(list, static_cast<std::uint64_t>(size), read);
    }
    return read;
  }
  return bad_entry(k, "not a weight; expected one that is finite as float, or --ignore_weights");
}

std::string numpy_array::text() const {
  std::string letters;
  for (std::size_t b = 0; b < bytes.size() && b < width; b += kind == 'U' ? 4 : 1) {
    const char letter = bytes[kind == 'U' && big_endian ? b + 3 : b];
    if (letter != '\0') letters += letter;
  }
  return letters;
}

}  // namespace orujo::internal::formats
