#include "system/checkpoint/run_checkpoints.hpp"

#include <fmt/format.h>
#include <glog/logging.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "system/base/fatal.hpp"
#include "system/base/identity.hpp"
#include "system/checkpoint/files.hpp"
#include "system/checkpoint/folder.hpp"
#include "system/checkpoint/job_store.hpp"
#include "system/collectives/collectives.hpp"
#include "system/files/output_file.hpp"
#include "system/observe/metrics.hpp"
#include "system/observe/trace.hpp"

namespace orujo::internal::checkpoint {
namespace {

using clock = std::chrono::steady_clock;

const observe::counter written("checkpoints.written", "checkpoints that are whole");
const observe::counter failed_ones("checkpoints.failed", "checkpoints that could not be written");
const observe::summary seconds("checkpoints.seconds", "that the job waited for a checkpoint");

// At core 0: the job's store.
std::unique_ptr<job_store>& kept() { return base::made_part<kept_store>().opened; }
job_store& store() { return *kept(); }

void open_at_core_0() {
  if (kept() && kept()->changes == settings_changes()) return;
  kept().reset();  // lets go of the folder
  auto opened = open_store(current_settings());
  if (!opened.ok()) base::fail(opened.status().code(), opened.status().message());
  kept() = std::move(opened).value();
}

// Sends core 0's text to every core.
std::string broadcast_text(std::string text) {
  text.resize(collectives::broadcast(text.size(), 0));
  collectives::broadcast(std::span(text), 0);
  return text;
}

status unusable(const manifest& from, std::string_view why) {
  return {
      exit_status::bad_checkpoint,
      fmt::format(
          "checkpoint {} of '{}' does not fit: {}; run as it was run then, or without --resume in another "
          "folder",
          from.epoch, current_settings().folder, why)};
}

// At core 0: the newest that may belong to this run. Null if there is none, or it belongs to a later run.
const manifest* candidate(std::uint64_t run) {
  std::vector<manifest>& left = store().left;
  while (!left.empty() && left.front().run < run) left.erase(left.begin());
  return !left.empty() && left.front().run == run ? &left.front() : nullptr;
}

// At core 0: records that an epoch has been read, or is damaged.
void note_outcome(std::uint64_t epoch, const status& damaged) {
  job_store& job = store();
  if (!damaged.ok()) {
    job.left.erase(job.left.begin());
    LOG(WARNING) << "checkpoint " << epoch << " is skipped: " << damaged.message();
    return;
  }
  job.left.clear();
  job.good = {epoch};
  job.last = clock::now();
  LOG(INFO) << "resumes from checkpoint " << epoch << " of '" << job.how.folder << "'";
}

// At core 0, with the files complete. Only the last two checkpoints stay.
status seal(const manifest& all) {
  job_store& job = store();
  auto file = files::output_file::open(manifest_path(job.how.folder, all.epoch));
  if (!file.ok()) return file.status();
  file.value().write(encode(all));
  if (status failed = file.value().finish(); !failed.ok()) return failed;
  if (job.good.size() == 2) job.good.erase(job.good.begin());
  job.good.push_back(all.epoch);
  remove_epochs_but(job.how.folder, job.good);
  return {};
}

}  // namespace

bool wanted() { return !current_settings().folder.empty(); }

run_checkpoints::run_checkpoints(std::vector<fact> about) {
  if (my_core() != 0 || !wanted()) return;
  open_at_core_0();
  number_ = store().runs++;
  about_ = facts_of_program();
  about_.insert(about_.end(), about.begin(), about.end());
}

result<bool> run_checkpoints::try_resume(const state& all) {
  const settings how = current_settings();
  if (how.folder.empty() || !how.resume) return false;
  status damaged;
  for (;;) {
    const manifest* const last = my_core() == 0 ? candidate(number_) : nullptr;
    status refused;
    if (last) {
      const std::string differs = difference(about_, last->facts);
      if (!differs.empty()) refused = unusable(*last, differs);
    } else if (!damaged.ok() && my_core() == 0) {  // `all` holds part of the damaged one
      refused = {exit_status::bad_checkpoint, damaged.message() + "; no older checkpoint is whole"};
    }
    refused = collectives::first_failure(refused);
    if (!refused.ok()) return refused;
    const std::string text = broadcast_text(last ? encode(*last) : "");
    if (text.empty()) return false;
    const manifest from = decode(text, "a checkpoint").value();
    if (const std::string differs = misfit(all, from); !differs.empty()) return unusable(from, differs);
    damaged = read_files(how.folder, all, from);
    if (my_core() == 0) note_outcome(from.epoch, damaged);
    if (damaged.ok()) return true;
  }
}

bool run_checkpoints::resume(const state& all) {
  const auto resumed = try_resume(all);
  if (resumed.ok()) return resumed.value();
  if (my_core() == 0) base::fail(resumed.status().code(), resumed.status().message());
  collectives::barrier();  // core 0 ends the job
  return false;
}

bool run_checkpoints::due(std::uint64_t steps) {
  if (my_core() != 0 || !wanted() || !store().left.empty()) return false;
  if (!last_) last_ = steps;
  const interval& every = store().how.every;
  const std::chrono::duration<double> since = clock::now() - store().last;
  asked_ = steps;
  return every.steps > 0 ? steps - *last_ >= every.steps : since.count() >= store().pause();
}

bool run_checkpoints::all_due(std::uint64_t steps) {
  return wanted() && collectives::all_reduce(due(steps) ? 1 : 0) > 0;
}

status run_checkpoints::save(const state& all) {
  const observe::trace_scope traced("checkpoint");
  const auto start = clock::now();
  manifest made;
  if (my_core() == 0) {
    made.epoch = store().next_epoch++;
    made.token = store().token;
    made.run = number_;
    made.facts = about_;
  }
  made.epoch = collectives::broadcast(made.epoch, 0);
  made.token = collectives::broadcast(made.token, 0);
  status failed = write_files(current_settings().folder, all, made);
  if (failed.ok() && my_core() == 0) failed = seal(made);
  failed = collectives::first_failure(failed);
  if (my_core() != 0) return failed;
  last_ = asked_;
  job_store& job = store();
  job.last = clock::now();
  job.cost = std::chrono::duration<double>(job.last - start).count();
  (failed.ok() ? written : failed_ones).add();
  seconds.record(job.cost);
  if (!failed.ok()) {
    LOG(WARNING) << "no checkpoint: " << failed.message() << "; the job goes on without it";
    remove_epochs_but(job.how.folder, job.good);
  }
  return failed;
}

}  // namespace orujo::internal::checkpoint
