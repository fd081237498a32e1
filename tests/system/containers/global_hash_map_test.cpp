// How a job ends when a map is misused; each test is a job of its own.
#include "system/containers/global_hash_map.hpp"

#include <gtest/gtest.h>

#include "system/base/fatal.hpp"
#include "system/runtime/runtime.hpp"

namespace orujo::containers {
namespace {

TEST(global_hash_map_death, an_insert_during_forall_is_refused) {
  const auto insert_meanwhile = [] {
    install_fatal_handlers();
    runtime::job_options options;
    options.cores = 2;
    const exit_status ended = runtime::run_loopback(1, options, [] {
      const auto map = global_hash_map<int, int>::create();
      for (int k = 0; k < 10; ++k) map.insert(k, 0);
      loops::forall(map, [map](int key, int&) { map.insert(key + 100, 0); });
      return status();
    });
    std::_Exit(static_cast<int>(ended));
  };
  EXPECT_EXIT(insert_meanwhile(), testing::ExitedWithCode(70), "keys came or went during a forall");
}

}  // namespace
}  // namespace orujo::containers
