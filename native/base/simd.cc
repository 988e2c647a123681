#include "native/base/simd.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace freshdex {
namespace {

bool IsSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

Simd SupportedSimd() {
#if FRESHDEX_X86
  __builtin_cpu_init();
  const bool has_avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vbmi");
  if (has_avx512) return Simd::kAvx512;
  if (__builtin_cpu_supports("avx2")) return Simd::kAvx2;
#endif
  return Simd::kScalar;
}

Simd ChosenSimd() {
  if (IsSet("FRESHDEX_SCALAR")) return Simd::kScalar;
  return IsSet("FRESHDEX_AVX2") ? std::min(Simd::kAvx2, SupportedSimd()) : SupportedSimd();
}

}  // namespace freshdex
