#include "system/runtime/runtime.hpp"

#include <errno.h>
#include <fmt/format.h>
#include <gflags/gflags.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "system/base/binary.hpp"
#include "system/base/fatal.hpp"
#include "system/base/flags.hpp"
#include "system/base/identity.hpp"
#include "system/base/printable.hpp"
#include "system/base/standard_output.hpp"
#include "system/delegates/completion_event.hpp"
#include "system/delegates/global_heap.hpp"
#include "system/delegates/stealing.hpp"
#include "system/loops/collectives.hpp"
#include "system/machine/cpus.hpp"
#include "system/machine/isa.hpp"
#include "system/machine/topology.hpp"
#include "system/memory/budget.hpp"
#include "system/memory/heap_segments.hpp"
#include "system/memory/symmetric_heap.hpp"
#include "system/messages/room.hpp"
#include "system/runtime/core_threads.hpp"
#include "system/runtime/cpu_share.hpp"
#include "system/runtime/job_report.hpp"
#include "system/runtime/signals.hpp"
#include "system/runtime/watchdog.hpp"
#include "system/transport/loopback.hpp"

DEFINE_int32(cores, 0,
             "cores (threads) of this locale; 0: the CPUs it may use, shared with its node's locales");
DEFINE_int32(locales, 1,
             "number of locales inside this one process, without a launcher, for tests and trials");
DEFINE_bool(pin, true, "bind each core to a CPU where there are enough of them");
DEFINE_uint64(stack_bytes, 128 << 10, "stack of a task, in bytes");
DEFINE_uint64(flush_age_us, 0,
              "flush timeout in microseconds: age at which a busy core sends a partly filled block; 0: 50, "
              "and up to 2000 if it writes to many cores of other locales");
DEFINE_uint32(blocks_in_flight, 0,
              "send window: blocks of 16 KiB sent to a core and not yet handled, before senders wait; 0: "
              "from the delay");
DEFINE_uint64(message_bytes_per_core, 32 << 20,
              "approximate limit, in bytes, of the messages that all cores together have under way to one "
              "core; with many cores, fewer blocks are in flight to each, at least 2");
DEFINE_uint64(parcel_bytes, 64 << 10, "largest message between locales, in bytes");
DEFINE_string(
    routing, "direct",
    "route of messages between locales: direct, or grid (two hops and few peers, for many locales)");
DEFINE_string(steal, "job", "range within which idle cores take public tasks: off, locale or job");
DEFINE_bool(
    check_closures, false,
    "check closures that travel for references to the sender's variables; not given: in sources compiled "
    "without NDEBUG, in all closures there, elsewhere in those of loops and of delegates that wait or spawn");
DEFINE_uint32(watchdog_seconds, 60,
              "time in seconds without a sign of life from a locale after which the job is ended; sooner if "
              "all tasks wait for each other; 0: never");
DEFINE_uint64(chaos_seed, 0,
              "seed to shuffle scheduling at random and to delay messages or, between processes, wait for "
              "their receivers; 0: off");

static const orujo::base::everyday_flags everyday{"cores"};

namespace orujo::runtime {
namespace {

std::uint32_t blocks_between(const job_shape& shape, const job_options& options) {
  return messages::blocks_between(static_cast<std::uint64_t>(shape.cores()),
                                  options.messenger.blocks_in_flight, FLAGS_message_bytes_per_core);
}

const flag_rule cores_rule(
    "cores", [] { return FLAGS_cores >= 0 && FLAGS_cores <= 4096; }, "from 0 to 4096");
const flag_rule locales_rule(
    "locales", [] { return FLAGS_locales >= 1 && FLAGS_locales <= 256; }, "from 1 to 256");
const flag_rule stack_rule(
    "stack_bytes", [] { return FLAGS_stack_bytes >= 16384 && FLAGS_stack_bytes <= 1u << 30; },
    "from 16384 to 2^30");
const flag_rule age_rule(
    "flush_age_us", [] { return FLAGS_flush_age_us <= 1'000'000; }, "0, or at most 1000000");
const flag_rule blocks_rule(
    "blocks_in_flight", [] { return FLAGS_blocks_in_flight != 1; }, "0, or at least 2");
const flag_rule parcel_rule(
    "parcel_bytes",
    [] { return FLAGS_parcel_bytes >= messages::block_bytes && FLAGS_parcel_bytes <= 1u << 30; },
    "from 16384 to 2^30");
const flag_rule routing_rule(
    "routing", [] { return FLAGS_routing == "direct" || FLAGS_routing == "grid"; }, "direct or grid");
const flag_rule watchdog_rule(
    "watchdog_seconds", [] { return FLAGS_watchdog_seconds <= 1'000'000; }, "at most 1000000");
const flag_rule steal_rule(
    "steal", [] { return FLAGS_steal == "off" || FLAGS_steal == "locale" || FLAGS_steal == "job"; },
    "off, locale or job");

// The objects of one core.
struct core {
  core(core_id id, const job_shape& shape, messages::parcels& post, const memory::heap_segments& segments,
       machine::alarms alarms, loops::meeting& mates, transport::meeting_place place,
       const job_options& options)
      : scheduler({.stack_bytes = options.stack_bytes,
                   .chaos_seed = options.chaos_seed ? options.chaos_seed + static_cast<std::uint64_t>(id) : 0,
                   .crowded = options.messenger.crowded}),
        messenger(id, shape, post, scheduler, alarms,
                  {options.messenger.flush_age_ns, options.messenger.most_flush_age_ns,
                   blocks_between(shape, options), options.messenger.crowded}),
        ledger(id),
        shared_heap(id, segments),
        collective(id, shape, mates, std::move(place)),
        shared_work(id, shape, options.steal, options.chaos_seed) {
    scheduler.refill_from(shared_work);
  }

  // The body of the core's thread.
  void run() {
    base::set_identity(messenger.core(), messenger.shape());
    signal_stack for_handlers;
    messenger.bind_to_this_thread();
    ledger.bind_to_this_thread();
    heap.bind_to_this_thread();
    shared_heap.bind_to_this_thread();
    collective.bind_to_this_thread();
    shared_work.bind_to_this_thread();
    here_ = this;
    scheduler.run(messenger);
    messenger.flush_all();
  }

  static core& here() { return *here_; }
  void stop(exit_status code) {
    ended = code;
    scheduler.stop();
  }

  tasks::scheduler scheduler;
  messages::messenger messenger;
  delegates::work_ledger ledger;
  memory::symmetric_heap heap;
  delegates::global_heap shared_heap;
  loops::collective collective;
  delegates::public_tasks shared_work;
  exit_status ended = exit_status::ok;  // the job's, known once stopped

 private:
  static inline thread_local core* here_ = nullptr;
};

// All locales must run the same binary: handlers travel as offsets into it.
status check_same_binary(transport::transport& link) {
  const std::vector<std::uint64_t> all = link.all_gather(base::build_fingerprint());
  const auto other = std::find_if(all.begin(), all.end(), [&](auto build) { return build != all[0]; });
  if (other == all.end()) return {};
  return {exit_status::usage, fmt::format("locale {} runs another build of this program than locale 0: "
                                          "install the same one on every node",
                                          other - all.begin())};
}

result<job_shape> agree_on_shape(transport::transport& link, int my_cores) {
  std::vector<int> cores_of;
  for (std::uint64_t cores : link.all_gather(static_cast<std::uint64_t>(my_cores))) {
    cores_of.push_back(static_cast<int>(cores));
  }
  // A core's number is half of an event's number. The highest event number is reserved (`messages::no_tag`).
  constexpr std::uint64_t most_cores = 65'535;
  const auto all = std::accumulate(cores_of.begin(), cores_of.end(), std::uint64_t{0});
  if (all > most_cores)
    return status(exit_status::usage, fmt::format("{} cores: a job has at most {}", all, most_cores));
  return job_shape(cores_of);
}

// The end of main() tells every core to stop.
void run_main(const std::function<exit_status()>& main) {
  const exit_status code = main();
  // This core is last, because the task may have to wait for room before it can send.
  for (core_id c = orujo::cores() - 1; c >= 0; --c) {
    messages::messenger::here().send(c, [code] { core::here().stop(code); });
  }
}

// Runs the main task of a program, and its reports.
exit_status run_and_report(const std::function<status()>& main_task) {
  status last = run_with_reports(main_task);
  if (const status printed = base::finish_standard_output(); last.ok()) last = printed;
  if (!last.ok()) print_failure(last);
  return last.code();
}

// Checks that all locales have the memory that their messages need.
status check_budgets(transport::transport& link, const message_memory& needed, std::uint64_t budget) {
  const std::vector<std::uint64_t> blocks = link.all_gather(needed.blocks),
                                   parcels = link.all_gather(needed.parcels),
                                   budgets = link.all_gather(budget);
  for (std::size_t l = 0; l < budgets.size(); ++l) {
    const message_memory its{blocks[l], parcels[l]};
    if (its.sum() <= budgets[l]) continue;
    return {
        exit_status::no_resource,
        fmt::format(
            "messages need up to {} bytes (blocks {}, parcels {}) and locale {} may use {}: "
            "lower --blocks_in_flight, --message_bytes_per_core or --parcel_bytes, use fewer cores, or raise "
            "--memory_budget_bytes",
            its.sum(), its.blocks, its.parcels, l, budgets[l])};
  }
  return {};
}

// Widens the send windows to the delay between nodes, if all locales have memory for it.
job_options suited_to_delay(transport::transport& link, const job_shape& shape, const job_options& options,
                            std::uint64_t budget) {
  const std::chrono::nanoseconds delay = link.round_trip();
  if (!options.messenger.more_when_far || delay.count() == 0) return options;
  job_options wide = options;
  const std::uint64_t bytes = FLAGS_message_bytes_per_core,
                      peers = static_cast<std::uint64_t>(shape.locales());
  messages::widen(wide.messenger.blocks_in_flight, delay, messages::block_bytes, bytes);
  messages::widen(wide.parcels.parcels_in_flight, delay, wide.parcels.parcel_bytes, bytes / peers);
  return check_budgets(link, message_memory_of(link.locale(), shape, wide), budget).ok() ? wide : options;
}

// Settings that follow from the flags, the machine and the launcher, for --print_settings. Memory is that of
// locale 0.
settings_table computed_settings(const job_shape& shape, const job_options& options, std::uint64_t budget,
                                 double block_ns, const memory::heap_segments& heap, bool pinned,
                                 int domains) {
  const message_memory messages = message_memory_of(0, shape, options);
  const auto mine = static_cast<std::uint64_t>(shape.cores_of(0));
  return {{"locales", fmt::format("{}", shape.locales())},
          {"cores", fmt::format("{}, {} of them of locale 0, {}", shape.cores(), mine,
                                pinned ? "each bound to a CPU" : "not bound to CPUs")},
          {"NUMA domains", fmt::format("{} of locale 0", domains)},
          {"kernels are compiled for",
           fmt::format("{} at locale 0", machine::name_of(machine::simd_from_flags()))},
          {"memory available", fmt::format("{} bytes per locale", budget)},
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

}  // namespace

void print_failure(const status& failure) {
  const std::string line =
      fmt::format("{}: {}\n", program_invocation_short_name, base::printable(failure.message()));
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

message_memory message_memory_of(locale_id locale, const job_shape& shape, const job_options& options) {
  const auto mine = static_cast<std::uint64_t>(shape.cores_of(locale)),
             cores = static_cast<std::uint64_t>(shape.cores()),
             locales = static_cast<std::uint64_t>(shape.locales());
  return {mine * cores * blocks_between(shape, options) * messages::block_bytes,
          messages::most_parcel_bytes(locales, options.parcels)};
}

status live(transport::transport& link, const job_options& wanted, const job_life& life) {
  base::set_identity(link.locale(), -1);  // a failure before there are cores is named, too
  if (status differs = check_same_binary(link); !differs.ok()) return differs;
  tasks::check_closures(wanted.check_closures);
  const cpu_share share = find_cpu_share(link);
  const int my_cores =
      wanted.cores ? wanted.cores : std::max(1, static_cast<int>(share.cpus.size() / share.locales));
  const result<job_shape> agreed = agree_on_shape(link, my_cores);
  if (!agreed.ok()) return agreed.status();
  const job_shape& shape = agreed.value();
  const locale_id locale = link.locale();
  const std::uint64_t budget = memory::budget_of_locale(link);
  if (status lacks = check_budgets(link, message_memory_of(locale, shape, wanted), budget); !lacks.ok())
    return lacks;
  const machine::alarms alarms = link.make_alarms(my_cores);
  job_options options = suited_to_delay(link, shape, wanted, budget);
  options.messenger.crowded = is_crowded(share, my_cores);
  const memory::heap_segments segments(link, shape, budget);
  messages::parcels post(link, shape, options.parcels);
  loops::meeting meeting(my_cores, alarms);
  std::vector<std::unique_ptr<core>> cores;
  std::vector<messages::messenger*> mates;
  std::vector<delegates::public_tasks*> sharers;
  std::vector<const delegates::work_ledger*> ledgers;
  for (int k = 0; k < my_cores; ++k) {
    cores.push_back(std::make_unique<core>(shape.first_core_of(locale) + k, shape, post, segments, alarms,
                                           meeting, k == 0 ? link.take_board() : transport::meeting_place(),
                                           options));
    mates.push_back(&cores.back()->messenger);
    sharers.push_back(&cores.back()->shared_work);
    ledgers.push_back(&cores.back()->ledger);
  }
  post.connect(mates);
  for (auto& c : cores) {
    c->messenger.connect(mates);
    c->shared_work.connect(sharers, alarms);
    c->ledger.connect(ledgers);
  }
  if (locale == 0) {
    cores[0]->scheduler.spawn(tasks::task([&life] { run_main(life.main); }, "main"),
                              options.main_stack_bytes);
  }

  const std::vector<int> cpus = options.pin ? cpus_to_pin(share, my_cores) : std::vector<int>{};
  const std::vector<machine::core_place> places = machine::place_cores(share.domains, cpus, my_cores);
  if (locale == 0)
    print_settings(computed_settings(shape, options, budget, post.block_ns(), segments, !cpus.empty(),
                                     places[0].domains));
  const auto run_core = [&](std::size_t k) {
    if (!cpus.empty()) machine::pin_this_thread(cpus[k]);
    machine::set_my_place(places[k]);
    cores[k]->run();
  };
  core_threads threads(cores.size(), run_core);
  watchdog dog(options.watchdog, locale, my_cores, link.pulses(), [&post](const machine::pulse& of_node) {
    return post.try_alone([&](transport::transport& to) { to.exchange_pulses(of_node); });
  });
  if (life.begins) life.begins(cores[0]->messenger);
  threads.begin();
  run_core(0);
  threads.join();
  if (life.ends) life.ends();
  dog.leave();
  post.close();
  return {cores[0]->ended, ""};
}

status live_in_process(int locales, const job_options& options, const job_life& life) {
  auto links = transport::make_loopback(locales, {options.chaos_seed});
  std::vector<std::thread> others;
  for (int l = 1; l < locales; ++l) {
    others.emplace_back(
        [&, l] { static_cast<void>(live(*links[static_cast<std::size_t>(l)], options, {})); });
  }
  const status ended = live(*links[0], options, life);
  for (std::thread& t : others) t.join();
  return ended;
}

namespace {

// Runs the first core on a thread of its own, as the others do. State of a core ends with its thread, so the
// caller's thread is no core afterwards, and keeps its affinity.
template <class Live>
exit_status run_on_thread(const std::function<status()>& main_task, bool speaks, const Live& live) {
  const job_life life{.main = [&main_task] { return run_and_report(main_task); }, .begins = {}, .ends = {}};
  status ended;
  std::thread first([&] { ended = live(life); });
  first.join();
  if (speaks && !ended.message().empty()) print_failure(ended);
  return ended.code();
}

}  // namespace

exit_status run_locale(transport::transport& link, const job_options& options,
                       const std::function<status()>& main_task) {
  return run_on_thread(main_task, link.locale() == 0,
                       [&](const job_life& life) { return live(link, options, life); });
}

exit_status run_loopback(int locales, const job_options& options, const std::function<status()>& main_task) {
  return run_on_thread(main_task, true,
                       [&](const job_life& life) { return live_in_process(locales, options, life); });
}

job_options options_from_flags() {
  job_options options;
  options.cores = FLAGS_cores;
  options.pin = FLAGS_pin;
  options.stack_bytes = FLAGS_stack_bytes;
  options.chaos_seed = FLAGS_chaos_seed;
  options.steal = FLAGS_steal == "off"      ? delegates::steal_scope::off
                  : FLAGS_steal == "locale" ? delegates::steal_scope::locale
                                            : delegates::steal_scope::job;
  if (!gflags::GetCommandLineFlagInfoOrDie("check_closures").is_default)
    options.check_closures = FLAGS_check_closures ? tasks::closure_checks::all : tasks::closure_checks::none;
  options.watchdog = std::chrono::seconds(FLAGS_watchdog_seconds);
  if (FLAGS_flush_age_us > 0) {
    options.messenger.flush_age_ns = FLAGS_flush_age_us * 1000;
  } else {
    options.messenger.most_flush_age_ns = 2'000'000;
  }
  options.messenger.more_when_far = FLAGS_blocks_in_flight == 0;
  if (FLAGS_blocks_in_flight > 0) options.messenger.blocks_in_flight = FLAGS_blocks_in_flight;
  options.parcels.parcel_bytes = FLAGS_parcel_bytes;
  options.parcels.flush_age_ns = options.messenger.flush_age_ns;
  options.parcels.routing = FLAGS_routing == "grid" ? messages::routing::grid : messages::routing::direct;
  return options;
}

}  // namespace orujo::runtime
