// Patterns of vertices and edges, in the place of tables: FROM match('(a)-[follows]->(b)<-[]-(c)').
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "framework/tables/relational/syntax.hpp"

namespace orujo::internal::relational {

// The tables that a pattern joins, one for each of its edges.
//
//   pattern = path , path ...      path = vertex edge vertex ...      vertex = (name) or ()
//   edge = -[]-> or <-[]-, with a table in the brackets, or name:table; without one the table `edges`
//
// The first two columns of a table are the ends of its edges, and get the names of the vertices. A vertex
// that occurs again is the same one, so that the tables join on it; vertices of different names may be the
// same one, too. Every edge but the first has a vertex that occurs before it. `at` is the byte of the query
// where the pattern stands. Throws query_error.
std::vector<source> read_pattern(std::string_view pattern, std::size_t at);

}  // namespace orujo::internal::relational
