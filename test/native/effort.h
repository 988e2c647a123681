// How much work the random tests do. The usual amount keeps the whole run near half a minute under sanitizers.
// FRESHDEX_LONG in the environment asks for a long run.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace freshdex::test {

inline bool IsLong() { return std::getenv("FRESHDEX_LONG") != nullptr; }

inline size_t Rounds(size_t usual) {
  constexpr size_t kLongFactor = 20;
  return IsLong() ? usual * kLongFactor : usual;
}

}  // namespace freshdex::test
