// Graphs that are written as .orj and read again by the job's locales and cores.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "framework/graph/store/orj/write.hpp"
#include "system/base/random.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/framework/formats/orj_image.hpp"
#include "tests/framework/graph/store/orj/orj_files.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

using formats::bytes_of;
using formats::orj_image;
using formats::orj_section;
using orj_files::check_file;
using orj_files::load_file;
using orj_files::loaded;
using orj_files::orj_path;

// [task; suspends] Test graph number `index`, as `options` have it.
void write_graph(std::size_t index, build_options options, const std::string& path) {
  options.keep = forms_to_write;
  const distributed_graph handle = test_graphs::build(index, options);
  const status written = write_orj(handle, path);
  EXPECT_TRUE(written.ok()) << written.message();
  handle.destroy();
}

void expect_same(const test_graphs::test_graph& whole, const build_options& made_with,
                 distributed_graph handle, bool vectors) {
  const test_graphs::expected_graph expected(whole, made_with);
  const test_graphs::collected got = test_graphs::collect(handle);
  EXPECT_EQ(got.invalid, 0u);
  EXPECT_EQ(handle.here().vertices, expected.ids.size());
  EXPECT_EQ(handle.here().edges, expected.edges.size());
  if (vectors) {
    EXPECT_TRUE(got.edges == expected.edges);
  }
  if (handle.here().in_rows) {
    const test_graphs::collected_rows got_rows = test_graphs::collect_rows(handle);
    EXPECT_TRUE(got_rows.in == expected.edges);
    EXPECT_TRUE(got_rows.out == expected.edges);
  }
  std::map<std::uint64_t, std::uint64_t> ids, out_degrees;
  for (std::uint64_t v = 0; v < expected.ids.size(); ++v) {
    ids[v] = expected.ids[v];
    out_degrees[v] = 0;
  }
  std::map<std::uint64_t, std::uint64_t> in_degrees = out_degrees;
  for (const test_graphs::plain_edge& e : expected.edges) ++out_degrees[e.source], ++in_degrees[e.target];
  EXPECT_TRUE(got.external_id == ids);
  EXPECT_TRUE(got.out_degree == out_degrees);
  EXPECT_TRUE(got.in_degree == in_degrees);
}

// Written with the first options, read with the second.
void expect_round_trip(const build_options& written, build_options read, bool direct) {
  const orj_path path;
  for (const std::size_t g : test_graphs::places_in_turn()) {
    if (g + 1 == test_graphs::all().size()) continue;
    const test_graphs::test_graph whole = test_graphs::all()[g];
    SCOPED_TRACE(whole.name);
    write_graph(g, written, path.name());
    const status well = check_file(path.name());
    EXPECT_TRUE(well.ok()) << well.message();
    build_options both = read;
    both.symmetrize |= written.symmetrize;
    both.remove_self_loops |= written.remove_self_loops;
    both.remove_duplicates |= written.remove_duplicates;
    for (const edge_forms& keep : {edge_forms{.in_vectors = true, .in_rows = true, .out_rows = true},
                                   {.in_vectors = false, .in_rows = true, .out_rows = true, .arcs = true},
                                   {.in_vectors = true}}) {
      read.keep = keep;
      const loaded made = load_file(path.name(), read);
      ASSERT_TRUE(made.failure.ok()) << made.failure.message();
      // An empty graph may be loaded either way.
      if ((direct && made.graph->here().vertices > 0) || whole.list.edges.size() > 10) {
        EXPECT_EQ(made.direct, direct);
      }
      expect_same(whole, both, *made.graph, keep.in_vectors);
      made.graph->destroy();
    }
  }
}

TEST(orj, is_read_as_it_was_written) {
  expect_round_trip({}, {}, true);
  expect_round_trip({.symmetrize = true}, {.symmetrize = true}, true);
  expect_round_trip({.symmetrize = true}, {}, true);
  expect_round_trip({.remove_self_loops = true, .remove_duplicates = true},
                    {.remove_self_loops = true, .remove_duplicates = true}, true);
}

TEST(orj, keeps_its_order_of_the_vertices) {
  expect_round_trip({.partition = {.hash = true}}, {}, true);
  expect_round_trip({.partition = {.hash = true}}, {.partition = {.hash = true}}, true);
  expect_round_trip({.symmetrize = true, .partition = {.hash = true}}, {.symmetrize = true}, true);
}

// The vertices of the image in the order 2, 0, 1: edges 0 -> 1, 0 -> 2, 2 -> 1, 2 -> 2 by positions.
TEST(orj, keeps_an_order_that_is_a_table) {
  orj_image image;
  image.header.vertices = 3;
  image.header.edges = 4;
  image.header.numbering = formats::orj_numbering::table;
  image.sections[orj_section::layout] = bytes_of<std::uint32_t>({2, 0, 1});
  image.sections[orj_section::in_offsets] = bytes_of<std::uint64_t>({0, 2, 2, 4});
  image.sections[orj_section::in_neighbours] = bytes_of<std::uint32_t>({0, 1, 0, 1});
  image.sections[orj_section::out_offsets] = bytes_of<std::uint64_t>({0, 2, 4, 4});
  image.sections[orj_section::out_neighbours] = bytes_of<std::uint32_t>({0, 2, 0, 2});
  const test_graphs::test_graph whole{"", {{{0, 1}, {0, 2}, {2, 1}, {2, 2}}, {}}, 3};
  const orj_path path, again;
  path.write(image.file());
  EXPECT_EQ(check_file(path.name()).message(), "");
  for (const bool as_stored : {true, false}) {
    build_options options{.partition = {.as_stored = as_stored}};
    options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
    const loaded made = load_file(path.name(), options);
    ASSERT_TRUE(made.failure.ok()) << made.failure.message();
    EXPECT_EQ(made.direct, as_stored);
    expect_same(whole, {}, *made.graph, true);
    if (as_stored) {
      EXPECT_TRUE(write_orj(*made.graph, again.name()).ok());
    }
    made.graph->destroy();
  }
  const loaded made = load_file(again.name(), {});
  EXPECT_EQ(made.graph->here().numbers.position(0), 2u);
  EXPECT_EQ(check_file(again.name()).message(), "");
  made.graph->destroy();
  image.sections[orj_section::layout] = bytes_of<std::uint32_t>({2, 0, 2});
  path.write(image.file());
  const std::string error = load_file(path.name(), {}).failure.message();
  EXPECT_NE(error.find("section layout: its table: the order of the vertices has"), std::string::npos)
      << error;
}

TEST(orj, is_built_anew_where_another_graph_is_asked_for) {
  expect_round_trip({}, {.symmetrize = true}, false);
  expect_round_trip({}, {.partition = {.hash = true}}, false);
  expect_round_trip({.partition = {.hash = true}}, {.partition = {.as_stored = false}}, false);
}

TEST(orj, is_built_anew_only_where_there_is_something_to_remove) {
  const orj_path path;
  const std::size_t last = test_graphs::all().size() - 1;
  for (const bool removed : {false, true}) {
    write_graph(last, {.remove_self_loops = removed, .remove_duplicates = removed}, path.name());
    for (const build_options& wanted :
         {build_options{.remove_self_loops = true}, build_options{.remove_duplicates = true}}) {
      const loaded made = load_file(path.name(), wanted);
      EXPECT_EQ(made.direct, removed);
      made.graph->destroy();
    }
  }
}

TEST(orj, is_encoded_as_asked) {
  const orj_path path;
  const std::size_t last = test_graphs::all().size() - 1;
  write_graph(last, {}, path.name());
  for (const std::size_t segments : {1, 3, 7}) {
    build_options options{.segments = segments, .bundle_depth = 5};
    options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
    const loaded made = load_file(path.name(), options);
    ASSERT_TRUE(made.direct);
    EXPECT_GE(made.graph->here().segments.size(), segments);
    expect_same(test_graphs::all()[last], {}, *made.graph, true);
    made.graph->destroy();
  }
}

TEST(orj, has_one_slice_for_a_range_of_vertices_in_each_segment) {
  const orj_path path;
  const std::size_t last = test_graphs::all().size() - 1;
  write_graph(last, {}, path.name());
  build_options options;
  options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
  const loaded made = load_file(path.name(), options);
  expect_same(test_graphs::all()[last], {}, *made.graph, true);
  const locale_graph& g = made.graph->here();
  EXPECT_EQ(g.slices.size() % g.segments.size(), 0u);
  if (locales() == 1 && test_graphs::largest == 20'000) {
    EXPECT_EQ(g.slices.size() / g.segments.size(), 4u);
  }
  made.graph->destroy();
}

TEST(orj, cuts_the_vertices_as_a_build_does) {
  const orj_path path;
  const std::size_t last = test_graphs::all().size() - 1;
  write_graph(last, {}, path.name());
  build_options options;
  options.keep.cut_for_cores = 5;
  const loaded made = load_file(path.name(), options);
  const distributed_graph built = test_graphs::build(last, options);
  for (core_id c = 0; c < cores(); ++c)
    EXPECT_EQ(made.graph->here().owners.first_of(c), built.here().owners.first_of(c));
  for (core_id c = 0; c < 5; ++c)
    EXPECT_EQ(made.graph->here().other_owners.first_of(c), built.here().other_owners.first_of(c));
  made.graph->destroy();
  built.destroy();
}

TEST(orj, is_written_whole_or_not_at_all) {
  const scratch_folder folder;
  const std::string path = folder / "graph.orj";
  build_options options;
  options.keep = forms_to_write;
  const distributed_graph handle = test_graphs::build(3, options);
  EXPECT_EQ(write_orj(handle, path + "/x.orj").message(),
            "cannot write '" + path + "/x.orj': No such file or directory");
  EXPECT_TRUE(write_orj(handle, path).ok());
  ::chmod(path.c_str(), 0600);
  const std::string first = content_of_file(path);
  EXPECT_TRUE(write_orj(handle, path).ok());
  EXPECT_TRUE(content_of_file(path) == first);
  EXPECT_EQ(mode_of(path), 0600u);
  for (std::size_t bytes = 0; bytes < first.size(); bytes += first.size() / 8) {
    const file_size_limit limit(bytes);
    EXPECT_EQ(write_orj(handle, path).code(), exit_status::io_error) << bytes;
  }
  EXPECT_TRUE(content_of_file(path) == first);
  EXPECT_EQ(folder.entries(), 1);
  const std::string pipe = folder / "pipe.orj";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(write_orj(handle, pipe).code(), exit_status::io_error);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  handle.destroy();
}

// Beyond the header, where every bit is tried (orj_header_test.cpp). Most are saved by another form of the
// edges.
TEST(orj, is_refused_or_the_same_with_a_flipped_bit) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  const orj_path path;
  const test_graphs::test_graph whole = test_graphs::all()[5];
  write_graph(5, {}, path.name());
  const std::string good = path.content();
  int saved = 0;
  for (int round = 0; round < 60; ++round) {
    std::string bad = good;
    const std::uint64_t at = formats::orj_page + random.below(bad.size() - formats::orj_page);
    // Mostly at the start of a section: they are small, and zeros follow.
    const std::uint64_t byte =
        round % 4 == 0 ? at : at / formats::orj_page * formats::orj_page + random.below(24);
    bad[byte] = static_cast<char>(bad[byte] ^ (1 << random.below(8)));
    path.write(bad);
    EXPECT_EQ(check_file(path.name()).code(), exit_status::bad_data) << "byte " << byte;
    build_options options;
    options.keep = {.in_vectors = true, .in_rows = true, .out_rows = true};
    const loaded made = load_file(path.name(), options);
    if (!made.failure.ok()) continue;
    ++saved;
    expect_same(whole, {}, *made.graph, true);
    made.graph->destroy();
  }
  EXPECT_GT(saved, 10);
}

}  // namespace
}  // namespace orujo::internal::graph
