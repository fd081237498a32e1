// Files of graphs as tables of their edges.
#pragma once

#include <string>
#include <string_view>

#include "framework/tables/relational/tables.hpp"

namespace orujo::internal::relational {

// True for names that graph files alone have, such as x.el, x.mtx, x.sg.gz, x.graphml and x.orj, unlike x.csv
// and x.txt.
bool names_a_graph(std::string_view path);

// [task; suspends; collective over the job] A row for each edge of such a file: source, target and, if edges
// have weights, weight. An edge of an undirected graph is two rows. Vertices are integers, or texts if the
// file has names. Fails as graph::read_input() does, and with bad_data for ids from 2^63 on.
result<brought_table> rows_of_graph(const std::string& name, const std::string& path);

}  // namespace orujo::internal::relational
