// The Unicode knowledge of analysis: UTF-8, the class of a code point in word segmentation, lower case.
// Constant data only; safe from any thread. The tables are generated (generate_unicode.mjs).
#pragma once

#include <cstddef>
#include <cstdint>

namespace freshdex::analysis {

// The Word_Break classes of UAX #29, reduced to what segmenter.h tells apart.
enum class WordClass : uint8_t {
  kOther,  // ends a word: symbols, punctuation, emoji, controls, unassigned, U+FFFD
  kSpace,  // White_Space: ends a word, and text may be cut there without changing its tokens
  kLetter,
  kDigit,
  kConnector,  // underscore and its kin
  kMark,       // belongs to the character before it
  kIgnorable,  // soft hyphen, joiners, byte order mark, variation selectors: neither ends a word nor is part of it
  kMidLetter,  // joins letters
  kMidNumber,  // joins digits
  kMidEither,  // joins letters, or digits
  kCjk,        // Han, Hiragana, Katakana, Hangul: written without spaces
};

inline constexpr char32_t kReplacement = 0xFFFD;
inline constexpr size_t kMaxUtf8Bytes = 4;

struct Decoded {
  char32_t code_point;
  uint32_t length;  // bytes taken, >= 1
};

// Reads one code point. A byte that begins no valid sequence (stray or missing continuation, overlong form, surrogate,
// above U+10FFFF) is taken alone and read as U+FFFD. REQUIRES: next < end.
inline Decoded DecodeUtf8(const uint8_t* next, const uint8_t* end) {
  constexpr Decoded kInvalid = {kReplacement, 1};
  const auto is_continuation = [](uint8_t byte) { return (byte & 0xC0) == 0x80; };
  const uint8_t lead = next[0];
  if (lead < 0x80) return {lead, 1};
  const auto left = static_cast<size_t>(end - next);
  if (lead < 0xC2 || left < 2 || !is_continuation(next[1])) return kInvalid;
  const char32_t second = next[1] & 0x3Fu;
  if (lead < 0xE0) return {(lead & 0x1Fu) << 6 | second, 2};
  if (left < 3 || !is_continuation(next[2])) return kInvalid;
  const char32_t third = next[2] & 0x3Fu;
  if (lead < 0xF0) {
    const char32_t c = (lead & 0x0Fu) << 12 | second << 6 | third;
    const bool valid = c >= 0x800 && (c < 0xD800 || c > 0xDFFF);
    return valid ? Decoded{c, 3} : kInvalid;
  }
  if (lead > 0xF4 || left < 4 || !is_continuation(next[3])) return kInvalid;
  const char32_t c = (lead & 0x07u) << 18 | second << 12 | third << 6 | (next[3] & 0x3Fu);
  return c >= 0x10000 && c <= 0x10FFFF ? Decoded{c, 4} : kInvalid;
}

// Returns the bytes written, at most kMaxUtf8Bytes. REQUIRES: a valid scalar value.
size_t EncodeUtf8(char32_t code_point, char* out);

// One byte for each code point of the basic plane: its WordClass, and whether it has another lower case or another form
// without accents.
inline constexpr uint8_t kClassBits = 0x0F;
inline constexpr uint8_t kHasLowerBit = 0x80;
inline constexpr uint8_t kHasFoldBit = 0x40;  // a letter with accents, or a diacritical mark
struct BasicPlane {
  uint8_t entry[0x10000];
};
extern const BasicPlane kBasicPlane;

WordClass SupplementaryClassOf(char32_t code_point);
char32_t MappedLower(char32_t code_point);
char32_t MappedBase(char32_t code_point);

inline WordClass ClassOf(char32_t code_point) {
  if (code_point > 0xFFFF) return SupplementaryClassOf(code_point);
  return static_cast<WordClass>(kBasicPlane.entry[code_point] & kClassBits);
}

// Simple lower case, one code point to one, without locale; both small sigmas become U+03C3 and U+0130 becomes i.
inline char32_t ToLower(char32_t code_point) {
  if (code_point <= 0xFFFF && (kBasicPlane.entry[code_point] & kHasLowerBit) == 0) return code_point;
  return MappedLower(code_point);
}

// Whether a mark is one of accents. All are in the basic plane.
inline bool IsDiacritic(char32_t code_point) {
  if (code_point > 0xFFFF) return false;
  const uint8_t entry = kBasicPlane.entry[code_point];
  return (entry & kHasFoldBit) != 0 && static_cast<WordClass>(entry & kClassBits) != WordClass::kLetter;
}

// A small letter without its accents: the letter that its canonical decomposition begins with, where marks of accents
// are all that follows. REQUIRES: a lower-case letter.
inline char32_t WithoutAccents(char32_t code_point) {
  if (code_point <= 0xFFFF && (kBasicPlane.entry[code_point] & kHasFoldBit) == 0) return code_point;
  return MappedBase(code_point);
}

}  // namespace freshdex::analysis
