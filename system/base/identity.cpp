#include "system/base/identity.hpp"

#include "system/base/shape.hpp"

namespace orujo {

namespace detail {
constinit thread_local thread_identity identity_here;
}

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
