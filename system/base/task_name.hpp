// Which task it was, for the last words of those that know no tasks.
#pragma once

#include <string>

namespace orujo::base {

// Of the calling thread's task, as the function says that set_task_namer() (check.hpp) was given; empty where
// there is none.
std::string name_of_task();

}  // namespace orujo::base
