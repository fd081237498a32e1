// Packs of every instruction set (pack.hpp says what packs are).
#pragma once

#include "framework/vectors/pack.hpp"

#if defined(__x86_64__)
#include "framework/vectors/simd_avx2.hpp"
#include "framework/vectors/simd_avx512.hpp"
#endif
