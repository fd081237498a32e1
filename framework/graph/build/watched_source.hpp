// Core 0's view of a file that is read: shows how much of it has been.
#pragma once

#include <memory>

#include "framework/formats/byte_source.hpp"
#include "system/base/identity.hpp"

namespace orujo::internal::graph {

// At core 0; null elsewhere. `source` must outlive it.
std::unique_ptr<formats::byte_source> watch(formats::byte_source& source);

// Calls read(byte_source&) with the source, watched.
template <class Read>
auto watching(formats::byte_source& source, Read read) {
  const std::unique_ptr<formats::byte_source> watched = watch(source);
  return read(watched ? *watched : source);
}

}  // namespace orujo::internal::graph
