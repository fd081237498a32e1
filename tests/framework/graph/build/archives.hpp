// Archives of files, for tests of what reads them.
#pragma once

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace orujo::internal::drawn {

using files_in_archive = std::vector<std::pair<std::string, std::string>>;

inline std::string in_archive(const files_in_archive& files, bool zip, bool stored = false) {
  std::string bytes(std::size_t{1} << 20, '\0');
  std::size_t used = 0;
  archive* const a = archive_write_new();
  zip ? archive_write_set_format_zip(a) : archive_write_set_format_ustar(a);
  if (stored) archive_write_zip_set_compression_store(a);
  EXPECT_EQ(archive_write_open_memory(a, bytes.data(), bytes.size(), &used), ARCHIVE_OK);
  for (const auto& [name, content] : files) {
    archive_entry* const entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    EXPECT_EQ(archive_write_header(a, entry), ARCHIVE_OK);
    EXPECT_EQ(archive_write_data(a, content.data(), content.size()), static_cast<la_ssize_t>(content.size()));
    archive_entry_free(entry);
  }
  archive_write_close(a);
  archive_write_free(a);
  bytes.resize(used);
  return bytes;
}

}  // namespace orujo::internal::drawn
