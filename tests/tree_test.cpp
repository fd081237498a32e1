// The tree's rules that a compiler does not check. Includes go downward only and in no circles. Some
// libraries and thread-local variables stay in one place. Sources that are compiled together share no unnamed
// name.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace orujo::internal {
namespace {

namespace fs = std::filesystem;

// Lowest first. A file may include its own folder and those before it.
const std::vector<std::string> layers = {"system/base",          "system/files",
                                         "system/observe",       "system/machine",
                                         "system/node",          "system/transport",
                                         "system/tasks",         "system/messages",
                                         "system/memory",        "system/delegates",
                                         "system/collectives",   "system/loops",
                                         "system/report",        "system/containers",
                                         "system/checkpoint",    "system/watch",
                                         "system/runtime",       "system/include",
                                         "framework/formats",    "framework/generators",
                                         "framework/verify",     "framework/tables/mapreduce",
                                         "framework/graph",      "framework/tables/relational",
                                         "framework/layout",     "framework/exchange",
                                         "framework/vectors",    "framework/device",
                                         "framework/steps",      "framework/gas",
                                         "framework/results",    "framework/grid",
                                         "framework/algorithms", "framework/include",
                                         "applications"};

// The place of a path's layer, or -1.
int layer_of(const std::string& path) {
  for (std::size_t k = 0; k < layers.size(); ++k) {
    if (path.starts_with(layers[k] + "/")) return static_cast<int>(k);
  }
  return -1;
}

struct include {
  std::string file, target;
};

std::vector<include> all_includes() {
  const fs::path root = ORUJO_SOURCE_DIR;
  static const std::regex directive(R"(^\s*#\s*include\s*["<]([^">]+)[">])");
  std::vector<include> found;
  for (const char* top : {"system", "framework", "applications"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension();
      if (extension != ".hpp" && extension != ".cpp") continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (std::regex_search(line, match, directive)) {
          found.push_back({fs::relative(entry.path(), root).string(), match[1]});
        }
      }
    }
  }
  return found;
}

// The fault of one include, or an empty string.
std::string mistake_in(const include& i) {
  const int from = layer_of(i.file), to = layer_of(i.target);
  if (from < 0) return i.file + " is in no layer: add its folder to the list in tree_test.cpp";
  if (to > from) return i.file + " includes " + i.target + ", which is above it";
  const bool ours = i.target.starts_with("system/") || i.target.starts_with("framework/");
  if (ours && to < 0) return i.file + " includes " + i.target + ", which is in no layer";
  return "";
}

TEST(tree, includes_go_downward_only) {
  const std::vector<include> includes = all_includes();
  EXPECT_GT(includes.size(), 100u) << "found hardly any: is the source folder right?";
  for (const include& i : includes) EXPECT_EQ(mistake_in(i), "");
}

TEST(tree, the_check_of_includes_finds_mistakes) {
  EXPECT_NE(mistake_in({"system/base/x.hpp", "system/tasks/scheduler.hpp"}), "");
  EXPECT_NE(mistake_in({"system/runtime/x.cpp", "framework/gas/run.hpp"}), "");
  EXPECT_NE(mistake_in({"system/unknown/x.hpp", "vector"}), "");
  EXPECT_NE(mistake_in({"framework/gas/x.hpp", "framework/nowhere/y.hpp"}), "");
  EXPECT_EQ(mistake_in({"framework/gas/x.hpp", "system/base/status.hpp"}), "");
  EXPECT_EQ(mistake_in({"framework/gas/x.hpp", "vector"}), "");
}

// A file without its extension: a header and its source are one.
std::string stem(const std::string& file) { return fs::path(file).replace_extension().string(); }

// The first circle of these includes within a folder of system/, as a text; empty if there is none.
std::string circle_in(const std::vector<include>& includes) {
  std::map<std::string, std::set<std::string>> below;
  for (const include& i : includes) {
    const std::string from = stem(i.file), to = stem(i.target);
    const bool same_folder = fs::path(from).parent_path() == fs::path(to).parent_path();
    if (from.starts_with("system/") && same_folder && from != to) below[from].insert(to);
  }
  // Files that include nothing that is left go. A circle is in each one that remains, or below it.
  const auto ends = [&](const auto& one) {
    return std::ranges::none_of(one.second, [&](const std::string& to) { return below.contains(to); });
  };
  while (std::erase_if(below, ends) > 0) {
  }
  if (below.empty()) return "";
  std::string text, at = below.begin()->first;
  for (std::set<std::string> seen; seen.insert(at).second;) {
    text += at + " -> ";
    at = *std::ranges::find_if(below[at], [&](const std::string& to) { return below.contains(to); });
  }
  return text + at;
}

TEST(tree, files_of_a_folder_include_each_other_in_no_circle) { EXPECT_EQ(circle_in(all_includes()), ""); }

TEST(tree, the_check_of_circles_finds_them) {
  const include down{"system/base/x.hpp", "system/base/y.hpp"}, up{"system/base/y.cpp", "system/base/x.hpp"},
      own{"system/base/x.cpp", "system/base/x.hpp"}, elsewhere{"system/tasks/y.cpp", "system/base/x.hpp"},
      on{"system/base/y.cpp", "system/base/z.hpp"}, back{"system/base/z.cpp", "system/base/x.hpp"};
  EXPECT_EQ(circle_in({down, own, elsewhere, on}), "");
  EXPECT_EQ(circle_in({down, own, up}), "system/base/x -> system/base/y -> system/base/x");
  EXPECT_NE(circle_in({down, on, back}), "");
}

// A thread and its core have one object, which the core's end takes away.
TEST(tree, one_thread_local_variable_is_in_one_place) {
  const fs::path root = ORUJO_SOURCE_DIR;
  static const std::regex word(R"(\bthread_local\b)"), comment(R"(//.*)");
  std::map<std::string, int> found;
  for (const auto& entry : fs::recursive_directory_iterator(root / "system")) {
    std::ifstream file(entry.path());
    for (std::string line; std::getline(file, line);) {
      if (std::regex_search(std::regex_replace(line, comment, ""), word))
        ++found[fs::relative(entry.path(), root).string()];
    }
  }
  const std::map<std::string, int> declared_and_defined = {{"system/base/thread_state.cpp", 1},
                                                           {"system/base/thread_state.hpp", 1}};
  EXPECT_EQ(found, declared_and_defined);
}

// A declaration in an unnamed namespace of a source.
struct unnamed {
  std::string file, scope, name;
  bool is_function;
  std::string line;
};

// Declarations begin their lines, as do the ends of namespaces.
std::vector<unnamed> unnamed_in(std::istream& source, const std::string& file) {
  static const std::regex type(R"(^(class|struct|enum class|enum|concept) (\w+))"),
      alias(R"(^using (\w+) =)"), other(R"(^[a-z\[][^=({;]*[ *&>](\w+)(\(|\[| =|\{|;))");
  std::vector<unnamed> found;
  std::vector<std::string> scopes;
  const auto is_unnamed = [&] { return !scopes.empty() && scopes.back().empty(); };
  std::smatch match;
  for (std::string line; std::getline(source, line);) {
    if (line.starts_with("namespace ") && line.ends_with(" {")) {
      scopes.push_back(line == "namespace {" ? "" : line.substr(10, line.size() - 12));
    } else if (line.starts_with("}  // namespace")) {
      if (!scopes.empty()) scopes.pop_back();
    } else if (is_unnamed() && !line.starts_with("template")) {
      std::string scope;
      for (const std::string& s : scopes) scope += s.empty() ? "" : s + "::";
      if (std::regex_search(line, match, type)) {
        found.push_back({file, scope, match[2], false, line});
      } else if (std::regex_search(line, match, alias)) {
        found.push_back({file, scope, match[1], false, line});
      } else if (std::regex_search(line, match, other)) {
        found.push_back({file, scope, match[1], match[2] == "(", line});
      }
    }
  }
  return found;
}

// The parameters of a function, as far as they are in its first line.
std::string parameters_of(const unnamed& u) {
  const std::string all = u.line.substr(u.line.find(u.name + "(") + u.name.size());
  return all.substr(0, all.find(')'));
}

// Names that two files of a program declare in one unnamed namespace, unless these are the same alias or
// functions with other parameters.
std::string clashes_in(const std::vector<unnamed>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const unnamed*>> by_name;
  std::string text;
  for (const unnamed& u : all) {
    std::vector<const unnamed*>& others = by_name[{u.scope, u.name}];
    for (const unnamed* o : others) {
      const bool alias = u.line.starts_with("using ") || u.line.starts_with("namespace ");
      if (o->file == u.file || (alias && o->line == u.line)) continue;
      if (o->is_function && u.is_function && parameters_of(*o) != parameters_of(u)) continue;
      text += u.scope + u.name + " in " + o->file + " and " + u.file + "\n";
      break;
    }
    others.push_back(&u);
  }
  return text;
}

// Several sources are compiled as one (orujo_compile_together), others with each new file.
TEST(tree, files_that_may_be_compiled_together_share_no_unnamed_name) {
  const fs::path root = ORUJO_SOURCE_DIR;
  std::map<std::string, std::vector<unnamed>> of_program;
  for (const std::string top : {"system", "framework", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string file = fs::relative(entry.path(), root).string();
      if (!file.ends_with(top == "tests" ? "_test.cpp" : ".cpp")) continue;
      std::ifstream source(entry.path());
      std::vector<unnamed>& all = of_program[file.ends_with("_job_test.cpp") ? "job_tests" : top];
      for (unnamed& u : unnamed_in(source, file)) all.push_back(std::move(u));
    }
  }
  for (const auto& [program, all] : of_program) {
    EXPECT_GT(all.size(), 100u) << "found hardly any: is the source folder right?";
    EXPECT_EQ(clashes_in(all), "") << program;
  }
}

TEST(tree, the_check_of_unnamed_names_finds_clashes) {
  const auto clashes = [](const std::string& one, const std::string& other) {
    std::vector<unnamed> all;
    for (const auto& [file, text] : {std::pair("one", one), std::pair("other", other)}) {
      std::istringstream source("namespace orujo {\nnamespace {\n" + text +
                                "\n}  // namespace\n}  // namespace orujo\n");
      for (unnamed& u : unnamed_in(source, file)) all.push_back(std::move(u));
    }
    return clashes_in(all);
  };
  EXPECT_EQ(clashes("class a {", "constexpr int a = 1;"), "orujo::a in one and other\n");
  EXPECT_NE(clashes("using a = int;", "using a = long;"), "");
  EXPECT_NE(clashes("int a(int b) {", "struct a {"), "");
  EXPECT_NE(clashes("struct a {", "struct a {"), "");
  EXPECT_NE(clashes("std::vector<int> a;", "const int a[] = {1};"), "");
  EXPECT_EQ(clashes("int a(int b) {", "int a(long b) {"), "");
  EXPECT_NE(clashes("int a(int b) { return b; }", "long a(int b) {"), "");
  EXPECT_EQ(clashes("using a = int;", "using a = int;"), "");
  EXPECT_EQ(clashes("struct a {\n  int b;", "struct b {"), "");
  EXPECT_EQ(clashes("}  // namespace\nstruct a {", "struct a {"), "");
}

// All that a file includes, and what these files include, and so on.
std::set<std::string> included_by(const std::string& file) {
  std::multimap<std::string, std::string> targets;
  for (const include& i : all_includes()) targets.emplace(i.file, i.target);
  std::set<std::string> found;
  std::vector<std::string> left = {file};
  while (!left.empty()) {
    const auto [first, last] = targets.equal_range(left.back());
    left.pop_back();
    for (auto at = first; at != last; ++at) {
      if (found.insert(at->second).second) left.push_back(at->second);
    }
  }
  return found;
}

// A program is compiled without what reads, makes and writes graphs.
TEST(tree, running_a_program_needs_a_graph_and_not_how_it_is_built) {
  const std::set<std::string> found = included_by("framework/gas/run.hpp");
  EXPECT_TRUE(found.contains("framework/graph/distributed_graph.hpp"));
  for (const std::string& target : found) {
    for (const char* folder : {"formats/", "generators/", "graph/build/", "graph/store/"})
      EXPECT_FALSE(target.starts_with(std::string("framework/") + folder)) << target;
  }
}

TEST(tree, the_graph_includes_neither_its_building_nor_its_storage) {
  for (const include& i : all_includes()) {
    if (fs::path(i.file).parent_path() != "framework/graph") continue;
    EXPECT_FALSE(i.target.starts_with("framework/graph/build/") ||
                 i.target.starts_with("framework/graph/store/"))
        << i.file << " includes " << i.target;
  }
}

TEST(tree, libraries_stay_behind_their_wrappers) {
  // Headers with restricted use, and the files (or the start of their names) that may include them.
  const std::pair<std::string, std::vector<std::string>> homes[] = {
      {"mpi.h", {"system/transport/mpi_requests.hpp"}},
      {"boost/context", {"system/tasks/context.hpp"}},
      {"zlib.h", {"framework/formats/byte_sink.cpp", "framework/formats/compressed_source.cpp"}},
      {"lz4", {"framework/exchange/codecs/lz4.cpp"}},
      {"xxhash.h", {"system/files/checksum.cpp"}},
      {"immintrin.h",
       {"framework/vectors/simd", "framework/exchange/codecs/stream_varint.cpp",
        "framework/exchange/squeezed_bits.cpp", "framework/tables/mapreduce/word_bits.cpp",
        "applications/engine_lab/simd_wide.hpp", "system/base/precompiled.hpp", "system/machine/isa.cpp"}},
      {"nlohmann/",
       {"system/base/json.cpp", "framework/formats/json_document.cpp",
        "framework/tables/relational/query_tree.hpp"}},
      {"pg_query.h", {"framework/tables/relational/parse.cpp"}},
      {"sqlite3.h", {"applications/query/sqlite_oracle.cpp"}},
      {"archive", {"framework/formats/archive_source.cpp"}},
      {"expat.h", {"framework/formats/xml_document.cpp"}},
      {"tsl/", {"framework/formats/names.cpp"}}};
  for (const include& i : all_includes()) {
    for (const auto& [library, files] : homes) {
      EXPECT_TRUE(!i.target.starts_with(library) ||
                  std::ranges::any_of(files, [&](const auto& home) { return i.file.starts_with(home); }))
          << i.file << " includes " << i.target;
    }
  }
}

// Each takes half a second of everybody's compilation.
TEST(tree, headers_of_the_libraries_are_light) {
  for (const include& i : all_includes()) {
    const bool is_header = i.file.ends_with(".hpp") && !i.file.starts_with("applications/") &&
                           i.file != "system/base/precompiled.hpp" &&
                           i.file != "system/base/flag_registry.hpp";  // of two sources
    for (const char* heavy : {"fmt/", "gflags/", "glog/", "iostream", "regex", "filesystem"})
      EXPECT_FALSE(is_header && i.target.starts_with(heavy)) << i.file << " includes " << i.target;
  }
}

}  // namespace
}  // namespace orujo::internal
