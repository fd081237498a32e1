#include "framework/exchange/mirror_exchange.hpp"

namespace orujo::internal::exchange {

template class mirror_exchange<float>;
template class mirror_exchange<double>;
template class mirror_exchange<std::uint32_t>;
template class mirror_exchange<std::uint64_t>;

}  // namespace orujo::internal::exchange
