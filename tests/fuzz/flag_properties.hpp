// Properties of any command line, with a flag a line. Its flags have the given values, or one sentence names
// the wrong flag and the error, and their earlier values can be restored. Values of --fuzzed_graph, which is
// read where it is used, make a graph whose edges are among its vertices, or are refused.
#pragma once

#include <gflags/gflags.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "framework/generators/generator.hpp"
#include "system/base/flags.hpp"
#include "system/checkpoint/settings.hpp"

DEFINE_string(fuzzed_graph, "", "of the fuzzer: a graph");
DEFINE_int32(fuzzed_count, 3, "of the fuzzer: 1 to 100");
DEFINE_uint64(fuzzed_bytes, 1 << 20, "of the fuzzer");
DEFINE_double(fuzzed_share, 0.5, "of the fuzzer: 0 to 1");
DEFINE_bool(fuzzed, false, "of the fuzzer");

namespace orujo::internal::fuzz {

inline const flag_rule count_rule(
    "fuzzed_count", [] { return FLAGS_fuzzed_count >= 1 && FLAGS_fuzzed_count <= 100; }, "from 1 to 100");
inline const flag_rule share_rule(
    "fuzzed_share", [] { return FLAGS_fuzzed_share >= 0 && FLAGS_fuzzed_share <= 1; }, "from 0 to 1");

inline std::string broken_generator_property(const std::string& text) {
  const auto spec = generators::parse_generator(text);
  if (!spec.ok()) {
    const bool named = spec.status().message().find(text) != std::string::npos;
    return spec.status().code() == exit_status::usage && named ? "" : "unclear: " + spec.status().message();
  }
  const std::uint64_t vertices = spec.value().vertex_count(), edges = spec.value().edge_count();
  if (vertices == 0) return "a graph without vertices: " + text;
  constexpr std::uint64_t some = 16;
  for (const std::uint64_t first : {std::uint64_t{0}, edges - std::min(edges, some)}) {
    for (const auto& e : generators::generate(spec.value(), first, first + std::min(edges, some)).edges) {
      if (e.source >= vertices || e.target >= vertices) return "an edge that leads nowhere: " + text;
    }
  }
  return "";
}

struct command_line_end {
  status said;
  std::string generate;  // as it was given
  bool in_bounds = true;
};

inline command_line_end try_command_line(std::string_view text) {
  std::vector<std::string> lines{"program"};
  for (; !text.empty(); text.remove_prefix(std::min(text.size(), lines.back().size() + 1)))
    lines.emplace_back(text.substr(0, text.find('\n')));
  std::vector<const char*> argv;
  for (const std::string& line : lines) argv.push_back(line.c_str());
  base::flag_values replaced;
  command_line_end end;
  end.said = base::parse_flags(static_cast<int>(argv.size()), argv.data(), &replaced).status();
  end.generate = FLAGS_fuzzed_graph;
  if (end.said.ok()) {
    end.in_bounds = FLAGS_fuzzed_count >= 1 && FLAGS_fuzzed_count <= 100 && FLAGS_fuzzed_share >= 0 &&
                    FLAGS_fuzzed_share <= 1 && checkpoint::current_settings().every.seconds < 1e9;
  }
  base::restore_flags(replaced);
  return end;
}

// Empty: none is broken.
inline std::string broken_flag_property(std::string_view text) {
  static const std::string settings_before = base::settings_text();
  const command_line_end end = try_command_line(text);
  if (!end.said.ok()) {
    if (end.said.code() != exit_status::usage) return "another status: " + end.said.message();
    if (end.said.message().find("--") == std::string::npos) return "no flag: " + end.said.message();
  }
  if (!end.in_bounds) return "values that break their rules";
  // The help text marks a flag as "(set)" from its first value on.
  const auto values = [](const std::string& lines) {
    std::string without;
    for (std::size_t at = 0; at < lines.size(); ++at) {
      if (lines.compare(at, 7, "  (set)") == 0) at += 7;
      without += lines[at];
    }
    return without;
  };
  if (values(base::settings_text()) != values(settings_before)) return "a flag has not its value back";
  return end.said.ok() ? broken_generator_property(end.generate) : "";
}

}  // namespace orujo::internal::fuzz
