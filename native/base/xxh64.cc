#include "native/base/xxh64.h"

#include <bit>

#include "native/base/bytes.h"
#include "native/base/xxh64_steps.h"

namespace freshdex {
namespace {

using xxh64::kPrime1;
using xxh64::kPrime2;
using xxh64::kPrime3;
using xxh64::kPrime4;
using xxh64::kPrime5;
using xxh64::Round;

uint64_t MergeLane(uint64_t hash, uint64_t lane) { return (hash ^ Round(0, lane)) * kPrime1 + kPrime4; }

// Four independent lanes over 32-byte stripes; the caller has at least one stripe.
uint64_t HashStripes(const char*& at, const char* end, uint64_t seed) {
  uint64_t lane[4] = {seed + kPrime1 + kPrime2, seed + kPrime2, seed, seed - kPrime1};
  for (; end - at >= 32; at += 32) {
    for (int i = 0; i < 4; ++i) lane[i] = Round(lane[i], LoadUnaligned<uint64_t>(at + 8 * i));
  }
  uint64_t hash = std::rotl(lane[0], 1) + std::rotl(lane[1], 7) + std::rotl(lane[2], 12) + std::rotl(lane[3], 18);
  for (uint64_t value : lane) hash = MergeLane(hash, value);
  return hash;
}

}  // namespace

uint64_t Xxh64(std::string_view bytes, uint64_t seed) {
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  uint64_t hash = bytes.size() >= 32 ? HashStripes(at, end, seed) + bytes.size() : xxh64::Start(seed, bytes.size());
  for (; end - at >= 8; at += 8) hash = xxh64::TakeEight(hash, Round(0, LoadUnaligned<uint64_t>(at)));
  if (end - at >= 4) {
    hash = std::rotl(hash ^ (LoadUnaligned<uint32_t>(at) * kPrime1), 23) * kPrime2 + kPrime3;
    at += 4;
  }
  for (; at < end; ++at) {
    hash = std::rotl(hash ^ (static_cast<unsigned char>(*at) * kPrime5), 11) * kPrime1;
  }
  return xxh64::Finish(hash);
}

}  // namespace freshdex
