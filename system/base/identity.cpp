#include "system/base/identity.hpp"

#include "system/base/check.hpp"
#include "system/base/shape.hpp"

namespace orujo::internal::base {

void detail::refuse_foreign_thread() {
  if (is_forked_child()) {
    misuse(
        "a forked process uses the job of the process that has forked it: the child has none of its cores. "
        "Call exec or _exit in the child, and leave the job to its parent");
  }
  misuse(
      "this thread is not a core of a running job: call it in a task, between the begin and the end of "
      "orujo::run, and not in a thread of your own");
}

thread_identity identity_of(core_id core, const job_shape& shape) {
  const locale_id locale = shape.locale_of(core);
  return {.locale = locale,
          .core = core,
          .cores = shape.cores(),
          .locales = shape.locales(),
          .locales_cores = shape.cores_of(locale),
          .core_of_locale = core - shape.first_core_of(locale),
          .shape = &shape};
}

}  // namespace orujo::internal::base
