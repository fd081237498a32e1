#include "system/checkpoint/files.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "system/base/identity.hpp"
#include "system/checkpoint/chunk_reader.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/files/checksum.hpp"
#include "system/files/output_place.hpp"
#include "system/files/replacement_file.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::checkpoint {
namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;

// A locale's file while its cores write it.
struct locale_file {
  std::optional<files::replacement_file> file;
  status failure;                       // of creating it
  std::atomic<std::uint64_t> bytes{0};  // where the next core writes
};

std::shared_ptr<locale_file> make_file(const std::string& path) {
  return collectives::share_on_locale<locale_file>([&] {
    auto made = std::make_shared<locale_file>();
    const auto place = files::find_output_place(path);
    made->failure = place.status();
    if (!place.ok()) return made;
    auto created = files::replacement_file::create(place.value());
    made->failure = created.status();
    if (created.ok()) made->file.emplace(std::move(created).value());
    return made;
  });
}

// One core's part of writing its locale's file.
class chunk_writer {
 public:
  chunk_writer(locale_file& to, const std::string& path) : to_(to), path_(path), failed_(to.failure) {}

  void write(std::uint64_t section, std::size_t record_bytes, std::uint64_t first,
             std::span<const std::byte> records, bool ordered) {
    const std::size_t most = std::max<std::size_t>(1, chunk_bytes / record_bytes) * record_bytes;
    while (!records.empty() && failed_.ok()) {
      const auto some = records.first(std::min(most, records.size()));
      const std::uint64_t at = to_.bytes.fetch_add(some.size(), std::memory_order_relaxed);
      const std::uint64_t count = some.size() / record_bytes;
      chunks.push_back({static_cast<std::uint64_t>(my_locale()), section, ordered ? first : 0, count, at,
                        files::checksum(some)});
      if (const int error = to_.file->file().write_at(at, some); error != 0)
        failed_ = files::cannot_write(path_, error);
      first += count;
      records = records.subspan(some.size());
      tasks::yield();
    }
  }
  const status& failed() const { return failed_; }

  std::vector<chunk> chunks;

 private:
  locale_file& to_;
  const std::string& path_;
  status failed_;
};

// Gathers the values that only one core has, for all cores.
std::vector<named_bytes> collect_values(const state& all) {
  std::vector<named_bytes> values;
  for (const state::value_entry& v : all.values()) {
    std::vector<std::byte> bytes(v.bytes);
    if (v.owner == state::nobody || v.owner == my_core()) {
      const std::span<std::byte> here = v.at(state::as_it_is);
      bytes.assign(here.begin(), here.end());
    }
    if (v.owner > 0) collectives::broadcast(std::span(bytes), v.owner);
    values.push_back({v.name, std::move(bytes)});
  }
  return values;
}

// At core 0: adds what all cores have written to the manifest.
void describe(const state& all, const std::vector<chunk>& mine, std::uint64_t bytes, manifest& to) {
  const auto chunks = collectives::gather(mine, 0);
  const by_core<std::uint64_t> bytes_of = collectives::gather(bytes, 0);
  to.values = collect_values(all);
  if (my_core() != 0) return;
  for (const state::section_entry& s : all.sections())
    to.sections.push_back({s.name, s.ordered, s.record_bytes, 0});
  for (const std::vector<chunk>& some : chunks) to.chunks.insert(to.chunks.end(), some.begin(), some.end());
  for (const chunk& c : to.chunks) to.sections[c.section].records += c.records;
  for (locale_id l = 0; l < locales(); ++l) to.file_bytes.push_back(bytes_of[shape().first_core_of(l)]);
}

// Chunks of a section in the order of their records.
std::vector<chunk> chunks_of(const manifest& from, std::uint64_t section) {
  std::vector<chunk> found;
  for (const chunk& c : from.chunks) {
    if (c.section == section) found.push_back(c);
  }
  std::sort(found.begin(), found.end(), [](const chunk& a, const chunk& b) { return a.first < b.first; });
  return found;
}

// Reads records into the pieces that belong to this core.
status read_ordered(chunk_reader& reader, const std::vector<chunk>& chunks, std::size_t record_bytes,
                    const state::pieces& wanted) {
  for (const auto& [first, bytes] : wanted) {
    const std::uint64_t last = first + bytes.size() / record_bytes;
    auto c = std::upper_bound(chunks.begin(), chunks.end(), first,
                              [](std::uint64_t record, const chunk& of) { return record < of.first; });
    if (c != chunks.begin()) --c;
    for (; c != chunks.end() && c->first < last; ++c) {
      const std::uint64_t from = std::max(first, c->first), to = std::min(last, c->first + c->records);
      if (from >= to) continue;
      const auto records = reader.read(*c);
      if (!records.ok()) return records.status();
      std::memcpy(bytes.data() + (from - first) * record_bytes,
                  records.value().data() + (from - c->first) * record_bytes, (to - from) * record_bytes);
      tasks::yield();
    }
  }
  return {};
}

// Reads this core's share of the records and inserts them, at whichever cores they belong.
status read_loose(chunk_reader& reader, const std::vector<chunk>& chunks, const state::section_entry& section,
                  delegates::event_ref event) {
  for (std::size_t k = static_cast<std::size_t>(my_core()); k < chunks.size();
       k += static_cast<std::size_t>(cores())) {
    const auto records = reader.read(chunks[k]);
    if (!records.ok()) return records.status();
    section.take(event, records.value());
    tasks::yield();
  }
  return {};
}

status read_section(chunk_reader& reader, const state::section_entry& section, const manifest& from,
                    std::uint64_t number) {
  const std::vector<chunk> chunks = chunks_of(from, number);
  if (section.ordered)
    return read_ordered(reader, chunks, section.record_bytes,
                        section.make_room(from.sections[number].records));
  section.clear();
  collectives::barrier();
  delegates::completion_event taken;
  const status failed = read_loose(reader, chunks, section, taken);
  taken.wait();
  return failed;
}

}  // namespace

status write_files(const std::string& folder, const state& all, manifest& to) {
  const std::string path = file_path(folder, to.epoch, to.token, static_cast<std::uint64_t>(my_locale()));
  const std::shared_ptr<locale_file> file = make_file(path);
  chunk_writer writer(*file, path);
  for (std::size_t k = 0; k < all.sections().size(); ++k) {
    const state::section_entry& s = all.sections()[k];
    s.give([&](std::uint64_t first, std::span<const std::byte> records) {
      writer.write(k, s.record_bytes, first, records, s.ordered);
    });
  }
  status failed = collectives::first_failure(writer.failed());
  if (!failed.ok()) return failed;
  describe(all, writer.chunks, file->bytes.load(std::memory_order_relaxed), to);
  if (leads_locale()) failed = file->file->take_place();
  failed = collectives::first_failure(failed);
  if (!failed.ok() && leads_locale()) ::unlink(path.c_str());
  return failed;
}

std::string misfit(const state& all, const manifest& from) {
  if (from.values.size() != all.values().size() || from.sections.size() != all.sections().size())
    return fmt::format("it holds {} values and {} sections, and {} and {} are required", from.values.size(),
                       from.sections.size(), all.values().size(), all.sections().size());
  for (std::size_t k = 0; k < from.values.size(); ++k) {
    const state::value_entry& wanted = all.values()[k];
    const named_bytes& there = from.values[k];
    if (wanted.name != there.name || (wanted.bytes > 0 && wanted.bytes != there.bytes.size()) ||
        there.bytes.size() % wanted.unit != 0)
      return fmt::format("it holds '{}' of {} bytes, and '{}' is required", there.name, there.bytes.size(),
                         wanted.name);
  }
  for (std::size_t k = 0; k < from.sections.size(); ++k) {
    const state::section_entry& wanted = all.sections()[k];
    const section& there = from.sections[k];
    if (wanted.name != there.name || wanted.ordered != there.ordered ||
        wanted.record_bytes != there.record_bytes)
      return fmt::format("it holds '{}' in records of {} bytes, and '{}' of {} is required", there.name,
                         there.record_bytes, wanted.name, wanted.record_bytes);
    if (wanted.records != state::any_number && wanted.records != there.records)
      return fmt::format("it holds {} of '{}', and there are {}", there.records, there.name, wanted.records);
  }
  return "";
}

status read_files(const std::string& folder, const state& all, const manifest& from) {
  chunk_reader reader(folder, from);
  status failed;
  for (std::size_t k = 0; k < all.sections().size() && failed.ok(); ++k)
    failed = collectives::first_failure(read_section(reader, all.sections()[k], from, k));
  if (!failed.ok()) return failed;
  for (std::size_t k = 0; k < from.values.size(); ++k) {
    const state::value_entry& v = all.values()[k];
    if (v.owner != state::nobody && v.owner != my_core()) continue;
    const std::span<std::byte> to = v.at(from.values[k].bytes.size());
    std::memcpy(to.data(), from.values[k].bytes.data(), to.size());
  }
  collectives::barrier();
  return {};
}

}  // namespace orujo::internal::checkpoint
