// Packs of every instruction set (pack.hpp says what packs are).
#pragma once

#include "framework/engine/pack.hpp"

#if defined(__x86_64__)
#include "framework/engine/simd_avx2.hpp"
#include "framework/engine/simd_avx512.hpp"
#endif
