// Numbers below a limit, each in as many bits as the largest needs: document and term numbers in the order of keys and
// words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "native/base/bitpack.h"

namespace freshdex::index {

inline int PackedNumberBits(size_t limit) { return limit == 0 ? 0 : BitWidth(static_cast<uint32_t>(limit - 1)); }

// What PackNumbers() makes of so many.
inline size_t PackedNumberBytes(size_t count, size_t limit) {
  return PackedBytes(count, PackedNumberBits(limit)) + kPackSlack;
}

// REQUIRES: all are below `limit`, which is at most 2^32.
inline std::string PackNumbers(std::span<const uint32_t> numbers, size_t limit) {
  std::string bytes;
  Pack(numbers.data(), numbers.size(), PackedNumberBits(limit), &bytes);
  bytes.append(kPackSlack, '\0');
  return bytes;
}

// They may come out above the limit when the bytes are from outside. REQUIRES: bytes.size() is PackedNumberBytes().
inline std::vector<uint32_t> UnpackNumbers(std::string_view bytes, size_t count, size_t limit) {
  std::vector<uint32_t> numbers((count + kUnpackGroup - 1) / kUnpackGroup * kUnpackGroup);
  UnpackPlusOne(reinterpret_cast<const uint8_t*>(bytes.data()), count, PackedNumberBits(limit), numbers.data());
  numbers.resize(count);
  for (uint32_t& number : numbers) --number;
  return numbers;
}

}  // namespace freshdex::index
