// The traffic between all cores of the job (system/messages/traffic.hpp).
#pragma once

#include "system/messages/traffic.hpp"

namespace orujo::internal::report {

// [task; suspends] The bytes, messages and waits between each pair of locales, since the start or the last
// reset_metrics(); waits are always since the start. Each core answers with its figures before it counts the
// answer, so in a job without other traffic all that is sent has been received. Only the caller takes part,
// in one such call at a time. Costs two messages per core, and more with many locales.
messages::traffic_table merged_traffic();

}  // namespace orujo::internal::report
