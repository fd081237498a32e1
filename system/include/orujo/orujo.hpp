// All of the runtime. The graph framework has <orujo/graph.hpp> and what that names.
//
// A program includes this or the parts that it uses, and finds everything directly in namespace orujo, where
// there is nothing else. What its headers include in turn has namespaces by layers (orujo::base,
// orujo::delegates, ...); nobody but the library needs those.
#pragma once

// IWYU pragma: begin_exports
#include "orujo/checkpoint.hpp"
#include "orujo/collectives.hpp"
#include "orujo/containers.hpp"
#include "orujo/delegates.hpp"
#include "orujo/job.hpp"
#include "orujo/loops.hpp"
#include "orujo/memory.hpp"
#include "orujo/observe.hpp"
#include "orujo/tasks.hpp"
// IWYU pragma: end_exports
