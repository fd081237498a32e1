// Containers that are spread over all cores. Their handles can travel. Loops of <orujo/loops.hpp> take them
// all.
// Example: docs/tutorial/letters.cpp
#pragma once

// IWYU pragma: begin_exports
#include "system/containers/ghosts.hpp"
#include "system/containers/global_array.hpp"
#include "system/containers/global_bag.hpp"
#include "system/containers/global_counter.hpp"
#include "system/containers/global_disjoint_sets.hpp"
#include "system/containers/global_hash_map.hpp"
#include "system/containers/global_hash_set.hpp"
#include "system/containers/global_multimap.hpp"
#include "system/containers/global_vector.hpp"
#include "system/containers/sort.hpp"
#include "system/containers/symmetric.hpp"
// IWYU pragma: end_exports

namespace orujo {

using internal::containers::ghosts, internal::containers::global_array, internal::containers::global_bag,
    internal::containers::global_counter, internal::containers::global_disjoint_sets,
    internal::containers::global_hash_map, internal::containers::global_hash_set,
    internal::containers::global_vector;
// An object of your own with a copy at every core.
using internal::containers::symmetric;

using internal::containers::global_multimap, internal::containers::sort;

}  // namespace orujo
