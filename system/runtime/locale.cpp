#include "system/runtime/locale.hpp"

#include <fmt/format.h>

#include <thread>
#include <utility>

#include "system/base/identity.hpp"
#include "system/machine/cpus.hpp"
#include "system/machine/isa.hpp"
#include "system/report/job_report.hpp"
#include "system/transport/loopback.hpp"

namespace orujo::internal::runtime {
namespace {

// Settings that follow from the flags, the machine and the launcher, for --print_settings. Memory is that of
// locale 0.
report::settings_table computed_settings(const agreed_job& job, double block_ns,
                                         const memory::heap_segments& heap, bool pinned, int domains) {
  const job_shape& shape = job.shape;
  const job_options& options = job.options;
  const message_memory messages = message_memory_of(0, shape, options);
  const auto mine = static_cast<std::uint64_t>(shape.cores_of(0));
  return {{"locales", fmt::format("{}", shape.locales())},
          {"cores", fmt::format("{}, {} of them of locale 0, {}", shape.cores(), mine,
                                pinned ? "each bound to a CPU" : "not bound to CPUs")},
          {"NUMA domains", fmt::format("{} of locale 0", domains)},
          {"kernels are compiled for",
           fmt::format("{} at locale 0", machine::name_of(machine::simd_from_flags()))},
          {"memory available", fmt::format("{} bytes per locale", job.budget)},
          {"flush age",
           messages::patience_text(static_cast<std::uint64_t>(shape.cores()) - mine, block_ns,
                                   options.messenger.flush_age_ns, options.messenger.most_flush_age_ns)},
          {"blocks in flight", fmt::format("{} from a core to another", blocks_between(shape, options))},
          {"memory needed by blocks in flight", fmt::format("at most {} bytes per locale", messages.blocks)},
          {"memory needed by parcels", fmt::format("at most {} bytes per locale, about", messages.parcels)},
          {"memory needed by stacks", fmt::format("{} bytes per task begun; {} for the main task",
                                                  options.stack_bytes, options.main_stack_bytes)},
          {"global heap",
           fmt::format("up to {} bytes per locale, taken when touched", mine * heap.bytes_per_core())}};
}

// The end of main() tells every core to stop.
void run_main(const std::function<exit_status()>& main) {
  const exit_status code = main();
  // This core is last, because the task may have to wait for room before it can send.
  for (core_id c = orujo::cores() - 1; c >= 0; --c) {
    messages::messenger::here().send(c, [code] { core::stop_here(code); });
  }
}

}  // namespace

locale::locale(transport::transport& link, agreed_job agreed)
    : link_(link),
      job_(std::move(agreed)),
      cores_here_(job_.shape.cores_of(link.locale())),
      alarms_(link.make_alarms(cores_here_)),
      segments_(link, job_.shape, job_.budget),
      post_(link, job_.shape, job_.options.parcels),
      meeting_(cores_here_, alarms_),
      cores_(make_cores()),
      cpus_(job_.options.pin ? cpus_to_pin(job_.share, cores_here_) : std::vector<int>{}),
      places_(machine::place_cores(job_.share.domains, cpus_, cores_here_)),
      threads_(cores_.size(), [this](std::size_t k) { run_core(k); }),
      watchdog_(job_.options.watchdog, link.locale(), cores_here_, link.pulses(),
                [this](const node::pulse& of_node) {
                  return post_.try_alone([&](transport::transport& to) { to.exchange_pulses(of_node); });
                }) {}

std::vector<std::unique_ptr<core>> locale::make_cores() {
  const core_id first = job_.shape.first_core_of(link_.locale());
  const transport::meeting_place place = link_.take_board();
  std::vector<std::unique_ptr<core>> made;
  std::vector<messages::messenger*> mates;
  std::vector<messages::inbox*> inboxes;
  std::vector<delegates::public_tasks*> sharers;
  for (int k = 0; k < cores_here_; ++k) {
    made.push_back(std::make_unique<core>(first + k, job_.shape, post_, segments_, alarms_, meeting_,
                                          k == 0 ? place : transport::meeting_place(),
                                          job_.options));
    mates.push_back(&made.back()->messenger_);
    inboxes.push_back(&made.back()->messenger_.arrivals());
    sharers.push_back(&made.back()->shared_work_);
  }
  post_.connect(inboxes);
  for (const auto& c : made) {
    c->messenger_.connect(mates, place.work);
    c->shared_work_.connect(sharers, alarms_);
  }
  return made;
}

void locale::run_core(std::size_t core_of_locale) {
  if (!cpus_.empty()) machine::pin_this_thread(cpus_[core_of_locale]);
  cores_[core_of_locale]->run(places_[core_of_locale]);
}

exit_status locale::run(const job_life& life) {
  if (link_.locale() == 0) {
    cores_[0]->scheduler_.spawn(tasks::task([&life] { run_main(life.main); }, "main"),
                                job_.options.main_stack_bytes);
    report::print_settings(
        computed_settings(job_, post_.block_ns(), segments_, !cpus_.empty(), places_[0].domains));
  }
  if (life.begins) life.begins(cores_[0]->messenger_);
  threads_.begin();
  run_core(0);
  threads_.join();
  if (life.ends) life.ends();
  watchdog_.leave();
  post_.close();
  return cores_[0]->ended();
}

status live(transport::transport& link, const job_options& wanted, const job_life& life) {
  base::set_identity(link.locale(), -1);  // a failure before there are cores is named, too
  tasks::check_closures(wanted.check_closures);
  result<agreed_job> agreed = agree_on_job(link, wanted);
  if (!agreed.ok()) return agreed.status();
  locale mine(link, std::move(agreed).value());
  return {mine.run(life), ""};
}

status live_in_process(int locales, const job_options& options, const job_life& life) {
  const by_locale<std::unique_ptr<transport::transport>> links =
      transport::make_loopback(locales, {options.chaos_seed});
  std::vector<std::thread> others;
  for (int l = 1; l < locales; ++l) {
    others.emplace_back([&, l] { static_cast<void>(live(*links[l], options, {})); });
  }
  const status ended = live(*links[0], options, life);
  for (std::thread& t : others) t.join();
  return ended;
}

}  // namespace orujo::internal::runtime
