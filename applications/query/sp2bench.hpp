// Synthetic triples of SP2Bench's shape: a bibliography that grows from year to year.
//
// The benchmark is from Schmidt, Hornung, Lausen, Pinkel, "SP2Bench: A SPARQL Performance Benchmark", ICDE
// 2009, sections 3 and 4.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/relational/tables.hpp"

namespace orujo::internal::query {

// Parses "sp2bench:TRIPLES": the table `triples` with about TRIPLES rows, and the columns subject, predicate
// and object. From 1936 on journals, articles, proceedings and their papers grow as logistic functions of the
// year, until there are enough. Persons grow with them, of whom few write much. The random numbers are our
// own, so answers are not those that the benchmark publishes. Returns a usage error for other texts.
result<std::vector<relational::made_table>> sp2bench_tables(const std::string& specification);

}  // namespace orujo::internal::query
