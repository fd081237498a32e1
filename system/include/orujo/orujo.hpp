// All of the runtime. <orujo/graph.hpp> and the headers that it names are the graph framework.
//
// A program includes this header or the parts that it uses. Everything in them is directly in namespace
// orujo, which has nothing else. Their own includes have namespaces by layers (`orujo::base`,
// `orujo::delegates`, ...), for the library only.
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
