// Tables in global memory, and queries over them in SQL. From the main task:
//   const auto data = database::load({{"people", "people.csv"}, {"towns", "towns.csv"}});
//   const auto found = data.value().select("SELECT town, count(*) AS n FROM people GROUP BY town");
//   on_all_cores([rows = found.value()] { ... rows.local().rows ... });
// Example: docs/tutorial/together.cpp
#pragma once

// IWYU pragma: begin_exports
#include "framework/tables/relational/database.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::relational::answer, internal::relational::answer_part, internal::relational::database,
    internal::relational::table_file;

// Tables from a program, and graphs from answers.
using internal::relational::brought_table, internal::relational::edges_of, internal::relational::load_tables;
using internal::relational::real_of;
using column_kind = internal::relational::kind;

}  // namespace orujo
