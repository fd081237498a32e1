#include "framework/graph/store/orj/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

#include "framework/formats/orj_file.hpp"
#include "framework/formats/source_bytes.hpp"
#include "system/collectives/collectives.hpp"
#include "system/files/checksum.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_header;
using formats::orj_section;

status cannot_write_orj(const std::string& path) {
  return {exit_status::io_error, fmt::format("cannot write '{}': {}; check the directory and its free space",
                                             path, std::strerror(errno))};
}

// The checksums of this core's share of the blocks of a section, to their places in `blocks`.
status sum_blocks(formats::byte_source& file, const orj_header::place& place,
                  std::span<std::uint64_t> blocks) {
  const index_range mine = my_part_of_job({0, blocks.size()});
  if (mine.first == mine.last) return {};
  std::vector<std::byte> bytes(std::min(formats::orj_block_bytes, place.bytes));
  for (std::size_t b = mine.first; b < mine.last; ++b) {
    const std::uint64_t first = b * formats::orj_block_bytes;
    const auto block = std::span(bytes).first(std::min(formats::orj_block_bytes, place.bytes - first));
    if (status failed = formats::read_all(file, place.first + first, block); !failed.ok()) return failed;
    blocks[b] = files::checksum(block);
  }
  return {};
}

}  // namespace

orj_output::orj_output(std::string path) : path_(std::move(path)) {}

result<files::replacement_file> orj_output::create(const std::string& path) {
  const auto place = files::find_output_place(path);
  if (!place.ok()) return place.status();
  if (place.value().is != files::output_place::kind::file)
    return files::cannot_write(path,
                               "an .orj file is written by many cores and read again; use a regular file");
  return files::replacement_file::create(place.value());
}

result<orj_output> orj_output::open(const std::string& path) {
  orj_output made(path);
  status failed;
  if (my_core() == 0) {
    auto created = create(path);
    failed = created.status();
    if (failed.ok()) {
      made.made_.emplace(std::move(created).value());
      made.temporary_path_ = made.made_->temporary_path();
    }
  }
  failed = collectives::first_failure(failed);
  if (!failed.ok()) return failed;
  made.temporary_path_.resize(collectives::broadcast(made.temporary_path_.size(), 0));
  collectives::broadcast(std::span(made.temporary_path_), 0);
  made.file_ = base::descriptor::open(made.temporary_path_.c_str(), O_RDWR | O_NOFOLLOW);
  failed = collectives::first_failure(made.file_.is_open() ? status() : cannot_write_orj(path));
  if (!failed.ok()) return failed;
  return made;
}

status orj_output::failure() const { return cannot_write_orj(path_); }

status orj_output::write(std::uint64_t at, std::span<const std::byte> bytes) const {
  errno = file_.write_at(at, bytes);
  return errno == 0 ? status() : failure();
}

status orj_output::cut(std::uint64_t bytes) const {
  collectives::barrier();
  status failed;
  if (my_core() == 0 && ::ftruncate(file_.number(), static_cast<off_t>(bytes)) != 0) failed = failure();
  return collectives::first_failure(failed);
}

status orj_output::seal(orj_header& header, orj_section first_new, std::vector<std::uint64_t>& blocks) const {
  // A node that opens the file after this sees what the others have written.
  status failed;
  if (locales() > 1 && leads_locale() && ::fdatasync(file_.number()) != 0) failed = failure();
  failed = collectives::first_failure(failed);
  if (failed.ok()) failed = cut(header.file_bytes);
  if (!failed.ok()) return failed;
  const auto file = formats::open_source(temporary_path_);
  failed = collectives::first_failure(file.status());
  if (!failed.ok()) return failed;
  const std::size_t known = blocks.size();
  blocks.resize(header[orj_section::checksums].bytes / sizeof(std::uint64_t));
  for (std::size_t k = static_cast<std::size_t>(first_new); k + 1 < formats::orj_sections && failed.ok();
       ++k) {
    const auto of_section =
        std::span(blocks).subspan(formats::first_block_of(header, static_cast<orj_section>(k)),
                                  formats::blocks_of(header.places[k].bytes));
    failed = sum_blocks(*file.value(), header.places[k], of_section);
  }
  failed = collectives::first_failure(failed);
  if (!failed.ok()) return failed;
  collectives::all_reduce(std::span(blocks).subspan(known), std::bit_or<std::uint64_t>());
  for (std::size_t k = static_cast<std::size_t>(first_new); k + 1 < formats::orj_sections; ++k) {
    if (header.places[k].bytes == 0) continue;
    const auto of_section =
        std::span(blocks).subspan(formats::first_block_of(header, static_cast<orj_section>(k)),
                                  formats::blocks_of(header.places[k].bytes));
    header.places[k].checksum = files::checksum(std::as_bytes(of_section));
  }
  if (my_core() == 0) {
    failed = write(header[orj_section::checksums].first, std::as_bytes(std::span(blocks)));
    if (failed.ok()) failed = write(0, formats::encode_header(header));
    if (locales() > 1 && failed.ok() && ::fdatasync(file_.number()) != 0) failed = failure();
  }
  return collectives::first_failure(failed);
}

status orj_output::finish() {
  status failed;
  if (leads_locale() && ::fsync(file_.number()) != 0) failed = failure();
  failed = collectives::first_failure(failed);
  if (failed.ok() && my_core() == 0) failed = made_->take_place();
  return collectives::first_failure(failed);
}

}  // namespace orujo::internal::graph
