// Every core says hello; core 0 says it to the world.
#include <orujo/orujo.hpp>

#include <cstdio>
#include <vector>

using namespace orujo;

// What travels between cores is plain: numbers, addresses, structs of them.
struct greeting {
  core_id core;
  locale_id locale;
};

void greet() {
  const greeting mine{my_core(), my_locale()};
  const std::vector<greeting> all = all_gather(mine);  // collective: every core's, at every core
  if (my_core() != 0) return;
  for (const greeting& g : all) std::printf("hello from core %d of locale %d\n", g.core, g.locale);
}

// The main task: it runs once in the job, on core 0.
status hello() {
  on_all_cores([] { greet(); });  // one task on every core; returns when all are done
  return {};
}

int main(int argc, char** argv) { return run(argc, argv, "Every core says hello.", &hello); }
