#include "framework/graph/build/compressed_input.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"

namespace orujo::internal::graph {
namespace {

using formats::packed_part;
using part_list = std::vector<packed_part>;

constexpr std::uint64_t least_packed_bytes = std::uint64_t{64} << 10;  // of a file that is worth the messages
constexpr std::uint64_t least_part_bytes = std::uint64_t{1} << 20;     // of content

// Core 0 reads headers and lists the parts for all cores.
result<part_list> list_by_headers(formats::plain_source& file, formats::compression how) {
  result<part_list> parts = part_list();
  if (my_core() == 0) parts = formats::list_parts(file, how);
  if (const status failure = collectives::first_failure(parts.status()); !failure.ok()) return failure;
  return collectives::all_gather(parts.value())[0];  // others have none
}

// All cores search a part of the file each.
result<part_list> find_members(formats::plain_source& file) {
  const index_range mine = my_part_of_job({0, file.size()});
  const auto found = formats::find_members(file, mine.first, mine.last);
  if (const status failure = collectives::first_failure(found.status()); !failure.ok()) return failure;
  part_list all;
  for (const part_list& of_core : collectives::all_gather(found.value()))
    all.insert(all.end(), of_core.begin(), of_core.end());
  auto parts = formats::parts_of_members(file, all);
  if (const status failure = collectives::first_failure(parts.status()); !failure.ok()) return failure;
  return parts;
}

// Each core counts the content of some of the parts. Returns nothing if one cannot; reading the file from its
// start then reports why.
part_list count_all(const formats::plain_source& file, formats::compression how, part_list parts) {
  const index_range mine = my_part_of_job({0, parts.size()});
  std::vector<std::uint64_t> counts;
  status failure;
  for (std::size_t k = mine.first; k < mine.last && failure.ok(); ++k) {
    const std::uint64_t end = k + 1 < parts.size() ? parts[k + 1].at : file.size();
    const auto count = formats::count_content(file, how, parts[k].at, end);
    failure = count.status();
    if (count.ok()) counts.push_back(count.value());
  }
  if (!collectives::first_failure(failure).ok()) return {};
  std::size_t part = 0;
  for (const std::vector<std::uint64_t>& of_core : collectives::all_gather(counts)) {
    for (const std::uint64_t count : of_core) parts[part++].bytes = count;
  }
  return parts;
}

}  // namespace

result<std::unique_ptr<formats::parted_source>> open_in_parts(const formats::byte_source& source) {
  std::unique_ptr<formats::parted_source> none;
  const auto how = source.compressed_by();
  if (!how || cores() == 1) return none;
  auto opened = formats::plain_source::open(source.path());
  if (const status failure = collectives::first_failure(opened.status()); !failure.ok()) return failure;
  formats::plain_source& file = *opened.value();
  if (collectives::broadcast(file.size(), 0) < least_packed_bytes) return none;
  auto found = list_by_headers(file, *how);
  if (found.ok() && found.value().empty() && *how == formats::compression::gzip) found = find_members(file);
  if (!found.ok()) return found.status();
  part_list parts = std::move(found).value();
  const auto is_unknown = [](const packed_part& p) { return p.bytes == packed_part::unknown; };
  if (parts.size() > 1 && std::ranges::any_of(parts, is_unknown)) parts = count_all(file, *how, parts);
  parts = formats::join_parts(parts, least_part_bytes);
  if (parts.size() < 2) return none;
  return std::make_unique<formats::parted_source>(std::move(opened).value(), *how, std::move(parts));
}

}  // namespace orujo::internal::graph
