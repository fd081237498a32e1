#include "system/collectives/collectives.hpp"

namespace orujo::internal::collectives {

status first_failure(const status& mine, const call_site& at) {
  const collective::entrance entered(collective::here(), at);
  const core_id me = my_core(), nobody = cores();
  const core_id first =
      all_reduce(mine.ok() ? nobody : me, [](core_id a, core_id b) { return std::min(a, b); });
  if (first == nobody) return {};
  struct {
    exit_status code;
    std::size_t length;
  } about{mine.code(), mine.message().size()};
  about = broadcast(about, first);
  std::string message = me == first ? mine.message() : std::string(about.length, '\0');
  broadcast(std::span(message), first);
  return {about.code, message};
}

}  // namespace orujo::internal::collectives
