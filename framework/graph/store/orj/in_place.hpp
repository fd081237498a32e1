// A graph on one locale that uses an .orj file's arrays as they are.
#pragma once

#include <string>

#include "framework/formats/orj_file.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "framework/graph/edge_forms.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the locale, the job's only one] Fills in everything but the ids of a graph
// as open_graph() made it. The file is mapped, and its pages are the graph's arrays, which keep it mapped;
// each core checks a part of them. On several NUMA nodes the cores read their parts into memory of their own
// instead. With keep.in_vectors the file must have Vector-Sparse. Fails alike at every core, if the file
// does.
status load_in_place(const std::string& path, const formats::orj_header& header, locale_graph& g,
                     const edge_forms& keep);

}  // namespace orujo::internal::graph
