// Every core says hello; core 0 says it to the world.
#include <cstdio>
#include <vector>

#include "system/loops/collectives.hpp"
#include "system/loops/forall.hpp"
#include "system/runtime/runtime.hpp"

// What travels between cores is plain: numbers, addresses, structs of them.
struct greeting {
  orujo::core_id core;
  orujo::locale_id locale;
};

void greet() {
  const greeting mine{orujo::my_core(), orujo::my_locale()};
  const std::vector<greeting> all =
      orujo::loops::all_gather(mine);  // collective: every core's, at every core
  if (orujo::my_core() != 0) return;
  for (const greeting& g : all) std::printf("hello from core %d of locale %d\n", g.core, g.locale);
}

// The main task: it runs once in the job, on core 0.
orujo::status hello() {
  orujo::loops::on_all_cores([] { greet(); });  // one task on every core; returns when all are done
  return {};
}

int main(int argc, char** argv) { return orujo::run(argc, argv, "Every core says hello.", &hello); }
