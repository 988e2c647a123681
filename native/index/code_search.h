// Where a string of codes (term_codes.h) stands in others. Records are searched as bytes, without decoding them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "native/base/simd.h"

namespace freshdex::index {

class CodePattern {
 public:
  static constexpr size_t kNowhere = SIZE_MAX;

  // REQUIRES: whole codes, at least one.
  explicit CodePattern(std::string codes);

  const std::string& codes() const { return codes_; }
  // The first place from `from` on where the pattern begins, or kNowhere. REQUIRES: whole codes.
  size_t Find(std::string_view codes, size_t from, Simd simd = kSimd) const;
  // The number of all such places; they may overlap.
  uint32_t Count(std::string_view codes, Simd simd = kSimd) const;
  // Whether the pattern begins at a place. REQUIRES: place + codes().size() <= codes.size().
  bool IsAt(std::string_view codes, size_t place) const;

 private:
  size_t Find512(std::string_view codes, size_t from) const;
  size_t Find256(std::string_view codes, size_t from) const;
  size_t FindScalar(std::string_view codes, size_t from) const;

  const std::string codes_;
  // Two bytes of the pattern that few places have, by which most are passed over: those that end the first and the last
  // code, since other bytes of codes are of few kinds.
  size_t first_at_ = 0;
  size_t second_at_ = 0;
};

}  // namespace freshdex::index
