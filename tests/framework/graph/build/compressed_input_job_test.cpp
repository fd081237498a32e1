// Compressed files of lines that all cores read: the graph and the errors of the plain file.
#include "framework/graph/build/compressed_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <string>

#include <fmt/format.h>

#include "framework/graph/build/load.hpp"
#include "system/base/random.hpp"
#include "system/collectives/collectives.hpp"
#include "system/delegates/bulk.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/framework/formats/compressed_files.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

constexpr std::size_t text_bytes = 2'300'000;  // parts have a MiB

// Compressed files, in several ways with parts, and in one without.
struct packing_way {
  std::string suffix;
  std::string (*pack)(const std::string& text);
  bool in_parts;
};

template <class Pack>
std::string in_thirds(const std::string& text, Pack pack) {
  const std::size_t third = text.size() / 3;
  return pack(text.substr(0, third)) + pack(text.substr(third, third)) + pack(text.substr(2 * third));
}

const packing_way ways[] = {
    {".bgzip.gz", [](const std::string& text) { return formats::bgzf(text); }, true},
    {".members.gz",
     [](const std::string& text) { return in_thirds(text, [](auto t) { return formats::gzip_member(t); }); },
     true},
    {".sizes.zst",
     [](const std::string& text) { return in_thirds(text, [](auto t) { return formats::zstd_frame(t); }); },
     true},
    {".pzstd.zst",
     [](const std::string& text) {
       return in_thirds(
           text, [](auto t) { return formats::skippable_frame("next") + formats::zstd_frame(t, false); });
     },
     true},
    {".one.gz", [](const std::string& text) { return formats::gzip_member(text); }, false}};

bool has_parts(const std::string& path) {
  bool found = false;
  loops::on_all_cores([name = path.data(), length = path.size(), to = at_home(found)] {
    std::string file(length, '\0');
    delegates::get(memory::global_address<const char>(0, name), std::span(file));
    const auto source = formats::open_source(file);
    const auto parts = open_in_parts(*source.value());
    if (my_core() == 0) *to = parts.ok() && parts.value();
  });
  return found;
}

TEST(compressed_input, is_the_graph_of_the_plain_file) {
  const scratch_folder folder;
  random_stream random(3, 0);
  std::string text = "source,target,weight\n";
  while (text.size() < text_bytes)
    text += fmt::format("{},{},{}\n", random.below(300) * 7, random.below(300), random.below(1000) / 8.0);
  std::ofstream(folder / "plain.csv") << text;
  const auto plain = load_graph({.graph = folder / "plain.csv"}, {.in_rows = true});
  ASSERT_TRUE(plain.ok()) << plain.status().message();
  const test_graphs::collected expected = test_graphs::collect(plain.value().graph);
  plain.value().graph.destroy();
  for (const packing_way& way : ways) {
    SCOPED_TRACE(way.suffix);
    const std::string path = folder / ("table.csv" + way.suffix);
    std::ofstream(path, std::ios::binary) << way.pack(text);
    if (cores() > 1) {
      EXPECT_EQ(has_parts(path), way.in_parts);
    }
    const auto read = load_graph({.graph = path, .format = "csv"}, {.in_rows = true});
    ASSERT_TRUE(read.ok()) << read.status().message();
    const test_graphs::collected got = test_graphs::collect(read.value().graph);
    read.value().graph.destroy();
    EXPECT_EQ(got.external_id, expected.external_id);
    EXPECT_EQ(got.edges, expected.edges);
  }
}

TEST(compressed_input, has_the_errors_of_the_plain_file_and_of_its_data) {
  const scratch_folder folder;
  std::string text;
  for (int k = 0; text.size() < text_bytes; ++k) text += fmt::format("{} {}\n", k, k * 7919LL % 100003);
  const std::size_t lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  for (const packing_way& way : ways) {
    SCOPED_TRACE(way.suffix);
    const std::string path = folder / ("list.el" + way.suffix);
    std::ofstream(path, std::ios::binary) << way.pack(text + "x 1\n");
    const auto bad_line = load_graph({.graph = path, .format = "edge_list"});
    EXPECT_TRUE(
        bad_line.status().message().starts_with(fmt::format("{}:{}:1: 'x' is not a number", path, lines + 1)))
        << bad_line.status().message();
    std::string damaged = way.pack(text);
    damaged[damaged.size() - 500] = static_cast<char>(damaged[damaged.size() - 500] ^ 1);
    std::ofstream(path, std::ios::binary) << damaged;
    const auto bad_data = load_graph({.graph = path, .format = "edge_list"});
    EXPECT_EQ(bad_data.status().code(), exit_status::bad_data);
    EXPECT_NE(bad_data.status().message().find("data is corrupt"), std::string::npos)
        << bad_data.status().message();
  }
}

}  // namespace
}  // namespace orujo::internal::graph
