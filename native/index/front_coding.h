// Ascending strings, each written as the part that it does not share with the one before it.
//
//   u8       upper half: how many bytes it shares with the string before, lower half: how many follow; 15: 15 or more
//   varint   how many bytes more than 15 it shares, only where the upper half is 15; the same of the lower half
//   ...      the bytes that follow
//
// Strings ascend strictly as bytes without a sign. A sequence may be cut into groups: the first string of a group
// shares nothing, so that a group is read by itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "native/base/bytes.h"

namespace freshdex::index {

class FrontEncoder {
 public:
  // REQUIRES: above the string before.
  void Add(std::string_view string);
  // The next string shares nothing with the one before.
  void StartGroup() { last_.clear(); }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::string last_;
};

class FrontDecoder {
 public:
  explicit FrontDecoder(std::string_view bytes) : reader_(bytes) {}

  // Reads the next string; false at the end, and for bytes that are none or do not ascend (ok() tells which).
  // REQUIRES: ok().
  bool Next();
  // The string last read; valid until the next is read.
  std::string_view string() const { return string_; }
  bool ok() const { return is_ascending_ && reader_.ok(); }

 private:
  uint32_t ReadLength(uint32_t half) { return half < kLongHalf ? half : kLongHalf + reader_.ReadVarint(); }

  static constexpr uint32_t kLongHalf = 15;

  friend class FrontEncoder;

  ByteReader reader_;
  std::string string_;
  bool is_first_ = true;
  bool is_ascending_ = true;
};

}  // namespace freshdex::index
