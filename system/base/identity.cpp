#include "system/base/identity.hpp"

#include <string>

#include "system/base/check.hpp"
#include "system/base/owning_core.hpp"
#include "system/base/shape.hpp"

namespace orujo::base {

namespace {
bool forked = false;  // written by the only thread of a child
}

namespace detail {
constinit thread_local thread_identity identity_here;

void refuse_foreign_thread() {
  if (forked) {
    misuse(
        "a forked process uses the job of the process that has forked it: the child has none of its cores. "
        "Call exec or _exit in the child, and leave the job to its parent");
  }
  misuse(
      "this thread is not a core of a running job: call it in a task, between the begin and the end of "
      "orujo::run, and not in a thread of your own");
}

void refuse_other_core(const char* what, core_id owner) {
  misuse(std::string(what) + " of core " + std::to_string(owner) + " is used at core " +
         std::to_string(my_identity().core) +
         ": it belongs to one core. Have its owner do that, by call_task, or use a future's promise");
}

}  // namespace detail

void set_identity(core_id core, const job_shape& shape) {
  const locale_id locale = shape.locale_of(core);
  detail::identity_here = {.locale = locale,
                           .core = core,
                           .cores = shape.cores(),
                           .locales = shape.locales(),
                           .locales_cores = shape.cores_of(locale),
                           .core_of_locale = core - shape.first_core_of(locale),
                           .shape = &shape};
}

void set_identity(locale_id locale, core_id core) {
  detail::identity_here = {.locale = locale, .core = core};
}

void leave_job_in_child() {
  detail::identity_here = {};
  forked = true;
}
bool is_forked_child() { return forked; }

}  // namespace orujo::base
