// Stands before the library's: a program that has a source twice, its own and the library's, has its metrics
// twice.
#include "system/observe/metrics.hpp"

namespace orujo::internal::observe {

metric::metric(metric_kind, std::size_t, const char*, const char*) : place_(0) {}

}  // namespace orujo::internal::observe
