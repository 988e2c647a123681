// A constant set of short words, found with one multiplication and, nearly always, one comparison. A word of up to
// eight bytes is its own hash key, so nothing is hashed byte by byte and no strings are compared.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "native/analysis/eight_bytes.h"

namespace freshdex::analysis {

inline constexpr size_t kMaxPackedBytes = 8;

// The bytes of a word as one number, zero above them.
consteval uint64_t PackWord(std::string_view word) {
  uint64_t packed = 0;
  for (size_t i = word.size(); i > 0; --i) packed = packed << 8 | static_cast<uint8_t>(word[i - 1]);
  return packed;
}

// REQUIRES: 1 <= length <= kMaxPackedBytes; kMaxPackedBytes readable bytes, whatever the length.
inline uint64_t PackWord(const char* text, size_t length) {
  return LoadEight(text) & ~uint64_t{0} >> 8 * (kMaxPackedBytes - length);
}

template <size_t count>
class PackedWords {
 public:
  static constexpr size_t kNotFound = count;

  // REQUIRES: words of 1 to kMaxPackedBytes bytes without NUL, all different.
  consteval explicit PackedWords(const std::array<std::string_view, count>& words) {
    for (size_t i = 0; i < count; ++i) {
      const uint64_t packed = PackWord(words[i]);
      size_t slot = SlotOf(packed);
      while (slots_[slot].packed != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = {packed, i};
    }
  }

  // The position of the word in the list given at construction, or kNotFound.
  size_t Find(uint64_t packed) const {
    for (size_t slot = SlotOf(packed); slots_[slot].packed != 0; slot = (slot + 1) % kSlots) {
      if (slots_[slot].packed == packed) return slots_[slot].position;
    }
    return kNotFound;
  }

 private:
  struct Slot {
    uint64_t packed = 0;
    size_t position = 0;
  };

  // A third full at most: a search for a word that is not there usually meets an empty slot at once.
  static constexpr unsigned kSlotBits = 7;
  static constexpr size_t kSlots = size_t{1} << kSlotBits;
  static_assert(count * 3 < kSlots);

  // Fibonacci hashing: the high bits of the product depend on all bytes.
  static constexpr size_t SlotOf(uint64_t packed) {
    return static_cast<size_t>(packed * 0x9E3779B97F4A7C15u >> (64 - kSlotBits));
  }

  std::array<Slot, kSlots> slots_{};
};

}  // namespace freshdex::analysis
