#include "framework/graph/store/orj/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace orujo::graph {
namespace {

using formats::orj_header;
using formats::orj_section;
using formats::orj_section_reader;

// The offsets first .. last, as they are in the file.
result<std::vector<std::uint64_t>> read_name_offsets(formats::byte_source& source, const orj_header& header,
                                                     std::uint64_t first, std::uint64_t last) {
  auto reader = orj_section_reader::open(source, header, orj_section::name_offsets);
  if (!reader.ok()) return reader.status();
  std::vector<std::uint64_t> offsets(last - first + 1);
  if (status failed = reader.value().read_values(first, std::span(offsets)); !failed.ok()) return failed;
  const auto bad = [&](std::uint64_t place, std::string_view what) {
    return reader.value().error(place * sizeof(std::uint64_t), what);
  };
  if (first == 0 && offsets[0] != 0) return bad(0, "does not begin with 0");
  const auto descent = std::adjacent_find(offsets.begin(), offsets.end(), std::greater<>());
  if (descent != offsets.end())
    return bad(first + static_cast<std::uint64_t>(descent - offsets.begin()) + 1,
               fmt::format("{} follows {}, but they ascend", descent[1], descent[0]));
  const std::uint64_t bytes = header[orj_section::names].bytes;
  if (offsets.back() > bytes || (last == header.vertices && offsets.back() != bytes))
    return bad(last, fmt::format("counts {} bytes of names where there are {}", offsets.back(), bytes));
  return offsets;
}

}  // namespace

result<formats::name_table> read_orj_names(formats::byte_source& source, const orj_header& header,
                                           std::uint64_t first, std::uint64_t last) {
  if (first == last) return formats::name_table();
  const std::uint64_t before = first > 0 ? 1 : 0;
  auto offsets = read_name_offsets(source, header, first - before, last);
  if (!offsets.ok()) return offsets.status();
  const std::uint64_t begin = offsets.value().front();
  std::vector<char> bytes(offsets.value().back() - begin);
  auto reader = orj_section_reader::open(source, header, orj_section::names);
  if (!reader.ok()) return reader.status();
  if (status failed = reader.value().read(begin, std::as_writable_bytes(std::span(bytes))); !failed.ok())
    return failed;
  for (std::uint64_t& offset : offsets.value()) offset -= begin;
  const formats::name_table all(std::move(offsets).value(), std::move(bytes));
  formats::name_table names;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::uint64_t byte = begin + all.offsets()[k];
    if (!formats::is_name(all[k])) return reader.value().error(byte, "holds what is no name");
    if (k > 0 && all[k] <= all[k - 1]) return reader.value().error(byte, "the names do not ascend");
    if (k >= before) names.push_back(all[k]);
  }
  return names;
}

}  // namespace orujo::graph
