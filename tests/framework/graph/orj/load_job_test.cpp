// Graphs that are written as .orj and read again by the job's locales and cores, and files that are refused.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "framework/graph/orj/check.hpp"
#include "framework/graph/orj/load.hpp"
#include "framework/graph/orj/write.hpp"
#include "tests/framework/collected_graph.hpp"
#include "tests/framework/formats/orj_image.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::graph {
namespace {

using formats::bytes_of;
using formats::orj_image;
using formats::orj_section;

// Of this job; all its processes are on one machine.
class orj_path {
 public:
  orj_path()
      : path_(std::filesystem::temp_directory_path() / ("orujo_orj_" + std::to_string(::getpid()) + ".orj")) {
  }
  ~orj_path() { std::filesystem::remove(path_); }

  const std::string& name() const { return path_; }
  std::string content() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& content) const { std::ofstream(path_, std::ios::binary) << content; }

 private:
  const std::string path_;
};

// [task; suspends; collective over the job] At core 0 `from` is the text; everybody gets it.
std::string share_text(const std::string* from) {
  std::string text(loops::broadcast(my_core() == 0 ? from->size() : 0, 0), ' ');
  if (my_core() == 0) text = *from;
  loops::broadcast(std::span(text), 0);
  return text;
}

struct loaded {
  status failure;
  bool direct = false;  // not by way of the edges
  std::optional<distributed_graph> graph;
};

// [task; suspends] As load_from_flags() does it.
loaded load(const std::string& path, const build_options& options) {
  loaded made;
  const auto parts = memory::symmetric<std::shared_ptr<locale_graph>>::reserve();
  loops::on_all_cores([=, from = &path, to = &made] {
    const input_source source{share_text(from), {}, "", {}};
    auto graph = load_orj(source, options);
    const bool direct = graph.ok() && graph.value() != nullptr;
    if (graph.ok() && !direct) {
      auto input = read_input(source);
      graph = input.ok() ? build(std::move(input).value(), options) : input.status();
    }
    if (graph.ok()) parts.emplace_here(graph.value());
    if (my_core() != 0) return;
    to->failure = graph.status();
    to->direct = direct;
  });
  if (made.failure.ok()) made.graph = distributed_graph(parts);
  return made;
}

status check_file(const std::string& path) {
  status outcome;
  loops::on_all_cores([from = &path, to = &outcome] {
    const status found = check_orj(share_text(from)).status();
    if (my_core() == 0) *to = found;
  });
  return outcome;
}

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
  for (std::size_t g = 0; g + 1 < test_graphs::all().size(); ++g) {
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
      const loaded made = load(path.name(), read);
      ASSERT_TRUE(made.failure.ok()) << made.failure.message();
      // Where there is nothing to do either will do.
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
    const loaded made = load(path.name(), options);
    ASSERT_TRUE(made.failure.ok()) << made.failure.message();
    EXPECT_EQ(made.direct, as_stored);
    expect_same(whole, {}, *made.graph, true);
    if (as_stored) {
      EXPECT_TRUE(write_orj(*made.graph, again.name()).ok());
    }
    made.graph->destroy();
  }
  const loaded made = load(again.name(), {});
  EXPECT_EQ(made.graph->here().numbers.position(0), 2u);
  EXPECT_EQ(check_file(again.name()).message(), "");
  made.graph->destroy();
  image.sections[orj_section::layout] = bytes_of<std::uint32_t>({2, 0, 2});
  path.write(image.file());
  const std::string error = load(path.name(), {}).failure.message();
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
      const loaded made = load(path.name(), wanted);
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
    const loaded made = load(path.name(), options);
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
  const loaded made = load(path.name(), options);
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
  const loaded made = load(path.name(), options);
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

// What load() and check_file() say of a file whose checksums are right.
void expect_refused(orj_image image, const std::string& by_load, const std::string& by_check) {
  const orj_path path;
  path.write(image.file());
  const auto expect = [&](const status& found, const std::string& text) {
    EXPECT_EQ(found.code(), text.empty() ? exit_status::ok : exit_status::bad_data) << found.message();
    EXPECT_NE(found.message().find(text), std::string::npos) << found.message();
  };
  const loaded made = load(path.name(), {});
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
    const loaded made = load(path.name(), {});
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

// Beyond the header, where every bit is tried (orj_header_test.cpp).
TEST(orj, is_refused_or_the_same_with_a_flipped_bit) {
  const std::uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed();
  std::printf("seed %llu (repeat with --gtest_random_seed)\n", static_cast<unsigned long long>(seed));
  random_stream random(seed);
  const orj_path path;
  const test_graphs::test_graph whole = test_graphs::all()[5];
  write_graph(5, {}, path.name());
  const std::string good = path.content();
  int refused = 0;
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
    const loaded made = load(path.name(), options);
    refused += made.failure.ok() ? 0 : 1;
    if (!made.failure.ok()) continue;
    expect_same(whole, {}, *made.graph, true);
    made.graph->destroy();
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace orujo::graph
