// All work on a graph's file except computing on it: graph_tool COMMAND --FLAGS.
#include <fmt/format.h>
#include <gflags/gflags.h>

#include <algorithm>
#include <array>
#include <deque>
#include <string>
#include <string_view>

#include "applications/graph_tool/check.hpp"
#include "applications/graph_tool/convert.hpp"
#include "applications/graph_tool/explore.hpp"
#include "applications/graph_tool/layout.hpp"
#include "applications/graph_tool/stats.hpp"
#include "system/base/flags.hpp"
#include "system/runtime/runtime.hpp"

namespace {

struct command {
  std::string_view name;
  orujo::status (*run)();
};
constexpr std::array commands = {command{"check", orujo::internal::graph_tool::check},
                                 command{"convert", orujo::internal::graph_tool::convert},
                                 command{"explore", orujo::internal::graph_tool::explore},
                                 command{"generate", orujo::internal::graph_tool::convert},
                                 command{"layout", orujo::internal::graph_tool::layout},
                                 command{"stats", orujo::internal::graph_tool::stats}};

// The command that main() has found.
const command* chosen = nullptr;
template <class... Names>
bool is_chosen(Names... names) {
  return !chosen || ((chosen->name == names) || ...);
}

const orujo::internal::base::flag_need unused({"trials", "verify", "output_format", "placement"});
const orujo::internal::base::flag_need write_need(
    {"output", "to", "renumber"}, [] { return is_chosen("convert", "generate"); },
    "with convert and generate, which write a graph");
const orujo::internal::base::flag_need stats_need(
    {"for_locales"}, [] { return is_chosen("stats"); }, "with stats");
const orujo::internal::base::flag_need load_need(
    {"layout", "layout_levels", "layout_seed", "layout_vertex_bytes", "segments", "bundle_depth",
     "stats_json"},
    [] { return is_chosen("convert", "generate", "layout", "stats"); },
    "with convert, generate, layout and stats");
const orujo::internal::base::flag_need change_need(
    {"transpose", "largest_component", "remove_self_loops", "remove_duplicates", "partition",
     "partition_alpha", "segments", "bundle_depth"},
    [] { return is_chosen("convert", "generate", "stats"); }, "with convert, generate and stats");
const orujo::internal::base::flag_need direction_need(
    {"symmetrize"}, [] { return is_chosen("convert", "generate", "stats", "explore"); },
    "with convert, generate, stats and explore");
const orujo::internal::base::flag_need column_need(
    {"weight_column", "time_column", "ignore_weights"},
    [] { return is_chosen("convert", "generate", "stats", "check", "explore"); },
    "with convert, generate, stats, check and explore");
const orujo::internal::base::flag_need strict_need(
    {"strict"}, [] { return is_chosen("convert", "generate", "stats", "check"); },
    "with convert, generate, stats and check");
const orujo::internal::base::flag_need weight_need(
    {"keep_weight"}, [] { return is_chosen("convert", "generate"); }, "with convert and generate");

}  // namespace

int main(int argc, char** argv) {
  // The command comes first, except for flags that the launcher adds, which the runtime reads.
  char** const end = argv + argc;
  char** const word = std::find_if(argv + 1, end, [](const char* text) {
    return !std::string_view(text).starts_with("--") ||
           std::string_view(text).find('=') == std::string_view::npos;
  });
  const auto wanted = std::find_if(commands.begin(), commands.end(),
                                   [&](const command& c) { return word != end && c.name == *word; });
  const bool known = wanted != commands.end();
  chosen = known ? &*wanted : nullptr;
  const bool misspelt = !known && word != end && !std::string_view(*word).starts_with("-");
  const std::string said = misspelt ? fmt::format("no command '{}'", *word) : "no command";
  if (known || misspelt) argc -= static_cast<int>(end - std::copy(word + 1, end, word));
  // After the command --locales is not the runtime's flag, which would start that many locales.
  std::deque<std::string> renamed;
  for (char** flag = word; known && flag != argv + argc; ++flag) {
    const std::string_view text = *flag;
    if (text != "--locales" && !text.starts_with("--locales=")) continue;
    *flag = renamed.emplace_back("--for_").append(text.substr(2)).data();
  }
  // generate SPEC is convert --generate=SPEC, and explore FILE is explore --graph=FILE.
  const bool takes_word = known && (wanted->name == "generate" || wanted->name == "explore");
  if (takes_word && word != argv + argc && !std::string_view(*word).starts_with("-"))
    *word = renamed.emplace_back(wanted->name == "explore" ? "--graph=" : "--generate=").append(*word).data();
  return orujo::run(
      argc, argv,
      "graph_tool: statistics, checks, conversion and generation of graphs.\n\n"
      "graph_tool stats: prints vertices, degrees, packing of vectors and memory of a graph, and the costs "
      "of its partition: balance, mirrors, bytes.\n"
      "graph_tool convert: writes the graph, as an application would load it, to a file of any format.\n"
      "graph_tool generate SPEC: the same for a generated graph.\n"
      "graph_tool check: checks a file, of an .orj every byte.\n"
      "graph_tool explore FILE: prints what the start of a file is read as: format, columns, first edges, "
      "and "
      "the command that loads it.\n"
      "graph_tool layout: measures the cost of orders of the vertices in memory, and the distances of "
      "neighbours.\n\n"
      "  bin/orujo run graph_tool stats --generate=kronecker:18 --symmetrize\n"
      "  bin/orujo run graph_tool stats --graph=web.txt.gz --locales=16 --partition=hash\n"
      "  bin/orujo run graph_tool convert --graph=web.txt.gz --symmetrize --output=web.orj\n"
      "  bin/orujo run graph_tool generate kronecker:18:weights=1..255 --output=k18.wsg\n"
      "  bin/orujo run graph_tool check --graph=web.orj\n"
      "  bin/orujo run graph_tool explore mail.csv\n"
      "  bin/orujo run graph_tool layout --generate=mesh2d:1000x1000",
      [&]() -> orujo::status {
        using enum orujo::exit_status;
        if (!known)
          return {usage,
                  said + ": graph_tool check, convert, explore, generate, layout or stats; --help says more"};
        return wanted->run();
      });
}
