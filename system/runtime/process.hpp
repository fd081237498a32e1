// Requirements of a job on its process: a single job at a time, logging, and a suitable launcher.
#pragma once

#include "system/base/flags.hpp"
#include "system/base/status.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::runtime {

// A process has one job at a time. During the job:
// - exit() ends the job as a failure, with a message. This holds in tasks and handlers, and while cores run
//   in any thread, if the program's main thread waits for the job.
// - A forked child has no part in the job. The child ends as misuse if it uses the job; the parent continues.
class process_of_job {
 public:
  enum class main_thread { waits_for_job, is_the_programs };
  // ok() if the job has the process.
  explicit process_of_job(main_thread has);
  ~process_of_job();
  process_of_job(const process_of_job&) = delete;
  status taken() const;

 private:
  bool mine_;
};

// Sends glog to stderr, from INFO on at the first process and from WARNING on at others.
void start_logging(int rank);

// Finds mistakes that parsing alone does not find. `link` is null if no launcher is known to have started the
// process.
status check_command_line(const base::parsed_flags& parsed, const transport::transport* link,
                          const transport::launch_facts& launch);

}  // namespace orujo::internal::runtime
