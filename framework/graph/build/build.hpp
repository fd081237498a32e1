// Building a distributed graph of edges as they come in.
#pragma once

#include <memory>

#include "framework/graph/build/build_options.hpp"
#include "framework/graph/build/input.hpp"
#include "framework/graph/distributed_graph.hpp"
#include "system/base/status.hpp"

namespace orujo::internal::graph {

// [task; suspends; collective over the job] Turns every core's edges into the locales' graphs; the cores of a
// locale get the same object. Fails with no_resource if a locale would have 2^30 local indices or more.
result<std::shared_ptr<locale_graph>> build(input_edges input, const build_options& options);

}  // namespace orujo::internal::graph
