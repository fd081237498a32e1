#include "framework/formats/recognise.hpp"

#include <gtest/gtest.h>

#include <string>

#include "framework/formats/file_format.hpp"
#include "framework/formats/text_file.hpp"
#include "tests/framework/formats/memory_source.hpp"

namespace orujo::internal::formats {
namespace {

TEST(recognise, takes_the_format_that_is_wanted) {
  memory_source source("3 2\n2 3\n1\n1\n");
  EXPECT_EQ(read_text(source).status().message(),
            "F:3:2: only one column; expected 'source target' or 'source target weight'");
  EXPECT_EQ(read_text(source, {text_format::metis}).value().list.edges.size(), 4u);
  EXPECT_EQ(read_layout("3 2\n", "x.graph.gz").value().format, text_format::metis);
  EXPECT_EQ(read_layout("3 2\n", "x.metis.zst").value().format, text_format::metis);
  EXPECT_EQ(read_layout("3 2\n", "x.graph", {text_format::edge_list}).value().format, text_format::edge_list);
  EXPECT_EQ(find_format("metis"), file_format::metis);
  EXPECT_EQ(name_of(file_format::gap), "gap");
  EXPECT_FALSE(find_format("edge-list"));
}

// The outcome of reading it under that name: the format, or the error.
std::string read_as(const std::string& path, const std::string& text, const text_request& wanted = {}) {
  const auto layout = read_layout(text, path, wanted);
  return layout.ok() ? std::string(name_of(format_of(layout.value()))) : layout.status().message();
}

TEST(recognise, takes_no_format_for_another) {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern general\n", sizes = "3 3 1\n1 2\n";
  const std::string expected =
      "expected '%%MatrixMarket matrix coordinate', then real, integer or pattern, then general, symmetric "
      "or "
      "skew-symmetric, as the first line";
  const std::string nearly =
      "nearly the banner of Matrix Market, which is '%%MatrixMarket' at the start of the first line; correct "
      "it, or remove it with the line of sizes after it for an edge list";
  EXPECT_EQ(read_as("F", banner + sizes), "matrix_market");
  EXPECT_EQ(read_as("F.mtx", "%%matrixmarket matrix coordinate pattern general\n" + sizes), "matrix_market");
  EXPECT_EQ(read_as("F.mtx.gz", sizes), "F.mtx.gz:1:1: no banner; " + expected);
  EXPECT_EQ(read_as("F", sizes, {text_format::matrix_market}), "F:1:1: no banner; " + expected);
  EXPECT_EQ(read_as("F", "%MatrixMarket matrix coordinate pattern general\n" + sizes), "matrix_market");
  EXPECT_EQ(read_as("F.mtx", "%MatrixMarket matrix coordinate pattern general\n" + sizes), "matrix_market");
  EXPECT_EQ(read_as("F", "%%%MatrixMarket matrix coordinate pattern general\n" + sizes), "F:1:1: " + nearly);
  EXPECT_EQ(read_as("F", "% MatrixMarket matrix coordinate pattern general\n" + sizes), "F:1:1: " + nearly);
  EXPECT_EQ(read_as("F.txt", "% text\n" + banner + sizes), "F.txt:2:1: " + nearly);
  EXPECT_EQ(read_as("F", " " + banner + sizes), "F:1:1: " + nearly);
  EXPECT_EQ(read_as("F", "# of a MatrixMarket file\n1 2\n"), "edge_list");
  const std::string remedy = "; pass --format with what it is";
  EXPECT_EQ(read_as("F.el", banner + sizes),
            "F.el:1:1: by its name this is edge_list, but it begins like matrix_market" + remedy);
  EXPECT_EQ(read_as("F.graph", "p sp 3 1\na 1 2 3\n"),
            "F.graph:1:1: by its name this is metis, but it begins like dimacs" + remedy);
  EXPECT_EQ(read_as("F.sg.gz", "1 2\n"),
            "F.sg.gz:1:1: by its name this is gap, but it does not begin like that" + remedy);
  EXPECT_EQ(
      read_as("F.gr", "1 2\n"),
      "F.gr:1:1: no problem line; expected 'p sp VERTICES ARCS', 'p max VERTICES ARCS' or 'p edge VERTICES "
      "EDGES'");
  EXPECT_EQ(read_as("F.el", "c d\n", {.named = true}), "edge_list");
  EXPECT_EQ(read_as("F.txt", "p sp 3 1\na 1 2 3\n"), "dimacs");
}

TEST(recognise, refuses_the_sizes_of_a_matrix_without_its_banner) {
  const std::string sizes = "3 3 2\n1 2 4\n3 1 5\n";
  for (const bool ignores_weights : {false, true}) {
    const auto error = [&](const std::string& path, const std::string& text, text_request wanted = {}) {
      wanted.ignores_weights = ignores_weights;
      memory_source source(text, path);
      return read_text(source, wanted).status().message();
    };
    EXPECT_EQ(error("F.txt", "# text\n" + sizes).substr(0, 80),
              "F.txt:2:1: this looks like the size line of a Matrix Market file without its ban");
    EXPECT_EQ(error("F.el", sizes), "");
    EXPECT_EQ(error("F.txt", sizes, {.format = text_format::edge_list}), "");
    EXPECT_EQ(error("F.txt", "3 3 3\n1 2 4\n3 1 5\n"), "");
    EXPECT_EQ(error("F.txt", "3 2 2\n1 2 4\n3 1 5\n"), "");
  }
}

TEST(recognise, refuses_formats_of_others_even_where_vertices_have_names) {
  const std::pair<std::string, std::string> files[] = {
      {"*Arcs\n1 2\n", "a part of a Pajek network"},
      {"<?xml version=\"1.0\"?>\n", "XML that is neither GraphML nor GEXF"},
      {"[1, 2]\n", "a list in JSON"},
      {"dl n=3 format=edgelist1\n", "UCINET's DL"},
      {"nodedef>name VARCHAR\n", "GDF"},
  };
  for (const auto& [text, what] : files) {
    const std::string error = read_as("F", text, {.named = true});
    EXPECT_NE(error.find(": this looks like " + what + ", which is not read; "), error.npos) << error;
    EXPECT_EQ(read_as("F", text), error);
    EXPECT_EQ(read_as("F", text, {.format = text_format::edge_list, .named = true}), "edge_list");
  }
  EXPECT_EQ(read_as("F", "graph theory\n", {.named = true}), "edge_list");
  EXPECT_EQ(read_as("F.el", "graph [\n"),
            "F.el:1:1: this looks like gml; pass --format=gml, or --format=edge_list if it is one");
}

}  // namespace
}  // namespace orujo::internal::formats
