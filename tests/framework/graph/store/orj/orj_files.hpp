// .orj files as a job reads them.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "framework/graph/build/build.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/store/orj/check.hpp"
#include "framework/graph/store/orj/load.hpp"
#include "system/collectives/collectives.hpp"
#include "system/loops/forall.hpp"
#include "tests/at_home.hpp"

namespace orujo::internal::graph::orj_files {

// The path of a file of this job, whose processes are all on one machine.
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

// [task; suspends; collective over the job] Sends the text `from` of core 0 to all cores.
inline std::string share_text(const std::string* from) {
  std::string text(collectives::broadcast(my_core() == 0 ? from->size() : 0, 0), ' ');
  if (my_core() == 0) text = *from;
  collectives::broadcast(std::span(text), 0);
  return text;
}

struct loaded {
  status failure;
  bool direct = false;  // not by way of the edges
  std::optional<distributed_graph> graph;
};

// [task; suspends] As load_from_flags() does it.
inline loaded load_file(const std::string& path, const build_options& options) {
  loaded made;
  const auto parts = containers::symmetric<std::shared_ptr<locale_graph>>::reserve();
  loops::on_all_cores([=, from = at_home(path), to = at_home(made)] {
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

inline status check_file(const std::string& path) {
  status outcome;
  loops::on_all_cores([from = at_home(path), to = at_home(outcome)] {
    const status found = check_orj(share_text(from)).status();
    if (my_core() == 0) *to = found;
  });
  return outcome;
}

}  // namespace orujo::internal::graph::orj_files
