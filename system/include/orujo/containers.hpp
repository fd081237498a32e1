// Containers that are spread over all cores. Their handles can travel. Loops of <orujo/loops.hpp> take them
// all.
// Example: docs/tutorial/letters.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/containers/ghosts.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/global_bag.hpp"
#include "system/containers/global_counter.hpp"
#include "system/containers/global_hash_map.hpp"
#include "system/containers/global_hash_set.hpp"
#include "system/containers/global_multimap.hpp"
#include "system/containers/global_vector.hpp"
#include "system/containers/sort.hpp"
#include "system/containers/symmetric.hpp"
// IWYU pragma: end_exports

namespace orujo {

using containers::ghosts, containers::global_array, containers::global_bag, containers::global_counter,
    containers::global_hash_map, containers::global_hash_set, containers::global_vector;
// An object of your own with a copy at every core.
using containers::symmetric;

using containers::global_multimap, containers::sort;

}  // namespace orujo
