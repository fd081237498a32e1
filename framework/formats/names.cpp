#include "framework/formats/names.hpp"

#include <tsl/robin_set.h>

#include <algorithm>
#include <utility>

#include "system/files/checksum.hpp"

namespace orujo::internal::formats {
namespace {

// The first eight bytes, so most comparisons do not read the names.
std::uint64_t prefix_of(std::string_view name) {
  std::uint64_t prefix = 0;
  for (std::size_t k = 0; k < 8; ++k)
    prefix = prefix << 8 | (k < name.size() ? static_cast<unsigned char>(name[k]) : 0u);
  return prefix;
}

std::size_t hash_of_name(std::string_view name) { return files::checksum(std::as_bytes(std::span(name))); }

}  // namespace

name_table::name_table(std::vector<std::uint64_t> offsets, std::vector<char> bytes)
    : offsets_(std::move(offsets)), bytes_(std::move(bytes)) {
  if (offsets_.empty()) offsets_.push_back(0);
}

void append_name(std::string& to, std::string_view name) {
  if (!needs_quotes(name)) {
    to += name;
    return;
  }
  to += '"';
  for (const char c : name) to.append(c == '"' ? 2 : 1, c);
  to += '"';
}

std::vector<std::uint64_t> sorted_places(const name_table& names) {
  struct entry {
    std::uint64_t prefix, place;
  };
  std::vector<entry> entries(names.size());
  for (std::size_t k = 0; k < names.size(); ++k) entries[k] = {prefix_of(names[k]), k};
  std::sort(entries.begin(), entries.end(), [&](const entry& a, const entry& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : names[a.place] < names[b.place];
  });
  std::vector<std::uint64_t> places(names.size());
  std::transform(entries.begin(), entries.end(), places.begin(), [](const entry& e) { return e.place; });
  return places;
}

// Numbers of names, which are found by the names, too.
struct name_set::index {
  struct hash {
    const name_table* names;
    std::size_t operator()(std::uint64_t number) const { return hash_of_name((*names)[number]); }
    std::size_t operator()(std::string_view name) const { return hash_of_name(name); }
  };
  struct equal {
    using is_transparent = void;
    const name_table* names;
    bool operator()(std::uint64_t a, std::uint64_t b) const { return a == b; }
    bool operator()(std::uint64_t a, std::string_view b) const { return (*names)[a] == b; }
    bool operator()(std::string_view a, std::uint64_t b) const { return a == (*names)[b]; }
  };
  explicit index(const name_table* names) : numbers(0, hash{names}, equal{names}) {}

  tsl::robin_set<std::uint64_t, hash, equal, std::allocator<std::uint64_t>, true> numbers;
};

name_set::name_set()
    : names_(std::make_unique<name_table>()), index_(std::make_unique<index>(names_.get())) {}
name_set::name_set(name_set&&) noexcept = default;
name_set::~name_set() = default;

std::uint64_t name_set::number_of(std::string_view name) {
  const auto found = index_->numbers.find(name, hash_of_name(name));
  if (found != index_->numbers.end()) return *found;
  const std::uint64_t number = names_->size();
  names_->push_back(name);
  index_->numbers.insert(number);
  return number;
}

std::uint64_t name_set::bytes_used() const {
  constexpr std::uint64_t bytes_of_slot = 24;
  return names_->bytes().size() + names_->offsets().size() * sizeof(std::uint64_t) +
         index_->numbers.bucket_count() * bytes_of_slot;
}

}  // namespace orujo::internal::formats
