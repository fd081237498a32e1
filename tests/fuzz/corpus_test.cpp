// The kept files of every format's fuzzer, good and bad ones, through the readers: without libFuzzer.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/fuzz/reader_properties.hpp"

namespace orujo::fuzz {
namespace {

namespace fs = std::filesystem;

TEST(corpus, holds_every_property) {
  for (const auto format :
       {formats::file_format::edge_list, formats::file_format::matrix_market, formats::file_format::dimacs,
        formats::file_format::metis, formats::file_format::gap, formats::file_format::adjacency,
        formats::file_format::graph500}) {
    int good = 0, bad = 0;
    const fs::path folder = fs::path(ORUJO_SOURCE_DIR) / "tests/fuzz/corpus" / formats::name_of(format);
    for (const auto& entry : fs::directory_iterator(folder)) {
      std::ifstream file(entry.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(file), {}};
      EXPECT_EQ(broken_property(format, bytes), "") << entry.path();
      (formats::read_parts(file_of(format, bytes), 1).ok() ? good : bad) += 1;
    }
    EXPECT_GT(good, 0) << folder;
    EXPECT_GT(bad, 0) << folder;
  }
}

}  // namespace
}  // namespace orujo::fuzz
