#include "framework/algorithms/path_lengths.hpp"

// Not in shortest_paths.cpp: programs with other searches do not have its flags.
namespace orujo::internal::steps {

template class relaxation<algorithms::path_lengths<float>>;
template class relaxation<algorithms::path_lengths<double>>;
template class relaxation<algorithms::path_lengths<float, false>>;

}  // namespace orujo::internal::steps
