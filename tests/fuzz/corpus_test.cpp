// The kept files of every format's fuzzer, good and bad ones, through the readers: without libFuzzer.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/fuzz/archive_properties.hpp"
#include "tests/fuzz/checkpoint_properties.hpp"
#include "tests/fuzz/flag_properties.hpp"
#include "tests/fuzz/n_triples_properties.hpp"
#include "tests/fuzz/orj_properties.hpp"
#include "tests/fuzz/parcel_properties.hpp"
#include "tests/fuzz/reader_properties.hpp"
#include "tests/fuzz/sql_properties.hpp"

namespace orujo::internal::fuzz {
namespace {

namespace fs = std::filesystem;

// Calls visit(path, bytes) with each; which returns whether the file is a good one.
template <class Visit>
void for_each_kept_file(std::string_view format, Visit visit) {
  int good = 0, bad = 0;
  const fs::path folder = fs::path(ORUJO_SOURCE_DIR) / "tests/fuzz/corpus" / format;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    (visit(entry.path(), bytes) ? good : bad) += 1;
  }
  EXPECT_GT(good, 0) << folder;
  EXPECT_GT(bad, 0) << folder;
  testing::Test::RecordProperty(fmt::format("refused_{}", format), bad);
}

TEST(corpus, holds_every_property) {
  for (const auto format :
       {formats::file_format::edge_list, formats::file_format::matrix_market, formats::file_format::dimacs,
        formats::file_format::metis, formats::file_format::csv, formats::file_format::konect,
        formats::file_format::gap, formats::file_format::adjacency, formats::file_format::graph500,
        formats::file_format::graphml, formats::file_format::gexf, formats::file_format::gml,
        formats::file_format::pajek, formats::file_format::dot, formats::file_format::json,
        formats::file_format::graph6, formats::file_format::adjlist, formats::file_format::npy,
        formats::file_format::npz}) {
    for_each_kept_file(formats::name_of(format), [&](const fs::path& path, const std::string& bytes) {
      EXPECT_EQ(broken_property(format, bytes), "") << path;
      // Cut short, mostly in what a header says of the rest.
      for (std::size_t cut = 1; cut < bytes.size(); cut += 1 + cut / 8)
        EXPECT_EQ(broken_property(format, bytes.substr(0, cut)), "") << path << " cut at " << cut;
      return formats::read_parts(file_of(format, bytes), 1).ok();
    });
  }
}

TEST(corpus, of_archives_holds_every_property) {
  for_each_kept_file("archive", [&](const fs::path& path, const std::string& bytes) {
    EXPECT_EQ(broken_archive_property(bytes), "") << path;
    return unpack_all(bytes, bytes.size(), bytes.size()).code == exit_status::ok;
  });
}

TEST(corpus, of_orj_holds_every_property) {
  for_each_kept_file("orj", [&](const fs::path& path, const std::string& bytes) {
    EXPECT_EQ(broken_orj_property(bytes), "") << path;
    const bool good = read_orj(orj_file_of(bytes), 1).code == exit_status::ok;
    EXPECT_EQ(good, !path.filename().string().starts_with("bad_")) << path;
    return good;
  });
}

TEST(corpus, of_n_triples_holds_every_property) {
  for_each_kept_file("n_triples", [&](const fs::path& path, const std::string& bytes) {
    bool good = false;
    EXPECT_EQ(broken_triples_property(bytes, good), "") << path;
    EXPECT_EQ(good, !path.filename().string().starts_with("bad_")) << path;
    return good;
  });
}

TEST(corpus, of_sql_holds_every_property) {
  for_each_kept_file("sql", [&](const fs::path& path, const std::string& bytes) {
    EXPECT_EQ(broken_sql_property(bytes), "") << path;
    status said;
    const bool good = is_good_query(bytes, said);
    EXPECT_EQ(good, !path.filename().string().starts_with("bad_")) << path << said.message();
    return good;
  });
}

// Files of these whose names begin with bad_ are refused, the others are not.
template <class Property, class IsGood>
void expect_kept_files_hold(std::string_view folder, Property broken, IsGood is_good) {
  for_each_kept_file(folder, [&](const fs::path& path, const std::string& bytes) {
    EXPECT_EQ(broken(bytes), "") << path;
    const bool good = is_good(bytes);
    EXPECT_EQ(good, !path.filename().string().starts_with("bad_")) << path;
    return good;
  });
}

TEST(corpus, of_parcels_holds_every_property) {
  expect_kept_files_hold("parcel", &broken_parcel_property,
                         [](std::string_view bytes) { return !open_parcel(bytes).fault; });
}

TEST(corpus, of_checkpoints_holds_every_property) {
  expect_kept_files_hold("checkpoint", &broken_checkpoint_property,
                         [](std::string_view bytes) { return manifest_of(bytes).ok(); });
}

TEST(corpus, of_command_lines_holds_every_property) {
  expect_kept_files_hold("flags", &broken_flag_property,
                         [](std::string_view text) { return try_command_line(text).said.ok(); });
}

}  // namespace
}  // namespace orujo::internal::fuzz
