// .orj files that are refused, although their checksums are right.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/framework/formats/orj_image.hpp"
#include "tests/framework/graph/orj/orj_files.hpp"

namespace orujo::graph {
namespace {

using formats::orj_image;
using formats::orj_section;
using orj_files::check_file;
using orj_files::load_file;
using orj_files::loaded;
using orj_files::orj_path;

// What load_file() and check_file() say of a file whose checksums are right.
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

TEST(orj, is_refused_where_vectors_are_wrong) {
  expect_refused(formats::small_orj_image(), "", "");
  constexpr std::uint32_t valid = 1u << 31, step = 1u << 30;
  const auto refused = [](std::size_t lane, std::uint32_t value, const std::string& text) {
    // On several locales the rows are read instead.
    const std::string found = "section vectors: ";
    orj_image image = with_value(orj_section::vectors, lane, value);
    const orj_path path;
    path.write(image.file());
    const loaded made = load_file(path.name(), {});
    EXPECT_EQ(made.failure.code(), locales() == 1 ? exit_status::bad_data : exit_status::ok) << lane;
    if (made.graph) made.graph->destroy();
    const status checked = check_file(path.name());
    EXPECT_EQ(checked.code(), exit_status::bad_data);
    EXPECT_NE(checked.message().find(found), std::string::npos) << checked.message();
    EXPECT_NE(checked.message().find(text), std::string::npos) << checked.message();
  };
  refused(0, valid | 3, "names a top-level vertex that is not of this locale");
  refused(1, valid | 5 | step, "names a top-level vertex that is not of this locale");
  refused(2, 2, "names a top-level vertex that is not of this locale");  // a lane that is not valid
  refused(1, valid | 2, "is not the head of a bundle");                  // depth 0
  refused(2, 1 | step, "is of a bundle that ends beyond its slice");     // depth 6
  refused(8, valid | 3, "has an impossible lane");                       // a neighbour that there is not
  refused(8, 0, "has no edge of its first vertex");                      // a gap in the valid mask
  refused(9, step | valid, "is a head within a bundle");
  refused(18, valid, "has an impossible lane");  // an edge of no vertex
}

TEST(orj, is_refused_where_its_parts_contradict_each_other) {
  const std::string side_index = "has the wrong entry in the side index";
  expect_refused(with_value<std::uint32_t>(orj_section::top_level, 0, 2), locales() == 1 ? side_index : "",
                 side_index);
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
  // The degrees on one locale, while several count the rows of in-edges.
  const std::string other_total = "section out_offsets: counts 3 edges where the header has 4";
  expect_refused(with_value<std::uint64_t>(orj_section::out_offsets, 3, 3), locales() == 1 ? other_total : "",
                 other_total);
}

TEST(orj, is_refused_where_the_padding_is_not_zero) {
  orj_image image = formats::small_orj_image();
  std::string file = image.file();
  file[4096 + 32] = 1;
  const orj_path path;
  path.write(file);
  EXPECT_EQ(check_file(path.name()).message(),
            path.name() +
                ": byte 4128: section in_offsets: bytes behind it are not 0; copy or convert the file again");
}

}  // namespace
}  // namespace orujo::graph
