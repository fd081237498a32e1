// Three locales. The last floods the first, over a link that may be slow, while the second calls the first.
// Fails if more of the flood arrives before all calls are answered. A parcel of it on a slow link would delay
// them for seconds.
#include <gflags/gflags.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(flood, 768, "messages of 1 KiB");
DEFINE_uint64(calls, 100, "one after the other");

namespace {

using namespace orujo;
using namespace orujo::internal;

std::uint64_t arrived = 0;                         // of the flood, at core 0
std::uint64_t before_calls = 0, behind_calls = 0;  // of it had come in

void flood() {
  delegates::completion_event all;
  for (std::uint64_t k = 0; k < FLAGS_flood; ++k) {
    delegates::async_call(all, 0, [k, filling = std::array<std::uint64_t, 126>{}] {
      if (filling[0] == 0) arrived += k == arrived ? 1 : FLAGS_flood;  // they come in the order sent
    });
  }
  all.wait();
}

// Once the flood has begun to come in.
void call_meanwhile() {
  std::uint64_t first = 0, last = 0;
  while ((first = delegates::call(0, [] { return arrived; })) == 0) tasks::yield();
  for (std::uint64_t k = 0; k < FLAGS_calls; ++k) last = delegates::call(0, [] { return arrived; });
  delegates::call(0, [first, last] {
    before_calls = first;
    behind_calls = last;
  });
}

status main_task() {
  if (cores() != 3) return {exit_status::usage, "slow_link wants three locales of one core"};
  loops::on_all_cores([] {
    if (my_core() == 1) call_meanwhile();
    if (my_core() == 2) flood();
  });
  std::printf("%ju messages of %ju had come in before %ju calls, and %ju when the last was answered\n",
              std::uintmax_t{before_calls}, std::uintmax_t{arrived}, std::uintmax_t{FLAGS_calls},
              std::uintmax_t{behind_calls});
  if (arrived != FLAGS_flood) return {exit_status::failed, "the flood has not come in as it was sent"};
  if (behind_calls > before_calls) return {exit_status::failed, "the calls have waited for the flood"};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "slow_link: calls beside a flood from elsewhere.", &main_task);
}
