// Who the calling core is, and how large the job is. On a core's thread only.
#pragma once

#include "system/messages/messenger.hpp"

namespace orujo {

inline const job_shape& shape() { return messages::messenger::here().shape(); }
inline core_id my_core() { return messages::messenger::here().core(); }
inline int cores() { return shape().cores(); }
inline locale_id my_locale() { return shape().locale_of(my_core()); }
inline int locales() { return shape().locales(); }

// The cores of this locale: how many, which of them this is (0..), and whether it is the first, its leader.
inline int my_locales_cores() { return shape().cores_of(my_locale()); }
inline int my_core_of_locale() { return my_core() - shape().first_core_of(my_locale()); }
inline bool leads_locale() { return my_core_of_locale() == 0; }

}  // namespace orujo
