// The vector instructions of x86 as functions.
#pragma once

#include "native/base/simd.h"

#if FRESHDEX_X86
// GCC 12 takes the undefined values that its own header makes on purpose for mistakes.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#pragma GCC diagnostic pop
#endif
