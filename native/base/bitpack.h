// Fixed-width packing of small unsigned integers, least significant bits first.
//
// `count` values of `bits` bits take PackedBytes(count, bits) bytes; width 0 takes none and unpacks to zeros. Unpacking
// loads whole 64-bit words, so a packed area must be followed by kPackSlack readable bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "native/base/simd.h"

namespace freshdex {

inline constexpr size_t kPackSlack = 8;
// Unpacked values are written in groups of so many.
inline constexpr size_t kUnpackGroup = 16;

// Smallest width that holds `value`; 0 for 0.
int BitWidth(uint32_t value);

constexpr size_t PackedBytes(size_t count, int bits) { return (count * static_cast<size_t>(bits) + 7) / 8; }

// REQUIRES: every value < 2^bits, 0 <= bits <= 32.
void Pack(const uint32_t* values, size_t count, int bits, std::string* out);

// The packed values, each one larger. REQUIRES: PackedBytes(count, bits) + kPackSlack bytes readable at `from`, room
// for `count` values rounded up to a multiple of kUnpackGroup.
void UnpackPlusOne(const uint8_t* from, size_t count, int bits, uint32_t* values, Simd simd = kSimd);

// Running sums: value i is `next` plus the packed values up to i plus i, modulo 2^32. REQUIRES as above.
void UnpackSums(const uint8_t* from, size_t count, int bits, uint32_t next, uint32_t* values, Simd simd = kSimd);

}  // namespace freshdex
