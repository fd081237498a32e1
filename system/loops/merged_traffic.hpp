// The traffic between all cores of the job (system/messages/traffic.hpp).
#pragma once

#include "system/messages/traffic.hpp"

namespace orujo::loops {

// [task; suspends] Returns the counts of all cores and post offices after the start or the last
// reset_metrics(). Waits are always counted from the start. A core copies its figures before it counts any of
// its answer. In a job that does nothing else, as many messages have been received as sent. Only the caller
// takes part, one such call at a time. Costs two messages per core, and more for many locales.
messages::traffic_table merged_traffic();

}  // namespace orujo::loops
