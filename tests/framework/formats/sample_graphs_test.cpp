#include "framework/formats/sample_graphs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "framework/formats/byte_source.hpp"
#include "framework/formats/document.hpp"

namespace orujo::internal::formats {
namespace {

document read_sample_graph(const std::string& name) {
  const auto source = open_source(name);
  EXPECT_TRUE(source.ok()) << source.status().message();
  auto read = read_document(*source.value(), file_format::dot);
  EXPECT_TRUE(read.ok()) << read.status().message();
  return std::move(read).value();
}

std::string name_of_vertex(const document& graph, std::uint64_t v) {
  if (graph.named) return std::string(graph.names[v]);
  return std::to_string(graph.ids.empty() ? v + graph.first_id : graph.ids[v]);
}

std::map<std::string, int> degrees(const document& graph) {
  std::map<std::string, int> all;
  for (const edge& e : graph.list.edges) ++all[name_of_vertex(graph, e.source)];
  return all;
}

// The numbers of vertices and edges that the literature has.
TEST(sample_graphs, have_the_sizes_of_the_literature) {
  const std::map<std::string, std::pair<std::size_t, std::size_t>> sizes = {
      {"davis", {32, 89}}, {"florentine", {15, 20}}, {"karate", {34, 78}}, {"lesmis", {77, 254}}};
  ASSERT_EQ(sample_graphs().size(), sizes.size());
  for (const sample_graph& sample : sample_graphs()) {
    const std::string name(sample.name);
    const document graph = read_sample_graph(name);
    ASSERT_TRUE(sizes.contains(name));
    EXPECT_EQ(degrees(graph).size(), sizes.at(name).first) << name;
    EXPECT_EQ(graph.list.edges.size(), 2 * sizes.at(name).second) << name;
    EXPECT_NE(sample_names.find(name), std::string_view::npos);
  }
}

TEST(sample_graphs, have_the_hubs_of_the_literature) {
  auto karate = degrees(read_sample_graph("karate"));
  EXPECT_EQ(karate["34"], 17);
  EXPECT_EQ(karate["1"], 16);
  EXPECT_EQ(degrees(read_sample_graph("florentine"))["Medici"], 6);
  EXPECT_EQ(degrees(read_sample_graph("davis"))["E8"], 14);
  const document lesmis = read_sample_graph("lesmis");
  EXPECT_EQ(degrees(lesmis)["Valjean"], 36);
  double with_cosette = 0;
  for (std::size_t k = 0; k < lesmis.list.edges.size(); ++k) {
    const edge& e = lesmis.list.edges[k];
    if (name_of_vertex(lesmis, e.source) == "Valjean" && name_of_vertex(lesmis, e.target) == "Cosette")
      with_cosette += lesmis.list.weights[k];
  }
  EXPECT_EQ(with_cosette, 31);  // chapters
}

TEST(sample_graphs, give_way_to_files_of_their_names) {
  std::string folder = ::testing::TempDir() + "orujo_sample_graphs_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  std::ofstream("karate") << "1 2\n";
  const auto source = open_source("karate");
  std::filesystem::current_path(before);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source.value()->size(), 4u);
}

TEST(sample_graphs, are_named_where_a_file_is_missing) {
  EXPECT_EQ(
      open_source("karat").status().message(),
      "cannot open graph 'karat': No such file or directory; check --graph, or pass the name of a sample: "
      "davis, florentine, karate or lesmis");
  EXPECT_EQ(open_source("karate.txt").status().message(),
            "cannot open graph 'karate.txt': No such file or directory; check --graph");
}

}  // namespace
}  // namespace orujo::internal::formats
