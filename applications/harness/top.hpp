// --top: how many of the foremost an application prints. For those that rank something.
#pragma once

namespace orujo::harness {

int top();

}  // namespace orujo::harness
