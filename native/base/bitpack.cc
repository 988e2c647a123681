#include "native/base/bitpack.h"

#include <bit>
#include <cassert>

#include "native/base/bytes.h"

namespace freshdex {

int BitWidth(uint32_t value) { return std::bit_width(value); }

void Pack(const uint32_t* values, size_t count, int bits, std::string* out) {
  assert(bits >= 0 && bits <= 32);
  uint64_t pending = 0;
  int filled = 0;
  for (size_t i = 0; i < count; ++i) {
    assert(bits == 32 || values[i] < (1ULL << bits));
    pending |= static_cast<uint64_t>(values[i]) << filled;
    filled += bits;
    while (filled >= 8) {
      out->push_back(static_cast<char>(pending & 0xFF));
      pending >>= 8;
      filled -= 8;
    }
  }
  if (filled > 0) out->push_back(static_cast<char>(pending & 0xFF));
}

void Unpack(const uint8_t* from, size_t count, int bits, uint32_t* values) {
  // bits <= 32 and a bit offset inside a byte <= 7: one 64-bit load always covers a value.
  const uint64_t mask = (1ULL << bits) - 1;
  size_t bit = 0;
  for (size_t i = 0; i < count; ++i, bit += static_cast<size_t>(bits)) {
    values[i] = static_cast<uint32_t>((LoadUnaligned<uint64_t>(from + (bit >> 3)) >> (bit & 7)) & mask);
  }
}

}  // namespace freshdex
