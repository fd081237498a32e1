// Rows of .orj files: what they hold, and what is wrong with files whose checksums are right.
#include "framework/graph/store/orj/rows.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "framework/graph/store/orj/edges.hpp"
#include "framework/graph/store/orj/vectors.hpp"
#include "tests/framework/formats/memory_source.hpp"
#include "tests/framework/formats/orj_image.hpp"

namespace orujo::internal::graph {
namespace {

using formats::bytes_of;
using formats::memory_source;
using formats::orj_image;
using formats::orj_section;

// The error of reading the rows of vertices first .. last - 1, and the edges they belong to.
std::string orj_row_error(orj_image image, orj_rows_of which = orj_rows_of::in_edges,
                          weight_rule rule = weight_rule::any) {
  memory_source source(image.file());
  const auto whole = read_orj_rows(source, image.header, which, {0, image.header.vertices}, rule);
  EXPECT_TRUE(whole.ok() || whole.status().code() == exit_status::bad_data);
  return whole.status().message();
}

template <class T>
std::string error_with_section(orj_section section, std::vector<T> values,
                               orj_rows_of which = orj_rows_of::in_edges) {
  orj_image image = formats::small_orj_image();
  image.sections[section] = bytes_of(values);
  return orj_row_error(image, which);
}

TEST(orj_rows, are_read_for_any_vertices) {
  orj_image image = formats::small_orj_image();
  memory_source source(image.file());
  for (std::uint64_t first = 0; first <= 3; ++first) {
    for (std::uint64_t last = first; last <= 3; ++last) {
      const rows in =
          read_orj_rows(source, image.header, orj_rows_of::in_edges, {first, last}, weight_rule::any).value();
      ASSERT_EQ(in.vertices(), last - first);
      const std::vector<std::vector<std::uint64_t>> expected{{}, {0, 2}, {0, 2}};
      for (std::uint64_t v = first; v < last; ++v) {
        std::vector<std::uint64_t> row;
        for (std::uint64_t k = in.offsets[v - first]; k < in.offsets[v - first + 1]; ++k)
          row.push_back(in.neighbour(k));
        EXPECT_EQ(row, expected[v]) << first << " " << last;
      }
    }
  }
  const rows out =
      read_orj_rows(source, image.header, orj_rows_of::out_edges, {2, 3}, weight_rule::any).value();
  EXPECT_EQ(out.neighbour(0), 1u);
  EXPECT_EQ(out.weights[1], 3.5f);
}

TEST(orj_rows, says_what_is_wrong_with_offsets) {
  const auto error = [](std::vector<std::uint64_t> offsets) {
    return error_with_section(orj_section::in_offsets, std::move(offsets));
  };
  const std::string remedy = "; copy or convert the file again";
  EXPECT_EQ(error({1, 1, 2, 4}), "F: byte 4096: section in_offsets: does not begin with 0" + remedy);
  EXPECT_EQ(error({0, 3, 2, 4}),
            "F: byte 4112: section in_offsets: 2 follows 3, but they must ascend" + remedy);
  EXPECT_EQ(error({0, 0, 2, 3}),
            "F: byte 4120: section in_offsets: counts 3 edges where the header has 4" + remedy);
  EXPECT_EQ(
      error({0, 0, 2, ~std::uint64_t{0}}),
      "F: byte 4120: section in_offsets: counts 18446744073709551615 edges where the header has 4" + remedy);
  // In and out totals that differ.
  EXPECT_EQ(error_with_section<std::uint64_t>(orj_section::out_offsets, {0, 2, 2, 3}, orj_rows_of::out_edges),
            "F: byte 16408: section out_offsets: counts 3 edges where the header has 4" + remedy);
}

TEST(orj_rows, says_what_is_wrong_with_neighbours_and_weights) {
  const std::string remedy = "; copy or convert the file again";
  const auto error = [](std::vector<std::uint32_t> neighbours) {
    return error_with_section(orj_section::in_neighbours, std::move(neighbours));
  };
  EXPECT_EQ(error({0, 2, 0, 3}),
            "F: byte 8204: section in_neighbours: neighbour 3 is not one of 3 vertices" + remedy);
  EXPECT_EQ(error({0, ~0u, 0, 2}),
            "F: byte 8196: section in_neighbours: neighbour 4294967295 is not one of 3 vertices" + remedy);
  EXPECT_EQ(error({2, 0, 0, 2}),
            "F: byte 8196: section in_neighbours: neighbour 0 follows 2, but they must ascend" + remedy);
  EXPECT_EQ(error({1, 1, 0, 0}), "");  // rows begin anew; parallel edges are equal
  const float nothing = std::numeric_limits<float>::quiet_NaN(),
              endless = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_with_section<float>(orj_section::in_weights, {0, 1, nothing, 2}),
            "F: byte 12296: section in_weights: the weight nan is not finite" + remedy);
  EXPECT_EQ(error_with_section<float>(orj_section::in_weights, {0, 1, 2, -endless}),
            "F: byte 12300: section in_weights: the weight -inf is not finite" + remedy);
  orj_image negative = formats::small_orj_image();
  negative.sections[orj_section::in_weights] = bytes_of<float>({0, -0.0f, -1, 2});
  EXPECT_EQ(orj_row_error(negative), "");
  EXPECT_EQ(orj_row_error(negative, orj_rows_of::in_edges, weight_rule::non_negative),
            "F: byte 12296: section in_weights: the weight -1 is not at least 0" + remedy);
}

// Three blocks of neighbours, random rows, and one fault at a random place.
TEST(orj_rows, finds_a_fault_anywhere) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  constexpr std::uint64_t vertices = 50'000;
  orj_image image;
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> neighbours;
  while (offsets.size() <= vertices) {
    const std::size_t first = neighbours.size();
    for (std::uint64_t degree = random.below(8); degree > 0; --degree)
      neighbours.push_back(static_cast<std::uint32_t>(random.below(vertices)));
    std::sort(neighbours.begin() + static_cast<std::ptrdiff_t>(first), neighbours.end());
    offsets.push_back(neighbours.size());
  }
  image.header.vertices = vertices;
  image.header.edges = neighbours.size();
  image.header.symmetric = true;
  image.sections[orj_section::in_offsets] = bytes_of(offsets);
  image.sections[orj_section::in_neighbours] = bytes_of(neighbours);
  EXPECT_EQ(orj_row_error(image), "");
  image.file();  // gives the sections their places
  for (int round = 0; round < 100; ++round) {
    std::vector<std::uint32_t> bad = neighbours;
    const std::size_t at = random.below(bad.size());
    const bool last_of_row = std::binary_search(offsets.begin(), offsets.end(), at + 1);
    const bool too_large = last_of_row || round % 2 == 0;
    if (!too_large && bad[at + 1] == 0) continue;
    bad[at] = too_large ? vertices + static_cast<std::uint32_t>(random.below(1u << 31)) : bad[at + 1] + 1;
    if (bad[at] >= vertices && !too_large) continue;
    image.sections[orj_section::in_neighbours] = bytes_of(bad);
    const std::uint64_t byte =
        image.header[orj_section::in_neighbours].first + 4 * (at + (too_large ? 0 : 1));
    EXPECT_TRUE(
        orj_row_error(image).starts_with(fmt::format("F: byte {}: section in_neighbours: neighbour ", byte)))
        << orj_row_error(image);
  }
}

TEST(orj_rows, give_the_edges_of_any_part) {
  orj_image image = formats::small_orj_image();
  memory_source source(image.file());
  const formats::edge_list by_target{{{0, 1}, {2, 1}, {0, 2}, {2, 2}}, {0.5f, 2.5f, 1.5f, 3.5f}};
  const formats::edge_list by_source{{{0, 1}, {0, 2}, {2, 1}, {2, 2}}, {0.5f, 1.5f, 2.5f, 3.5f}};
  for (const orj_rows_of which : {orj_rows_of::in_edges, orj_rows_of::out_edges}) {
    for (std::size_t parts = 1; parts <= 6; ++parts) {
      formats::edge_list all;
      for (std::size_t part = 0; part < parts; ++part) {
        const formats::edge_list some =
            read_orj_edges(source, image.header, {}, which, weight_rule::any, {part, parts}).value();
        all.edges.insert(all.edges.end(), some.edges.begin(), some.edges.end());
        all.weights.insert(all.weights.end(), some.weights.begin(), some.weights.end());
      }
      EXPECT_EQ(all, which == orj_rows_of::in_edges ? by_target : by_source) << parts;
    }
  }
  EXPECT_EQ(*read_orj_id_table(source, image.header, {}).value(), (std::vector<std::uint64_t>{10, 20, 40}));
}

// Offsets in any disorder, with the right checksums: an error or edges among the vertices, never a crash.
TEST(orj_rows, survive_any_offsets) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  random_stream random(seed);
  int read = 0;
  for (int round = 0; round < 3000; ++round) {
    orj_image image = formats::small_orj_image();
    std::vector<std::uint64_t> offsets{0, 0, 2, 4};
    for (int edits = 0; edits < 2; ++edits)
      offsets[random.below(4)] = random.below(8) == 0 ? random() : random.below(6);
    image.sections[orj_section::in_offsets] = bytes_of(offsets);
    memory_source source(image.file());
    const orj_share share{random.below(4), 4};
    const auto list =
        read_orj_edges(source, image.header, {}, orj_rows_of::in_edges, weight_rule::any, share);
    const auto some = read_orj_rows(source, image.header, orj_rows_of::in_edges,
                                    {random.below(2), 2 + random.below(2)}, weight_rule::any);
    read += list.ok() ? 1 : 0;
    if (!list.ok()) continue;
    ASSERT_EQ(list.value().edges.size(), share.of(4).size());
    for (const edge& e : list.value().edges) ASSERT_LT(std::max(e.source, e.target), 3u);
    static_cast<void>(some);
  }
  EXPECT_GT(read, 100);
}

// Readers that agree after every stage report the same of a file with one wrong byte as a single reader.
TEST(orj_rows, say_the_same_of_a_fault_for_any_number_of_readers) {
  random_stream random(11);
  int faults = 0;
  for (int round = 0; round < 2000; ++round) {
    orj_image image = formats::small_orj_image();
    const orj_section section = std::array{orj_section::in_offsets, orj_section::in_neighbours,
                                           orj_section::in_weights, orj_section::ids}[random.below(4)];
    std::string& bytes = image.sections[section];
    bytes[random.below(bytes.size())] = static_cast<char>(random.below(3) == 0 ? random() : random.below(5));
    memory_source source(image.file());
    const auto said = [&](std::size_t parts) {
      // Stage by stage, as readers do that agree: the first of them that fails has the last word.
      std::vector<status> stages;
      for (std::size_t part = 0; part < parts; ++part) {
        std::size_t stage = 0;
        const orj_share share{part, parts, [&](const status& mine) {
                                if (stage == stages.size()) stages.push_back({});
                                status& all = stages[stage++];
                                if (all.ok()) all = mine;
                                return mine;
                              }};
        static_cast<void>(
            read_orj_edges(source, image.header, {}, orj_rows_of::in_edges, weight_rule::any, share));
        if (stage < 4) continue;  // it has failed, as all will
        const index_range vertices = share.of(3);
        std::vector<std::uint64_t> ids(vertices.size());
        static_cast<void>(read_orj_ids(source, image.header, vertices.first, ids, share.agree));
      }
      const auto failed = std::ranges::find_if(stages, [](const status& s) { return !s.ok(); });
      return failed == stages.end() ? std::string() : failed->message();
    };
    const std::string alone = said(1);
    faults += alone.empty() ? 0 : 1;
    for (const std::size_t parts : {2, 3, 4, 5}) ASSERT_EQ(said(parts), alone) << parts;
  }
  EXPECT_GT(faults, 500);
}

TEST(orj_rows, refuse_ids_in_disorder) {
  orj_image image = formats::small_orj_image();
  image.sections[orj_section::ids] = bytes_of<std::uint64_t>({10, 40, 40});
  memory_source source(image.file());
  std::vector<std::uint64_t> ids(3);
  EXPECT_EQ(
      read_orj_ids(source, image.header, 0, ids).message(),
      "F: byte 28688: section ids: id 40 follows 40, but they must ascend; copy or convert the file again");
  EXPECT_FALSE(read_orj_id_table(source, image.header, {}).ok());
}

TEST(orj_rows, refuse_slices_in_disorder) {
  const auto error = [](std::vector<std::uint64_t> slices, std::vector<std::uint32_t> bounds) {
    orj_image image = formats::small_orj_image();
    image.sections[orj_section::slices] = bytes_of(slices);
    image.sections[orj_section::source_bounds] = bytes_of(bounds);
    memory_source source(image.file());
    return read_orj_slices(source, image.header).status().message();
  };
  EXPECT_EQ(error({0, 0, 3}, {0, 3}), "");
  const std::uint64_t huge = ~std::uint64_t{0};
  for (const auto& slices : std::vector<std::vector<std::uint64_t>>{
           {0, 0, 2}, {0, 0, 4}, {1, 1, 3}, {0, 4, 3}, {2, 1, 3}, {0, 0, huge}, {huge, huge, huge}}) {
    EXPECT_TRUE(error(slices, {0, 3}).starts_with("F: byte 45056: section slices: "))
        << slices[0] << slices[1];
  }
  for (const auto& bounds : std::vector<std::vector<std::uint32_t>>{{0, 2}, {1, 3}, {0, 4}, {3, 0}, {0, ~0u}})
    EXPECT_TRUE(error({0, 0, 3}, bounds).starts_with("F: byte 45056: section slices: ")) << bounds[1];
}

}  // namespace
}  // namespace orujo::internal::graph
