// Which vector instructions the processor has. Functions that use them have a scalar twin that gives the same values,
// and are chosen by a level that is found out once, when the library is loaded.
#pragma once

#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#define FRESHDEX_X86 1
#else
#define FRESHDEX_X86 0
#endif

namespace freshdex {

enum class Simd : uint8_t { kScalar = 0, kAvx2 = 1, kAvx512 = 2 };

// The best level of this processor.
Simd SupportedSimd();
// The same, or less where the environment asks for it: FRESHDEX_SCALAR=1 for none, FRESHDEX_AVX2=1 for at most AVX2.
Simd ChosenSimd();

inline const Simd kSimd = ChosenSimd();

}  // namespace freshdex
