// Who sent how much to whom in the whole job (system/messages/traffic.hpp).
#pragma once

#include "system/messages/traffic.hpp"

namespace orujo::loops {

// [task; suspends] What all cores and post offices have counted since the start or the last reset_metrics()
// (the waits always since the start). Every core's figures are as they are when it is asked, before anything
// of its answer is counted, so in a job where nothing else is under way what is sent has been received. Only
// the caller takes part; one such call at a time. Two messages per core, and more for many locales.
messages::traffic_table merged_traffic();

}  // namespace orujo::loops
