#include "system/runtime/core.hpp"

#include <utility>

#include "system/watch/signals.hpp"

namespace orujo::internal::runtime {

core::core(core_id id, const job_shape& shape, messages::post_office& post,
           const memory::heap_segments& segments, node::alarms alarms, collectives::meeting& mates,
           transport::meeting_place place, const job_options& options)
    : identity_(base::identity_of(id, shape)),
      scheduler_({.stack_bytes = options.stack_bytes,
                  .chaos_seed = options.chaos_seed ? options.chaos_seed + static_cast<std::uint64_t>(id) : 0,
                  .crowded = options.messenger.crowded}),
      messenger_(id, shape, post, scheduler_, alarms,
                 {options.messenger.flush_age_ns, options.messenger.most_flush_age_ns,
                  blocks_between(shape, options), options.messenger.crowded}),
      shared_heap_(id, segments),
      collective_(id, shape, mates, std::move(place)),
      shared_work_(id, shape, options.steal, options.chaos_seed) {
  scheduler_.refill_from(shared_work_);
  identity_.owned = &made_;
  identity_.add(*this);
  identity_.add(scheduler_);
  identity_.add(messenger_);
  identity_.add(messenger_.ledger());
  identity_.add(heap_);
  identity_.add(segments);
  identity_.add(shared_heap_);
  identity_.add(collective_);
  identity_.add(shared_work_);
}

core::~core() { destroys_.emplace(identity_); }

void core::run(const machine::core_place& place) {
  const base::core_binding here(identity_);
  machine::set_my_place(place);
  const watch::signal_stack for_handlers;
  scheduler_.run(messenger_);
  messenger_.flush_all();
}

void core::stop_here(exit_status of_job) {
  core& here = base::part_of_this_core<core>();
  here.ended_ = of_job;
  here.scheduler_.stop();
}

}  // namespace orujo::internal::runtime
