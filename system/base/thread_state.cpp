#include "system/base/thread_state.hpp"

#include <pthread.h>

#include <utility>

namespace orujo::internal::base {
namespace {

bool forked = false;  // written by the only thread of a child

// The parts that threads have made without a core. A key of the threads and not a thread_local object, whose
// destructor would need an initialisation at its first use.
owned_parts& parts_of_thread() {
  static const pthread_key_t key = [] {
    pthread_key_t made{};
    pthread_key_create(&made, [](void* parts) { delete static_cast<owned_parts*>(parts); });
    return made;
  }();
  auto* parts = static_cast<owned_parts*>(pthread_getspecific(key));
  if (!parts) pthread_setspecific(key, parts = new owned_parts);
  return *parts;
}

owned_parts& parts_here() { return my_identity().owned ? *my_identity().owned : parts_of_thread(); }

void*& place_here(core_part which) {
  return detail::this_thread.identity.parts[static_cast<std::size_t>(which)];
}

}  // namespace

constinit thread_local detail::thread_state detail::this_thread;

owned_parts::~owned_parts() {
  for (std::size_t k = number_of_parts; k-- > 0;) drop(static_cast<core_part>(k));
}

void* owned_parts::get(core_part which, const maker& how) {
  owned& part = all_[static_cast<std::size_t>(which)];
  if (!part.object) part = {how.make(), how.destroy};
  return part.object;
}

void owned_parts::drop(core_part which) {
  const owned part = std::exchange(all_[static_cast<std::size_t>(which)], {});
  if (!part.object) return;
  if (place_here(which) == part.object) place_here(which) = nullptr;
  part.destroy(part.object);
}

void* detail::make_part(core_part which, const owned_parts::maker& how) {
  return place_here(which) = parts_here().get(which, how);
}

void detail::drop_made_part(core_part which) { parts_here().drop(which); }

void set_identity(locale_id locale, core_id core) {
  detail::this_thread.identity.locale = locale;
  detail::this_thread.identity.core = core;
}

void leave_job_in_child() {
  detail::this_thread.identity = {};
  forked = true;
}
bool is_forked_child() { return forked; }

}  // namespace orujo::internal::base
