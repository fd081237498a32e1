// Runs a plan. Every batch of rows goes through all steps in one pass, up to a step that needs all rows at
// once: the build side of a join, groups, an order.
//
// Neumann: "Efficiently Compiling Efficient Query Plans for Modern Hardware", VLDB 2011, for pipelines that
// push; Boncz, Zukowski, Nes: "MonetDB/X100: Hyper-Pipelining Query Execution", CIDR 2005, for batches; over
// global memory: Nelson et al., "Latency-Tolerant Software Distributed Shared Memory", USENIX ATC 2015,
// section 4.3.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/tables/relational/plan.hpp"

namespace orujo::internal::relational {

// Figures of a step, by its number in the plan.
struct step_figures {
  std::uint64_t rows = 0;  // that it handed on
  double seconds = 0;      // of a core's time, in the mean
};

struct executed {
  row_part rows;  // the calling core's, a column for each output; core 0 has the first ones, and so on
  std::vector<step_figures> steps;  // over all cores
};

// [task; suspends; collective over the job] The same plan at every core. `text` is that of the query, for
// messages. Fails with bad_data if integers overflow.
result<executed> execute(const plan& of, const tables& data, const std::string& text,
                         const execute_options& options = {});

}  // namespace orujo::internal::relational
