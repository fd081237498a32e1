// What a job needs of its process: that it is the only one there, logging, and a launcher that fits.
#pragma once

#include "system/base/flags.hpp"
#include "system/base/status.hpp"
#include "system/transport/launch.hpp"
#include "system/transport/transport.hpp"

namespace orujo::runtime {

// A process has one job at a time. While it lives:
// - exit() ends the job as a failure, with a sentence: in tasks and handlers, and while cores run in any
// thread
//   where the program's main thread waits for the job.
// - A forked child has no part in the job. The child ends as misuse where it uses the job; the parent goes
// on.
class process_of_job {
 public:
  enum class main_thread { waits_for_job, is_the_programs };
  // ok() where it is this job's now.
  explicit process_of_job(main_thread has);
  ~process_of_job();
  process_of_job(const process_of_job&) = delete;
  status taken() const;

 private:
  bool mine_;
};

// glog to stderr, from INFO on at the first process and from WARNING on at others.
void start_logging(int rank);

// A mistake that parsing alone does not find: `link` is null where no launcher is known to have started the
// process.
status check_command_line(const base::parsed_flags& parsed, const transport::transport* link,
                          const transport::launch_facts& launch);

}  // namespace orujo::runtime
