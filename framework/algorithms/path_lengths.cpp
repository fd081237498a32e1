#include "framework/algorithms/path_lengths.hpp"

namespace orujo::internal::steps {

template class relaxation<algorithms::path_lengths<float>>;
template class relaxation<algorithms::path_lengths<double>>;
template class relaxation<algorithms::path_lengths<float, false>>;

}  // namespace orujo::internal::steps
