// The steps of XXH64, for the function itself and for loops that share some of them between neighbouring inputs.
#pragma once

#include <bit>
#include <cstdint>

namespace freshdex::xxh64 {

inline constexpr uint64_t kPrime1 = 0x9E3779B185EBCA87ULL;
inline constexpr uint64_t kPrime2 = 0xC2B2AE3D27D4EB4FULL;
inline constexpr uint64_t kPrime3 = 0x165667B19E3779F9ULL;
inline constexpr uint64_t kPrime4 = 0x85EBCA77C2B2AE63ULL;
inline constexpr uint64_t kPrime5 = 0x27D4EB2F165667C5ULL;

constexpr uint64_t Round(uint64_t lane, uint64_t input) { return std::rotl(lane + input * kPrime2, 31) * kPrime1; }

// The hash before the first byte of an input of fewer than 32 bytes.
constexpr uint64_t Start(uint64_t seed, uint64_t length) { return seed + kPrime5 + length; }

// Takes up eight bytes, given as Round(0, bytes).
constexpr uint64_t TakeEight(uint64_t hash, uint64_t round) { return std::rotl(hash ^ round, 27) * kPrime1 + kPrime4; }

// The final mixing without its last step, which leaves the upper half of the hash as it is.
constexpr uint64_t FinishUpperHalf(uint64_t hash) {
  hash = (hash ^ (hash >> 33)) * kPrime2;
  return (hash ^ (hash >> 29)) * kPrime3;
}

constexpr uint64_t Finish(uint64_t hash) {
  hash = FinishUpperHalf(hash);
  return hash ^ (hash >> 32);
}

}  // namespace freshdex::xxh64
