// Files that one core reads from start to end while another one decompresses.
#pragma once

#include <functional>

#include "framework/formats/byte_source.hpp"

namespace orujo::internal::graph {

// [task; collective over the job] Calls read(source) at core 0, with what `source` holds. If that is
// compressed and core 0 is not alone in its locale, core 1 reads ahead by a source of its own, 2 MiB at most.
// Neither core does anything else then. Sources are at their starts, except for bytes that core 0 has
// inspected of its own.
void read_at_core_0(formats::byte_source& source, const std::function<void(formats::byte_source&)>& read);

}  // namespace orujo::internal::graph
