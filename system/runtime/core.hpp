// The objects that belong to one core.
#pragma once

#include <optional>

#include "system/base/exit_status.hpp"
#include "system/base/identity.hpp"
#include "system/collectives/collective.hpp"
#include "system/delegates/global_heap.hpp"
#include "system/delegates/stealing.hpp"
#include "system/machine/topology.hpp"
#include "system/memory/symmetric_heap.hpp"
#include "system/messages/messenger.hpp"
#include "system/runtime/job_options.hpp"
#include "system/tasks/scheduler.hpp"

namespace orujo::internal::runtime {

// Made and destroyed by the first thread of the locale, after all cores have stopped. Used in between by the
// core's own thread, which run() binds to it.
class core {
 public:
  static constexpr base::core_part part = base::core_part::core;

  core(core_id id, const job_shape& shape, messages::post_office& post, const memory::heap_segments& segments,
       node::alarms alarms, collectives::meeting& mates, transport::meeting_place place,
       const job_options& options);
  core(const core&) = delete;
  ~core();

  // The body of the core's thread, which is the core until the job ends.
  void run(const machine::core_place& place);

  // [handler] Ends run() of the calling core.
  static void stop_here(exit_status of_job);
  // After run().
  exit_status ended() const { return ended_; }

 private:
  friend class locale;
  // Set by the destructor: what the other members destroy is destroyed at this core.
  std::optional<base::core_binding> destroys_;
  base::owned_parts made_;
  base::thread_identity identity_;
  tasks::scheduler scheduler_;
  messages::messenger messenger_;
  memory::symmetric_heap heap_;
  delegates::global_heap shared_heap_;
  collectives::collective collective_;
  delegates::public_tasks shared_work_;
  exit_status ended_ = exit_status::ok;
};

}  // namespace orujo::internal::runtime
