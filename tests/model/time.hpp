// Included before all that the explorer runs: its time stamps are made up, and pass by themselves, so that a
// run does the same again.
#pragma once

#include <cstdint>

extern "C" std::uint64_t orujo_model_ticks();
#define __builtin_ia32_rdtsc orujo_model_ticks
