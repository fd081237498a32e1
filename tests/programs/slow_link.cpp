// Three locales: the last floods the first, over a link that may be slow, while the second calls the first.
// Fails unless the calls are all answered before the flood has come in.
#include <gflags/gflags.h>

#include <array>
#include <cstdint>
#include <cstdio>

#include "system/delegates/completion_event.hpp"
#include "system/delegates/delegate.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

DEFINE_uint64(flood, 6000, "messages of 1 KiB");
DEFINE_uint64(calls, 50, "one after the other; few enough for a busy machine, where each waits for a CPU");

namespace {

using namespace orujo;

std::uint64_t arrived = 0;  // of the flood, at core 0
std::uint64_t overtaken = 0;

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
  while (delegates::call(0, [] { return arrived; }) == 0) tasks::yield();
  std::uint64_t before = 0;
  for (std::uint64_t k = 0; k < FLAGS_calls; ++k) before = delegates::call(0, [] { return arrived; });
  delegates::call(0, [before] { overtaken = before; });
}

status main_task() {
  if (cores() != 3) return {exit_status::usage, "slow_link wants three locales of one core"};
  loops::on_all_cores([] {
    if (my_core() == 1) call_meanwhile();
    if (my_core() == 2) flood();
  });
  std::printf("%ju messages of %ju had come in when the last of %ju calls was answered\n",
              std::uintmax_t{overtaken}, std::uintmax_t{arrived}, std::uintmax_t{FLAGS_calls});
  if (arrived != FLAGS_flood) return {exit_status::failed, "the flood has not come in as it was sent"};
  if (overtaken == arrived) return {exit_status::failed, "the calls have waited for the flood"};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  return orujo::run(argc, argv, "slow_link: calls beside a flood from elsewhere.", &main_task);
}
