// Random trees of tasks whose size is known: what the detection of their end is tested with.
#pragma once

#include <cstdint>

#include "system/base/identity.hpp"
#include "system/base/random.hpp"
#include "system/containers/global_array.hpp"
#include "system/delegates/delegate.hpp"
#include "system/delegates/stealing.hpp"

namespace orujo::internal::delegates {

enum class tree_of { private_tasks, public_tasks };  // the former each at a random core

// [task] The node itself, which counts itself at its core, and all below it.
inline void grow_tree(tree_of kind, event_ref event, containers::global_array<std::uint64_t> counts,
                      std::uint64_t seed, int depth) {
  ++counts.local()[0];
  if (depth == 0) return;
  random_stream random(seed);
  for (std::uint64_t k = random.below(5); k > 0; --k) {
    const auto grow_child = [=, child = random()] {
      if (child % 3 == 0) tasks::yield();
      grow_tree(kind, event, counts, child, depth - 1);
    };
    if (kind == tree_of::public_tasks) {
      async_spawn_public(event, grow_child);
    } else {
      const std::uint64_t any = mix64(seed + k);
      async_spawn(event, static_cast<core_id>(any % static_cast<std::uint64_t>(cores())), grow_child);
    }
  }
}

inline std::uint64_t tree_size(std::uint64_t seed, int depth) {
  if (depth == 0) return 1;
  random_stream random(seed);
  std::uint64_t size = 1;
  for (std::uint64_t k = random.below(5); k > 0; --k) size += tree_size(random(), depth - 1);
  return size;
}

// [task; suspends] Grows the trees of seeds 1 to `trees`, one after the other. Returns the number of trees
// whose event was early: complete before all nodes were counted.
inline int early_events(tree_of kind, std::uint64_t trees, int depth) {
  const auto counts = containers::global_array<std::uint64_t>::create(static_cast<std::size_t>(cores()));
  std::uint64_t expected = 0;
  int early = 0;
  for (std::uint64_t seed = 1; seed <= trees; ++seed) {
    completion_event all;
    grow_tree(kind, all, counts, seed, depth);
    all.wait();
    expected += tree_size(seed, depth);
    std::uint64_t sum = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) sum += read(counts[c]);
    early += sum != expected;
  }
  counts.destroy();
  return early;
}

}  // namespace orujo::internal::delegates
