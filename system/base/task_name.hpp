// The running task's name, for error messages of layers below tasks/.
#pragma once

#include <string>

namespace orujo::internal::base {

// [any thread] The name of the calling thread's task, from the function given to set_task_namer(); empty if
// there is none.
std::string name_of_task();

// [any thread] Sets the function of the process that names the calling thread's task: the scheduler's.
using task_namer = std::string (*)();
void set_task_namer(task_namer name);

}  // namespace orujo::internal::base
