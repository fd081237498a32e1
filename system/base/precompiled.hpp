// Headers that most sources include and nobody here changes. Each library and test program parses them once.
#pragma once

#include <fmt/format.h>
#include <gflags/gflags.h>
#include <glog/logging.h>
#if defined(__x86_64__)
#include <immintrin.h>  // half a second
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>
