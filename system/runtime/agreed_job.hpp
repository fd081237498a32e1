// The shape and settings of a job, on which its locales agree before their cores start.
#pragma once

#include <cstdint>

#include "system/base/shape.hpp"
#include "system/base/status.hpp"
#include "system/runtime/cpu_share.hpp"
#include "system/runtime/job_options.hpp"
#include "system/transport/transport.hpp"

namespace orujo::internal::runtime {

struct agreed_job {
  job_shape shape;
  job_options options;       // with the send windows that suit the delay between nodes
  cpu_share share;           // of this locale
  std::uint64_t budget = 0;  // memory that this locale may use, in bytes
};

// Collective over the locales. Fails, at all of them, if they run different builds, have too many cores, or
// lack the memory that their messages need.
result<agreed_job> agree_on_job(transport::transport& link, const job_options& wanted);

}  // namespace orujo::internal::runtime
