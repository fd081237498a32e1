// .orj files that are refused, although their checksums are right, and those that another form of the edges
// saves.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "framework/graph/store/orj/rows.hpp"
#include "system/base/random.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/framework/formats/orj_image.hpp"
#include "tests/framework/graph/store/orj/orj_files.hpp"
#include "tests/sanitized.hpp"

namespace orujo::internal::graph {
namespace {

using formats::orj_image;
using formats::orj_section;
using orj_files::check_file;
using orj_files::load_file;
using orj_files::loaded;
using orj_files::orj_path;

// Expects the messages of load_file() and check_file() about a file whose checksums are right.
void expect_refused(orj_image image, const std::string& by_load, const std::string& by_check) {
  const orj_path path;
  path.write(image.file());
  const auto expect = [&](const status& found, const std::string& text) {
    EXPECT_EQ(found.code(), text.empty() ? exit_status::ok : exit_status::bad_data) << found.message();
    EXPECT_NE(found.message().find(text), std::string::npos) << found.message();
  };
  const loaded made = load_file(path.name(), {});
  expect(made.failure, by_load);
  if (made.graph) made.graph->destroy();
  expect(check_file(path.name()), by_check);
}

template <class T>
orj_image with_value(orj_section section, std::size_t at, T value) {
  orj_image image = formats::small_orj_image();
  std::memcpy(image.sections[section].data() + at * sizeof(T), &value, sizeof value);
  return image;
}

constexpr std::uint32_t valid = 1u << 31, step = 1u << 30;

// Lanes of vectors that are wrong, and why.
const std::vector<std::tuple<std::size_t, std::uint32_t, std::string>> wrong_lanes = {
    {0, valid | 3, "names a top-level vertex that is not of this locale"},
    {1, valid | 5 | step, "names a top-level vertex that is not of this locale"},
    {2, 2, "names a top-level vertex that is not of this locale"},  // a lane that is not valid
    {1, valid | 2, "is not the head of a bundle"},                  // depth 0
    {2, 1 | step, "is of a bundle that ends beyond its slice"},     // depth 6
    {8, valid | 3, "has an impossible lane"},                       // a neighbour that there is not
    {8, 0, "has no edge of its first vertex"},                      // a gap in the valid mask
    {9, step | valid, "is a head within a bundle"},
    {18, valid, "has an impossible lane"},  // an edge of no vertex
};

TEST(orj, is_refused_by_check_where_vectors_are_wrong) {
  expect_refused(formats::small_orj_image(), "", "");
  for (const auto& [lane, value, why] : wrong_lanes)
    expect_refused(with_value(orj_section::vectors, lane, value), "", why);
  expect_refused(with_value<std::uint32_t>(orj_section::vectors, 0, valid | 3), "", "section vectors: ");
}

TEST(orj, is_refused_by_check_where_its_parts_contradict_each_other) {
  expect_refused(with_value<std::uint32_t>(orj_section::top_level, 0, 2), "",
                 "has the wrong entry in the side index");
  expect_refused(with_value<std::uint32_t>(orj_section::vectors, 16, 1u << 31), "",
                 "section vectors: Vector-Sparse has other edges than the rows");
  expect_refused(with_value<std::uint32_t>(orj_section::out_neighbours, 0, 0), "",
                 "section out_neighbours: the out-edges are others than the in-edges");
  expect_refused(with_value<float>(orj_section::out_weights, 0, 9), "",
                 "section out_neighbours: the out-edges are others than the in-edges");
  orj_image one_way = formats::small_orj_image();
  one_way.header.symmetric = true;
  for (const orj_section s :
       {orj_section::out_offsets, orj_section::out_neighbours, orj_section::out_weights})
    one_way.sections[s].clear();
  expect_refused(one_way, "", "the edges are not symmetric, but the header says so");
  orj_image loop = formats::small_orj_image();
  loop.header.no_self_loops = true;
  expect_refused(loop, "", "has self-loops, but the header says none");
  expect_refused(with_value<std::uint64_t>(orj_section::out_offsets, 3, 3), "",
                 "section out_offsets: counts 3 edges where the header has 4");
}

// One form of the edges, or the ids, with a value that is wrong; returns its section.
template <class T>
orj_section spoil(orj_image& image, orj_section section, std::size_t at, T value) {
  std::memcpy(image.sections[section].data() + at * sizeof(T), &value, sizeof value);
  return section;
}
orj_section spoil_rows(orj_image& image, bool in_edges, random_stream& random) {
  const auto of = [&](orj_section s) {
    return section_of(in_edges ? orj_rows_of::in_edges : orj_rows_of::out_edges, s);
  };
  switch (random.below(in_edges ? 2 : 4)) {
    case 0:
      return spoil<std::uint32_t>(image, of(orj_section::in_neighbours), random.below(4), 3);
    case 1:
      return spoil(image, of(orj_section::in_weights), random.below(4),
                   std::numeric_limits<float>::infinity());
    case 2:
      return spoil<std::uint64_t>(image, of(orj_section::in_offsets), 1, 3);
    default:
      return spoil<std::uint64_t>(image, of(orj_section::in_offsets), 3, 3 + 2 * random.below(2));
  }
}
void spoil_vectors(orj_image& image, random_stream& random) {
  switch (random.below(6)) {
    case 0:
      spoil<std::uint32_t>(image, orj_section::top_level, 0, 2);
      break;
    case 1:
      spoil(image, orj_section::vector_weights, random.below(24), std::numeric_limits<float>::quiet_NaN());
      break;
    case 2:
      spoil<std::uint64_t>(image, orj_section::slices, random.below(3), 4);
      break;
    default:
      const auto& [lane, value, why] = wrong_lanes[random.below(wrong_lanes.size())];
      spoil(image, orj_section::vectors, lane, value);
  }
}

// It holds for any process layout (locales x cores) and any kept forms. Offsets of in-edges and ids are there
// once.
TEST(orj, is_loaded_if_one_form_of_its_edges_is_whole_and_refused_alike_if_none_is) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  const orj_path path;
  path.write(formats::small_orj_image().file());
  const loaded good = load_file(path.name(), {});
  const test_graphs::collected expected = test_graphs::collect(*good.graph);
  good.graph->destroy();
  const edge_forms forms[] = {{.in_vectors = true},
                              {.in_vectors = true, .in_rows = true, .out_rows = true},
                              {.in_vectors = false, .out_rows = true},
                              {.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = true}};
  for (int round = 0; round < (sanitized ? 40 : 120); ++round) {
    orj_image image = formats::small_orj_image();
    const std::uint64_t spoilt = random.below(8);
    const bool ids = random.below(6) == 0, offsets = random.below(6) == 0;
    orj_section first = orj_section::ids;
    if (ids) spoil<std::uint64_t>(image, first, random.below(2), 40);
    if ((spoilt & 2) != 0) spoil_vectors(image, random);
    if ((spoilt & 4) != 0) spoil_rows(image, false, random);
    if ((spoilt & 1) != 0) {
      const orj_section of_rows = spoil_rows(image, true, random);
      if (spoilt == 7) first = of_rows;
    }
    if (offsets) first = spoil<std::uint64_t>(image, orj_section::in_offsets, 1 + 2 * random.below(2), 3);
    path.write(image.file());
    build_options options;
    options.keep = forms[random.below(4)];
    const loaded made = load_file(path.name(), options);
    if (spoilt == 7 || ids || offsets) {
      EXPECT_EQ(made.failure.code(), exit_status::bad_data) << made.failure.message();
      EXPECT_NE(made.failure.message().find("section " + std::string(name_of(first)) + ": "),
                std::string::npos)
          << made.failure.message();
    } else {
      ASSERT_TRUE(made.failure.ok()) << made.failure.message();
      EXPECT_EQ(made.graph->here().edges, 4u);
      const test_graphs::collected got = test_graphs::collect(*made.graph);
      EXPECT_TRUE(got.external_id == expected.external_id);
      EXPECT_TRUE(!options.keep.in_vectors || got.edges == expected.edges);
      EXPECT_TRUE(got.out_degree == expected.out_degree && got.in_degree == expected.in_degree);
    }
    if (made.graph) made.graph->destroy();
  }
}

TEST(orj, is_refused_where_the_padding_is_not_zero) {
  orj_image image = formats::small_orj_image();
  std::string file = image.file();
  file[4096 + 32] = 1;
  const orj_path path;
  path.write(file);
  EXPECT_EQ(check_file(path.name()).message(),
            path.name() +
                ": byte 4128: section in_offsets: bytes after it are not 0; copy or convert the file again");
}

}  // namespace
}  // namespace orujo::internal::graph
