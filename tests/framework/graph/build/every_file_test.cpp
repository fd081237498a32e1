// Some hundred files in every format, plain, compressed and in archives: each is read as its graph and
// nothing else, or refused with the place and the remedy.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <utility>

#include "framework/graph/build/input.hpp"
#include "system/base/random.hpp"
#include "tests/framework/formats/compressed_files.hpp"
#include "tests/framework/graph/build/archives.hpp"
#include "tests/framework/graph/build/drawn_files.hpp"
#include "tests/system/base/scratch_folder.hpp"

namespace orujo::internal::graph {
namespace {

using drawn::arc, drawn::file, drawn::files_in_archive, drawn::in_archive;

drawn::graph draw(std::uint64_t seed) {
  random_stream random(seed, 0);
  drawn::graph made{3 + random.below(7), {}};
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs;
  // Each vertex has an edge, as in some formats others are none, and 4 edges are no small matrix of NumPy's.
  for (std::uint64_t v = 0; v < made.vertices; ++v) pairs.insert({v, (v + 1) % made.vertices});
  while (pairs.size() < std::min<std::uint64_t>(made.vertices * (made.vertices - 1), made.vertices + 4)) {
    const std::uint64_t a = random.below(made.vertices), b = random.below(made.vertices);
    if (a != b) pairs.insert({a, b});
  }
  // Both directions of an edge weigh the same, for the formats without directions.
  for (const auto& [a, b] : pairs)
    made.arcs.push_back(
        {a, b, static_cast<unsigned>(1 + (std::min(a, b) * 7 + std::max(a, b) * 3 + seed) % 40)});
  return made;
}

// SciPy's matrix by rows, or by columns.
file matrix_file(const drawn::graph& g, bool by_columns, bool stored) {
  std::vector<arc> arcs = g.arcs;
  if (by_columns) std::ranges::sort(arcs, {}, [](const arc& e) { return std::pair(e.to, e.from); });
  std::vector<std::int32_t> ends{0}, indices;
  std::vector<double> data;
  for (std::uint64_t v = 0; v < g.vertices; ++v) {
    for (const arc& e : arcs) {
      if ((by_columns ? e.to : e.from) != v) continue;
      indices.push_back(static_cast<std::int32_t>(by_columns ? e.from : e.to));
      data.push_back(e.weight());
    }
    ends.push_back(static_cast<std::int32_t>(indices.size()));
  }
  const auto shape_of = [](std::size_t size) { return fmt::format("({},)", size); };
  std::string format = drawn::numpy_file<char>("|S3", "()", {'c', 's', by_columns ? 'c' : 'r'});
  const std::int64_t n = static_cast<std::int64_t>(g.vertices);
  return {by_columns ? "columns.npz" : "rows.npz",
          in_archive({{"indices.npy", drawn::numpy_file("<i4", shape_of(indices.size()), indices)},
                      {"indptr.npy", drawn::numpy_file("<i4", shape_of(ends.size()), ends)},
                      {"format.npy", format},
                      {"shape.npy", drawn::numpy_file<std::int64_t>("<i8", "(2,)", {n, n})},
                      {"data.npy", drawn::numpy_file("<f8", shape_of(data.size()), data)}},
                     true, stored),
          drawn::detail::moved(g.arcs, 0, true), true};
}

std::vector<file> all_files(const drawn::graph& g) {
  std::vector<file> all = drawn::files_of_lines(g);
  for (const auto& more : {drawn::files_of_documents(g), drawn::files_of_bytes(g)})
    all.insert(all.end(), more.begin(), more.end());
  all.push_back(matrix_file(g, false, true));
  all.push_back(matrix_file(g, true, false));
  return all;
}

class every_file : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  void expect_graph(const std::string& name, const std::string& bytes, const file& held,
                    input_source from = {}) {
    SCOPED_TRACE(name);
    ++read_;
    for (const auto& [other, its_bytes] : held.beside) write(other, its_bytes);
    from.file = write(name, bytes);
    const auto read = read_serially(from);
    for (const auto& [other, its_bytes] : held.beside) std::filesystem::remove(folder_ / other);
    std::filesystem::remove(folder_ / name);
    ASSERT_TRUE(read.ok()) << read.status().message() << '\n' << bytes.substr(0, 300);
    const input_edges& input = read.value();
    std::vector<arc> arcs;
    for (std::size_t k = 0; k < input.mine.edges.size(); ++k) {
      const edge& e = input.mine.edges[k];
      const float weight = input.mine.weights.empty() ? 1 : input.mine.weights[k];
      EXPECT_EQ(weight * 2, std::floor(weight * 2));
      const auto id = [&](std::uint64_t v) { return input.named ? v : external_id(input, v); };
      arcs.push_back({id(e.source), id(e.target), static_cast<unsigned>(weight * 2)});
    }
    std::ranges::sort(arcs);
    EXPECT_EQ(input.weighted, held.weighted);
    EXPECT_TRUE(arcs == held.arcs) << bytes.substr(0, 600);
  }

  void expect_refusal(const std::string& name, const std::string& bytes, const std::string& place,
                      const std::string& sentence, input_source from = {}) {
    SCOPED_TRACE(name);
    ++read_;
    ++refused_;
    const std::string path = from.file = write(name, bytes);
    const auto read = read_serially(from);
    std::filesystem::remove(path);
    ASSERT_FALSE(read.ok()) << bytes.substr(0, 300);
    EXPECT_EQ(read.status().code(), exit_status::bad_data);
    const std::string said = read.status().message();
    EXPECT_TRUE(said.starts_with(path + place)) << said;
    EXPECT_NE(said.find(sentence), said.npos) << said;
    EXPECT_LT(said.size(), path.size() + 600) << said;
  }

  void TearDown() override { RecordProperty("refused", refused_); }

  scratch_folder folder_;
  int read_ = 0, refused_ = 0;
};

TEST_F(every_file, is_read_as_its_graph) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const drawn::graph g = draw(seed);
    for (const file& held : all_files(g)) expect_graph(held.name, held.bytes, held);
  }
  EXPECT_GE(read_, 250);
}

// A compressed .sg, .g500 or .npz is refused, and LDBC's files are plain.
bool may_be_packed(const file& held) {
  return held.beside.empty() && !held.name.ends_with(".sg") && !held.name.ends_with(".npz");
}

TEST_F(every_file, is_read_as_its_graph_out_of_what_it_is_packed_in) {
  const drawn::graph g = draw(11);
  for (const file& held : all_files(g)) {
    if (!may_be_packed(held)) continue;
    const std::size_t half = held.bytes.size() / 2;
    const std::string front = held.bytes.substr(0, half), back = held.bytes.substr(half);
    expect_graph(held.name + ".gz", formats::gzip_member(front) + formats::gzip_member(back), held);
    expect_graph(
        held.name + ".zst",
        formats::skippable_frame("x") + formats::zstd_frame(front, false) + formats::zstd_frame(back), held);
    if (held.name.ends_with(".adj")) continue;  // is recognised by the file's own name
    // Its name means nothing but itself.
    const std::string tar = in_archive({{"../../etc/" + held.name, held.bytes}, {"/README", "x"}}, false);
    expect_graph("archive.tar", tar, held);
    expect_graph("archive.tar.gz", formats::gzip_member(tar), held);
    expect_graph("archive.zip", in_archive({{"/" + held.name, held.bytes}}, true), held);
  }
  EXPECT_GE(read_, 120);
}

// Two people rate three things: 1 rates 1 with 5 and 3 with 2, 2 rates 1 with 4.
struct ratings {
  const char* name;
  std::string bytes;
  std::optional<bool> bipartite;
  std::uint64_t shift;      // of the things
  std::string weight = {};  // column
  std::uint64_t first_id = 1;
};

TEST_F(every_file, of_two_sets_has_them_apart) {
  const std::string rows = "1,1,5,97\n1,3,2,98\n2,1,4,99\n", banner = "%%MatrixMarket matrix coordinate real";
  const std::string entries = "1 1 5\n1 3 2\n2 1 4\n";
  const auto apart_by = [&](const std::string& separator) {
    std::string text;
    for (const char c : rows) text += c == ',' ? separator : std::string(1, c);
    return text;
  };
  const std::vector<ratings> all{{"ratings.csv", "userId,movieId,rating,timestamp\n" + rows, {}, 2},
                                 {"one_set.csv", "userId,movieId,rating,timestamp\n" + rows, false, 0},
                                 {"users.tsv", "item\tuser\tweight\n1\t1\t5\n3\t1\t2\n1\t2\t4\n", {}, 2},
                                 {"ratings.dat", apart_by("::"), {}, 2, "3"},
                                 {"crlf.dat", apart_by("::").insert(11, "\r"), {}, 2, "3"},
                                 {"one_set.dat", apart_by("::"), false, 0, "3"},
                                 {"u.data", apart_by("\t"), true, 2, "3"},
                                 {"list.wel", entries, true, 2},
                                 {"one_set.wel", entries, {}, 0},
                                 {"from_0.wel", "0 0 5\n0 2 2\n1 0 4\n", true, 2, {}, 0},
                                 {"wide.mtx", banner + " general\n2 3 3\n" + entries, {}, 2},
                                 {"without_word.mtx", banner + "\n2 3 3\n" + entries, {}, 2},
                                 {"slow.mtx", banner + " general\n2 3 3\n1 1 5\n 1 3 2\n2 1 4", {}, 2},
                                 {"high.mtx", banner + " general\n4 3 3\n" + entries, {}, 4},
                                 {"square.mtx", banner + " general\n3 3 3\n" + entries, true, 3},
                                 {"one_set.mtx", banner + "\n3 3 3\n" + entries, {}, 0},
                                 {"out.ratings", "% bip weighted\n% 3 2 3\n" + entries, {}, 2},
                                 {"out.again", "% bip weighted\n% 3 2 3\n" + entries, true, 2},
                                 {"out.asym", "% asym weighted\n" + entries, true, 2}};
  for (const ratings& held : all) {
    const std::uint64_t first = held.first_id;
    file expected{held.name, held.bytes, {}, true};
    for (const arc& e : {arc{0, 0, 10}, arc{0, 2, 4}, arc{1, 0, 8}})
      expected.arcs.push_back({e.from + first, e.to + first + held.shift, e.halves});
    input_source from;
    from.table.weight = held.weight;
    from.table.bipartite = held.bipartite;
    expect_graph(held.name, held.bytes, expected, from);
  }
}

TEST_F(every_file, whose_two_sets_cannot_be_told_apart_is_refused) {
  input_source apart, named;
  apart.table.bipartite = true;
  named.named = true;
  const std::string banner = "%%MatrixMarket matrix coordinate pattern ";
  expect_refusal("row.mtx", banner + "general\n2 3 1\n3 1\n", ":3:1: '3' is not a row",
                 "expected one up to 2");
  expect_refusal("column.mtx", banner + "general\n3 2 1\n1 3\n", ":3:3: '3' is not a column",
                 "expected one up to 2");
  expect_refusal("wide.mtx", banner + "symmetric\n2 3 1\n2 1\n", ":2:3: 2 rows and 3 columns",
                 "expected 'general'");
  expect_refusal("none.mtx", banner + "general\n0 3 1\n1 1\n", ":3:1: '1' is not a row",
                 "expected one up to 0");
  expect_refusal("out.zero", "% bip unweighted\n% 1 2 2\n1 0\n", ":3:3: '0' is not a vertex",
                 "expected an id from 1 to 2");
  expect_refusal("rows.graph", "2 1\n2\n1\n", ": edges of metis are between vertices of one set",
                 "remove --bipartite", apart);
  expect_refusal("road.gr", "p sp 2 1\na 1 2 1\n", ": edges of dimacs", "remove --bipartite", apart);
  expect_refusal("large.el", "18446744073709551615 1\n", ": sources up to 18446744073709551615 and targets",
                 "expected less than 2^64", apart);
  expect_refusal("ratings.csv", "userId,movieId\n1,1\n", ":1:1: sources and targets of two sets",
                 "remove --names", named);
  expect_refusal("colon.dat", "1::1::5\n1::2:3\n", ":2:7: only 2 columns",
                 "the target in column 2, the weight in column 3");
}

// With as many as it says, fewer or more, or cut: the counts are the format's own promise.
TEST_F(every_file, that_is_cut_is_refused_where_its_format_says_how_long_it_is) {
  const drawn::graph g = draw(5);
  const std::set<std::string> say_it{
      "real.mtx",    "pattern.mtx",   "symmetric.mtx", "road.gr",   "colour.col", "flow.max",   "rows.graph",
      "ids.graphml", "names.graphml", "gephi.gexf",    "graph.gml", "graph.dot",  "links.json", "matrix.d6",
      "triangle.g6", "ligra.adj",     "edges.npy",     "index.npy", "rows.npz",   "columns.npz"};
  for (const file& held : all_files(g)) {
    if (!say_it.contains(held.name)) continue;
    for (const std::size_t cut : {held.bytes.size() / 3, held.bytes.size() / 2})
      expect_refusal(held.name, held.bytes.substr(0, cut), "", "; ");
  }
  EXPECT_EQ(read_, 40);
}

TEST_F(every_file, of_others_is_refused_by_its_name_with_the_remedy) {
  using namespace std::string_literals;
  const std::string rest(2000, '\1');
  expect_refusal("edges.parquet", "PAR1" + rest, ": this is Parquet",
                 "duckdb -c \"COPY (FROM 'FILE') TO 'edges.csv'");
  expect_refusal("edges.feather", "ARROW1\0\0"s + rest, ": this is Arrow's IPC", "pandas.read_feather");
  expect_refusal("m.mat", "\x89HDF\r\n\x1a\n" + rest, ": this is HDF5", "scipy.io.mmwrite");
  expect_refusal("m5.mat", "MATLAB 5.0 MAT-file, x" + rest, ": this is MATLAB's .mat", "scipy.io.mmwrite");
  expect_refusal("g.sqlite", "SQLite format 3\0"s + rest, ": this is a database of SQLite", "sqlite3 -csv");
  expect_refusal("g.pkl", "\x80\x04\x95" + rest, ": this is a pickle", "write_graphml");
  expect_refusal("g.gdf", "nodedef>name VARCHAR\n1\n", ":1:1: this looks like GDF", "write it as one of");
  expect_refusal("g.svg", "<svg>\n</svg>\n", ":1:1: this looks like XML", "write it as one of");
  expect_refusal("list.txt", "[1, 2]\n", ":1:1: this looks like a list in JSON", "write it as one of");
  expect_refusal("dl.txt", "DL n=5\n1 2\n", ":1:1: this looks like UCINET's DL", "write it as one of");
  expect_refusal("galois.gr", "\1\0\0\0\0\0\0\0"s + rest, ": this looks like Galois' binary",
                 "graph-convert");
}

TEST_F(every_file, that_is_hostile_is_refused_at_once) {
  const auto repeated = [](std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t k = 0; k < times; ++k) all += text;
    return all;
  };
  constexpr std::size_t deep = 200000;
  expect_refusal(
      "bomb.graphml",
      "<!DOCTYPE g [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;&a;\">]><graphml><graph>&b;</graph></graphml>",
      ":1:", "entities are declared");
  expect_refusal("outside.gexf", "<!DOCTYPE g [<!ENTITY a SYSTEM \"/etc/passwd\">]><gexf>&a;</gexf>",
                 ":1:", "entities are declared");
  expect_refusal("deep.graphml", "<graphml>" + repeated("<graph><node id='1'>", deep), ":1:", "graph");
  expect_refusal("deep.gml", "graph [" + repeated(" a [", deep), ":1:405: lists in more than 100 others", "");
  expect_refusal("deep.json", "{\"nodes\": " + repeated("[", deep), ":1:", ";");
  expect_refusal("deep.dot", "digraph " + repeated("{ subgraph ", deep), ":1:", ";");
  expect_refusal("loop.zip", in_archive({{"in.zip", in_archive({{"g.el", "1 2\n"}}, true)}}, true), "/in.zip",
                 "compressed inside the archive; unpack it");
  expect_refusal("two.zip", in_archive({{"a.el", "1 2\n"}, {"b.el", "1 2\n"}}, true), ": holds several files",
                 "'a.el', 'b.el'; unpack it");
  expect_refusal("none.tar", in_archive({{".hidden", "1 2\n"}}, false), ": holds no file", "unpack it");
  const std::string zip = in_archive({{"g.el", repeated("1 2\n", 500)}}, true);
  expect_refusal("cut.zip", zip.substr(0, zip.size() / 3), "", "; check it with unzip -t");
  const std::string gz = formats::gzip_member(repeated("1 2\n", 500));
  expect_refusal("cut.gz", gz.substr(0, gz.size() - 3), ": the gzip data ends in the middle at byte",
                 "; check it with gzip -t");
  expect_refusal("rubbish.gz", gz + "1 2\n", ": the gzip data is corrupt", "; check it with gzip -t");
}

TEST_F(every_file, of_numpy_that_is_not_of_edges_is_refused) {
  using drawn::numpy_file;
  const std::vector<std::int64_t> six{0, 1, 1, 2, 2, 0}, eight{0, 1, 1, 2, 2, 0, 3, 1};
  expect_refusal("small.npy", numpy_file("<i8", "(3, 2)", six), ": 3 rows of 2 columns",
                 "may be the rows or the columns");
  expect_refusal("flat.npy", numpy_file("<i8", "(8,)", eight), ": not an array of edges", "expected");
  expect_refusal("huge.npy", numpy_file("<i8", "(281474976710656, 2)", eight), ":", "a damaged header");
  expect_refusal("long.npy", numpy_file("<i8", "(70368744177664, 2)", eight), ": ends after 64 of",
                 "get the file again");
  expect_refusal("object.npy", numpy_file("|O", "(4, 2)", eight), ":", "a type that is not supported");
  expect_refusal("record.npy", numpy_file("[('a', '<i8')]", "(4, 2)", eight), ":",
                 "a type that is not supported");
  expect_refusal("more.npy", numpy_file("<i8", "(4, 2)", eight) + "x", ": has more than",
                 "get the file again");
  expect_refusal("negative.npy", numpy_file<std::int64_t>("<i8", "(4, 2)", {0, 1, 1, 2, 2, 0, 3, -1}),
                 ": entry 7 is -1", "expected whole numbers from 0 on");
  expect_refusal("half.npy", numpy_file<double>("<f8", "(4, 2)", {0, 1, 1, 2, 2, 0, 3, 1.5}),
                 ": entry 7 is 1.5", "expected whole numbers from 0 on");
  expect_refusal("nan.npy", numpy_file<double>("<f8", "(4, 3)", {0, 1, 1, 2, 0, 3, 1, 2, 1, 0, 3, NAN}),
                 ": entry 11 is nan", "--ignore_weights");
  expect_refusal("none.npz", in_archive({{"a.npy", numpy_file("<i8", "(8,)", eight)}, {"b.npy", "x"}}, true),
                 "", "expected");
  const auto matrix = [&](const std::string& format, std::int64_t rows, std::vector<std::int64_t> ends) {
    const std::vector<char> letters(format.begin(), format.end());
    return in_archive({{"indices.npy", numpy_file("<i8", "(3,)", std::vector<std::int64_t>{1, 2, 0})},
                       {"indptr.npy", numpy_file("<i8", fmt::format("({},)", ends.size()), ends)},
                       {"format.npy", numpy_file("|S3", "()", letters)},
                       {"shape.npy", numpy_file("<i8", "(2,)", std::vector<std::int64_t>{rows, 3})},
                       {"data.npy", numpy_file("<i8", "(3,)", std::vector<std::int64_t>{1, 1, 1})}},
                      true);
  };
  expect_refusal("bsr.npz", matrix("bsr", 3, {0, 1, 2, 3}), ": a sparse matrix of the format 'bsr'",
                 "matrix.tocsr()");
  expect_refusal("wide.npz", matrix("csr", 4, {0, 1, 2, 3, 3}), ": a matrix of 4 rows and 3 columns",
                 "expected a square one");
  expect_refusal("falls.npz", matrix("csr", 3, {0, 2, 1, 3}), ": offset 2 of 'indptr' is 1",
                 "expected 2 to 3");
  expect_refusal("short.npz", matrix("csr", 3, {0, 1, 2}), ": 3 offsets", "3 rows");
  expect_refusal("zipped.npz.gz", formats::gzip_member(matrix("csr", 3, {0, 1, 2, 3})), "", "; ");
}

}  // namespace
}  // namespace orujo::internal::graph
