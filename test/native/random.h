// Seeded randomness for native tests (splitmix64). The same seed gives the same test, on every machine.
// FRESHDEX_SEED in the environment overrides the default; the harness prints the seed of a failing run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>

namespace freshdex::test {

// Decimal or 0x-prefixed hexadecimal in FRESHDEX_SEED; anything else counts as not set.
inline uint64_t Seed() {
  constexpr uint64_t kDefaultSeed = 20240607;
  const char* text = std::getenv("FRESHDEX_SEED");
  if (text == nullptr || *text == '\0') return kDefaultSeed;
  char* end = nullptr;
  const uint64_t seed = std::strtoull(text, &end, 0);
  return *end == '\0' ? seed : kDefaultSeed;
}

// Not thread-safe: one instance for each thread, told apart by `stream`.
class Random {
 public:
  explicit Random(uint64_t stream = 0) : state_(Seed() + stream * 0x9E3779B97F4A7C15u) {}

  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // In [0, bound). REQUIRES: bound > 0. The bias of the remainder is below bound / 2^64.
  uint64_t Below(uint64_t bound) { return Next() % bound; }

  // In [low, high], both included. REQUIRES: low <= high.
  uint64_t Between(uint64_t low, uint64_t high) { return low + Below(high - low + 1); }

  // In [0, 1).
  double Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

  bool Chance(double probability) { return Unit() < probability; }

  template <typename Container>
  const auto& Pick(const Container& items) {
    return items[static_cast<size_t>(Below(std::size(items)))];
  }

 private:
  uint64_t state_;
};

}  // namespace freshdex::test
