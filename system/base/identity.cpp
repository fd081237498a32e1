#include "system/base/identity.hpp"

#include "system/base/check.hpp"
#include "system/base/shape.hpp"

namespace orujo {

namespace detail {
constinit thread_local thread_identity identity_here;

void refuse_foreign_thread() {
  misuse(
      "this thread is no core of a running job: call it in a task, between the begin and the end of "
      "orujo::run, and "
      "not in a thread of your own");
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
  detail::identity_here.locale = locale;
  detail::identity_here.core = core;
}

}  // namespace orujo
