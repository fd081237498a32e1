// Small graphs of the literature that come with the library, for trying things out: --graph=karate.
//
// The data are facts that their authors published; see the source of each. They are those of NetworkX's
// karate_club_graph() and the like (BSD licence).
#pragma once

#include <span>
#include <string_view>

namespace orujo::internal::formats {

struct sample_graph {
  std::string_view name;
  std::string_view content;  // what its vertices and edges are
  std::string_view source;   // the publication
  std::string_view dot;      // the graph, undirected, as a file of that format
};

// All of them, by name.
std::span<const sample_graph> sample_graphs();

// Their names, for people.
inline constexpr std::string_view sample_names = "davis, florentine, karate or lesmis";

// Returns nullptr if there is none of this name.
const sample_graph* find_sample_graph(std::string_view name);

}  // namespace orujo::internal::formats
