#include "framework/graph/store/orj/names.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

// The first of the offsets from position `first` on that is none: each is at most the bytes of names, and as
// large as the one before it.
status check_name_offsets(const orj_section_reader& reader, const orj_header& header,
                          std::span<const std::uint64_t> offsets, std::uint64_t first) {
  const std::uint64_t bytes = header[orj_section::names].bytes;
  const auto bad = [&](std::size_t k, std::string_view what) {
    return reader.error((first + k) * sizeof(std::uint64_t), what);
  };
  const auto wrong_count = [&](std::size_t k) {
    return bad(k, fmt::format("counts {} bytes of names where there are {}", offsets[k], bytes));
  };
  if (first == 0 && offsets[0] != 0) return bad(0, "does not begin with 0");
  for (std::size_t k = 0; k < offsets.size(); ++k) {
    if (offsets[k] > bytes) return wrong_count(k);
    if (k > 0 && offsets[k] < offsets[k - 1])
      return bad(k, fmt::format("{} follows {}, but they must ascend", offsets[k], offsets[k - 1]));
  }
  const std::size_t last = offsets.size() - 1;
  return first + last == header.vertices && offsets[last] != bytes ? wrong_count(last) : status();
}

// Some names, and the offsets of these as they are in the file.
struct read_names {
  std::vector<std::uint64_t> offsets;
  std::vector<char> bytes;
};

// The names of positions [first, last). None if there are none.
result<read_names> read_some_names(formats::byte_source& source, const orj_header& header,
                                   index_range positions, const orj_agreement& agree) {
  read_names made;
  auto reader = orj_section_reader::open(source, header, orj_section::name_offsets);
  status failed = reader.status();
  if (failed.ok() && positions.size() > 0) {
    made.offsets.resize(positions.size() + 1);
    failed = reader.value().read_values(positions.first, std::span(made.offsets));
  }
  if (failed = agree(failed); !failed.ok()) return failed;
  if (!made.offsets.empty())
    failed = check_name_offsets(reader.value(), header, made.offsets, positions.first);
  if (failed = agree(failed); !failed.ok()) return failed;
  auto names = orj_section_reader::open(source, header, orj_section::names);
  failed = names.status();
  if (failed.ok() && !made.offsets.empty()) {
    made.bytes.resize(made.offsets.back() - made.offsets.front());
    failed = names.value().read(made.offsets.front(), std::as_writable_bytes(std::span(made.bytes)));
  }
  if (failed = agree(failed); !failed.ok()) return failed;
  return made;
}

}  // namespace

result<formats::name_table> read_orj_names(formats::byte_source& source, const orj_header& header,
                                           index_range positions, const orj_agreement& agree) {
  const std::size_t before = positions.first > 0 && positions.size() > 0 ? 1 : 0;
  auto read = read_some_names(source, header, {positions.first - before, positions.last}, agree);
  if (!read.ok()) return read.status();
  std::vector<std::uint64_t>& offsets = read.value().offsets;
  const std::uint64_t begin = offsets.empty() ? 0 : offsets.front();
  for (std::uint64_t& offset : offsets) offset -= begin;
  const formats::name_table all(std::move(offsets), std::move(read.value().bytes));
  formats::name_table names;
  status failed;
  for (std::size_t k = 0; k < all.size() && failed.ok(); ++k) {
    const bool is_name = formats::is_name(all[k]);
    if (!is_name || (k > 0 && all[k] <= all[k - 1]))
      failed = formats::orj_error(source.path(), header[orj_section::names].first + begin + all.offsets()[k],
                                  name_of(orj_section::names),
                                  is_name ? "the names do not ascend" : "holds an invalid name");
    if (k >= before) names.push_back(all[k]);
  }
  if (failed = agree(failed); !failed.ok()) return failed;
  return names;
}

}  // namespace orujo::internal::graph
