// The length of a field in one byte, with Lucene's quantisation: exact below 40, then four significant bits, rounded
// down. Monotone, so a smaller byte is a shorter field. The scores of both models depend on the length only through
// this byte, which is why a small edit leaves the scores of a page's unchanged postings as they are.
#pragma once

#include <bit>
#include <cstdint>

namespace freshdex::index {

// Lengths below this are their own code; it is what the 256 codes leave over after the four-bit floats up to 2^31 - 1.
inline constexpr uint32_t kExactLengths = 24;

constexpr uint8_t EncodeLength(uint32_t length) {
  if (length > 0x7FFFFFFF) length = 0x7FFFFFFF;
  if (length < kExactLengths) return static_cast<uint8_t>(length);
  const uint32_t rest = length - kExactLengths;
  const int bits = std::bit_width(rest);
  if (bits < 4) return static_cast<uint8_t>(kExactLengths + rest);
  const int shift = bits - 4;
  return static_cast<uint8_t>(kExactLengths + ((static_cast<uint32_t>(shift + 1) << 3) | ((rest >> shift) & 7)));
}

constexpr uint32_t DecodeLength(uint8_t code) {
  if (code < kExactLengths) return code;
  const uint32_t rest = code - kExactLengths;
  const uint32_t exponent = rest >> 3;
  if (exponent == 0) return kExactLengths + rest;
  return kExactLengths + (((rest & 7) | 8) << (exponent - 1));
}

}  // namespace freshdex::index
