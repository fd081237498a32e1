// Triples of the shape of SP2Bench's, made of random numbers: a bibliography that grows from year to year.
//
// Schmidt, Hornung, Lausen, Pinkel: "SP2Bench: A SPARQL Performance Benchmark", ICDE 2009, sections 3 and 4.
#pragma once

#include <string>
#include <vector>

#include "framework/tables/relational/tables.hpp"

namespace orujo::query {

// Of "sp2bench:TRIPLES": the table `triples` with about so many rows, and the columns subject, predicate and
// object. From 1936 on journals, articles, proceedings and their papers grow as logistic functions of the
// year do, until there are enough; persons with them, of whom few write much. The draws are our own: answers
// are not those that the benchmark publishes. usage where the text is no such one.
result<std::vector<relational::made_table>> sp2bench_tables(const std::string& specification);

}  // namespace orujo::query
