// Graphs in archives, and compressed by bzip2 and xz: which file is read, what is refused, hostile bytes.
#include "framework/formats/archive_source.hpp"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "framework/formats/text_file.hpp"
#include "system/base/random.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::formats {
namespace {

using member =
    std::pair<std::string, std::string>;  // name and content; a name that ends with '/' is a folder's

enum class shape { zip, tar, tar_gz, tar_zst, tar_bz2, tar_xz, bz2, xz };
constexpr std::array shapes_of_many{shape::zip,     shape::tar,     shape::tar_gz,
                                    shape::tar_zst, shape::tar_bz2, shape::tar_xz};

struct writer_closer {
  void operator()(archive* a) const { ::archive_write_free(a); }
};

std::string packed(shape how, const std::vector<member>& members) {
  const std::unique_ptr<archive, writer_closer> to(::archive_write_new());
  archive* const a = to.get();
  const bool bare = how == shape::bz2 || how == shape::xz;
  if (how == shape::zip) {
    ::archive_write_set_format_zip(a);
  } else if (bare) {
    ::archive_write_set_format_raw(a);
  } else {
    ::archive_write_set_format_pax_restricted(a);
  }
  if (how == shape::tar_gz) ::archive_write_add_filter_gzip(a);
  if (how == shape::tar_zst) ::archive_write_add_filter_zstd(a);
  if (how == shape::tar_bz2 || how == shape::bz2) ::archive_write_add_filter_bzip2(a);
  if (how == shape::tar_xz || how == shape::xz) ::archive_write_add_filter_xz(a);
  std::string bytes(std::size_t{4} << 20, '\0');
  std::size_t used = 0;
  ::archive_write_set_bytes_in_last_block(a, 1);
  EXPECT_EQ(::archive_write_open_memory(a, bytes.data(), bytes.size(), &used), ARCHIVE_OK);
  for (const auto& [name, content] : members) {
    archive_entry* const entry = ::archive_entry_new();
    ::archive_entry_set_pathname(entry, name.c_str());
    ::archive_entry_set_filetype(entry, name.ends_with('/') ? AE_IFDIR : AE_IFREG);
    ::archive_entry_set_perm(entry, 0644);
    ::archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    EXPECT_EQ(::archive_write_header(a, entry), ARCHIVE_OK) << ::archive_error_string(a);
    ::archive_write_data(a, content.data(), content.size());
    ::archive_entry_free(entry);
  }
  ::archive_write_close(a);
  bytes.resize(used);
  return bytes;
}

std::string written(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

struct unpacked_file {
  std::string bytes, path;
};
result<unpacked_file> unpacked(const std::string& file, std::size_t step = 1000) {
  const auto source = open_source(file);
  if (!source.ok()) return source.status();
  std::string all, some(step, '\0');
  for (;;) {
    const auto got = source.value()->read(some);
    if (!got.ok()) return got.status();
    if (got.value() == 0) return unpacked_file{all, source.value()->path()};
    all.append(some, 0, got.value());
  }
}

std::string text_of_seed(std::uint64_t seed, std::size_t size) {
  random_stream random(seed);
  std::string text(size, '\0');
  for (char& c : text) c = "0123456789 \n"[random.below(12)];
  return text;
}

TEST(archive_source, gives_the_graph_of_every_kind_of_archive) {
  const scratch_folder folder;
  const std::string text = text_of_seed(1, 600000);
  for (const shape how : shapes_of_many) {
    const std::string file = written(folder / "graph", packed(how, {{"west/", ""},
                                                                    {"west/README", "text"},
                                                                    {"west/west.mtx", text},
                                                                    {"west/west_b.mtx", "1 2"}}));
    for (const std::size_t step : {997, 1 << 20}) {
      const auto read = unpacked(file, step);
      ASSERT_TRUE(read.ok()) << read.status().message();
      EXPECT_TRUE(read.value().bytes == text);
      EXPECT_EQ(read.value().path, file + "/west/west.mtx");
    }
    const auto source = open_source(file);
    EXPECT_FALSE(source.value()->seekable());
    EXPECT_EQ(source.value()->path(), file);
    std::string some(10, '\0');
    EXPECT_EQ(source.value()->read(some).value(), 10u);
    EXPECT_EQ(source.value()->again().value()->read(some).value(), 10u);
    EXPECT_EQ(some, text.substr(0, 10));
  }
}

TEST(archive_source, decompresses_bzip2_and_xz_of_several_parts) {
  const scratch_folder folder;
  const std::string first = text_of_seed(2, 300000), second = text_of_seed(3, 1000);
  for (const shape how : {shape::bz2, shape::xz}) {
    const std::string file =
        written(folder / "graph.el", packed(how, {{"data", first}}) + packed(how, {{"data", second}}));
    const auto read = unpacked(file);
    ASSERT_TRUE(read.ok()) << read.status().message();
    EXPECT_TRUE(read.value().bytes == first + second);
    EXPECT_EQ(read.value().path, file);
    EXPECT_EQ(unpacked(written(folder / "empty", packed(how, {{"data", ""}}))).value().bytes, "");
  }
}

TEST(archive_source, chooses_the_graph_by_its_name) {
  const auto chosen = [](const std::vector<std::string>& names, std::string_view archive = "a/data.tar.gz") {
    const auto found = graph_among(names, archive);
    return found.ok() ? names[found.value()] : found.status().message();
  };
  EXPECT_EQ(chosen({"anything"}), "anything");
  EXPECT_EQ(chosen({"moreno/out.moreno", "moreno/README.moreno", "moreno/meta.moreno"}), "moreno/out.moreno");
  EXPECT_EQ(chosen({"x/ent.x.user.name", "x/meta.x", "x/out.x"}), "x/out.x");
  EXPECT_EQ(chosen({"x.mtx", "notes.doc"}), "x.mtx");
  EXPECT_EQ(chosen({"b.el", "README.md", "License.txt"}), "b.el");
  EXPECT_EQ(chosen({"x/x_b.mtx", "x/x.mtx", "x/x_coord.mtx"}), "x/x.mtx");
  EXPECT_EQ(chosen({"data.mtx", "other.mtx"}), "data.mtx");
  EXPECT_EQ(chosen({}), "a/data.tar.gz: holds no file; unpack it, and pass the graph's file by --graph");
  EXPECT_EQ(chosen({"1.el", "2.el", "3.el", "4.el", "5.el", "6.el", "7.el"}),
            "a/data.tar.gz: holds several files, and it is not clear which is the graph: '1.el', '2.el', "
            "'3.el', '4.el', '5.el' and 2 more; unpack it, and pass the graph's file by --graph");
}

TEST(archive_source, takes_the_format_of_the_files_name) {
  const scratch_folder folder;
  const std::string file = written(folder / "west.tar.gz", packed(shape::tar_gz, {{"w/w.mtx", "1 2\n"}}));
  const auto source = open_source(file);
  const std::string error = read_text(*source.value()).status().message();
  EXPECT_TRUE(error.starts_with(file + "/w/w.mtx:1:1: no banner; expected '%%MatrixMarket")) << error;
}

TEST(archive_source, refuses_what_is_not_one_graph) {
  const scratch_folder folder;
  const auto refused = [&](const std::string& bytes) {
    const status s = unpacked(written(folder / "F", bytes)).status();
    EXPECT_EQ(s.code(), exit_status::bad_data);
    return s.message().substr(std::min(s.message().size(), (folder / "F").size()));
  };
  const std::string end = "; unpack it, and pass the graph's file by --graph";
  for (const shape how : shapes_of_many) {
    EXPECT_EQ(refused(packed(how, {{"a/", ""}})), ": holds no file" + end);
    EXPECT_EQ(refused(packed(how, {{"a/.hidden", "1 2\n"}, {"__MACOSX/a", "x"}})), ": holds no file" + end);
    EXPECT_EQ(refused(packed(how, {{"b\n/../../c.el", packed(shape::bz2, {{"", "1 2\n"}})}})),
              "/b?/../../c.el: is compressed inside the archive" + end);
  }
  std::vector<member> many;
  for (int k = 0; k <= 10000; ++k) many.emplace_back(std::to_string(k), "");
  EXPECT_EQ(refused(packed(shape::tar_gz, many)), ": holds more than 10000 files" + end);
}

TEST(archive_source, says_that_a_file_is_encrypted) {
  // The general purpose bit flag has bit 0 set in the local header and in the directory.
  const scratch_folder folder;
  std::string bytes = packed(shape::zip, {{"x.el", "1 2\n"}});
  bytes[6] |= 1;
  bytes[bytes.find("PK\1\2") + 8] |= 1;
  EXPECT_EQ(unpacked(written(folder / "F", bytes)).status().message(),
            folder / "F" + ": 'x.el' is encrypted; unpack it, and pass the graph's file by --graph");
}

// Cut anywhere, or with a byte changed: one clear error, or the very content.
TEST(archive_source, never_passes_broken_bytes_for_other_content) {
  const scratch_folder folder;
  const std::string text = text_of_seed(4, 700);
  for (const shape how : {shape::zip, shape::tar_bz2, shape::tar_xz, shape::bz2, shape::xz}) {
    const std::string whole = packed(how, {{"x.el", text}});
    for (std::size_t size = 6; size < whole.size(); size += 1 + size / 60) {
      const auto read = unpacked(written(folder / "F", std::string_view(whole).substr(0, size)));
      EXPECT_TRUE(!read.ok() || read.value().bytes == text) << static_cast<int>(how) << " cut at " << size;
      if (!read.ok()) {
        EXPECT_EQ(read.status().code(), exit_status::bad_data);
      }
    }
    for (std::size_t at = 6; at < whole.size(); at += 1 + whole.size() / 150) {
      std::string flipped = whole;
      flipped[at] ^= 0x10;
      const auto read = unpacked(written(folder / "F", flipped));
      EXPECT_TRUE(!read.ok() || read.value().bytes == text) << static_cast<int>(how) << " flipped at " << at;
      if (!read.ok()) {
        EXPECT_EQ(read.status().code(), exit_status::bad_data);
      }
    }
  }
}

TEST(archive_source, refuses_what_is_behind_compressed_data) {
  const scratch_folder folder;
  for (const shape how : {shape::bz2, shape::xz}) {
    const status bad = unpacked(written(folder / "F", packed(how, {{"", "1 2\n"}}) + "rubbish")).status();
    EXPECT_EQ(bad.code(), exit_status::bad_data);
    EXPECT_NE(bad.message().find(how == shape::bz2 ? "the bzip2 data" : "the xz data"), std::string::npos)
        << bad.message();
  }
}

}  // namespace
}  // namespace orujo::internal::formats
