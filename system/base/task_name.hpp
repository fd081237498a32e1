// The name of a task, for the last messages of code below the scheduler.
#pragma once

#include <string>

namespace orujo::base {

// Name of the calling thread's task, from the function given to set_task_namer() (check.hpp); empty if there
// is none.
std::string name_of_task();

}  // namespace orujo::base
