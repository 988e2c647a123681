// Eight bytes of text in one 64-bit number, the first byte in the lowest lane: the machine is little-endian, which
// base/bytes.h asserts. In a mask the top bit of a lane answers for its byte.
#pragma once

#include <cstdint>
#include <cstring>

#include "native/base/bytes.h"

namespace freshdex::analysis {

inline constexpr uint64_t kEachLane = 0x0101010101010101;
inline constexpr uint64_t kTopBits = kEachLane * 0x80;

// REQUIRES: eight readable bytes.
inline uint64_t LoadEight(const void* bytes) { return LoadUnaligned<uint64_t>(bytes); }

// REQUIRES: eight writable bytes.
inline void StoreEight(uint64_t value, void* bytes) { std::memcpy(bytes, &value, sizeof value); }

// Mask of the lanes that are >= bound. REQUIRES: lanes below 0x80, so that no carry leaves its lane; 0 < bound <= 0x80.
constexpr uint64_t LanesAtLeast(uint64_t lanes, uint64_t bound) {
  return (lanes + kEachLane * (0x80 - bound)) & kTopBits;
}

// Mask of the lanes that differ from `byte`. REQUIRES: lanes and byte below 0x80.
constexpr uint64_t LanesUnlike(uint64_t lanes, char byte) {
  return LanesAtLeast(lanes ^ kEachLane * static_cast<uint8_t>(byte), 1);
}

// The top bits of a mask side by side: bit i answers for byte i.
constexpr uint64_t GatherTopBits(uint64_t mask) { return (mask >> 7) * 0x0102040810204080 >> 56; }

}  // namespace freshdex::analysis
