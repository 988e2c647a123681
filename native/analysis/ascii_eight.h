// ASCII as seen by word segmentation: one character by table, or eight at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "native/analysis/eight_bytes.h"

namespace freshdex::analysis {

// What a word is made of (a set). The lower byte of an AsciiTable entry is the lower-case character.
inline constexpr uint16_t kLatinLetter = 0x0100;  // a to z
inline constexpr uint16_t kOtherLetter = 0x0200;
inline constexpr uint16_t kAnyDigit = 0x0400;
inline constexpr uint16_t kAnyConnector = 0x0800;
inline constexpr uint16_t kCurlyApostrophe = 0x1000;  // U+2019
inline constexpr uint16_t kExtra = 0x2000;            // a mark, or a joining character other than an apostrophe
// A letter that had an accent. The bit means something else in an AsciiTable.
inline constexpr uint16_t kWasFolded = 0x4000;
inline constexpr uint16_t kLetters = kLatinLetter | kOtherLetter;
inline constexpr uint16_t kWordCharacters = kLetters | kAnyDigit | kAnyConnector;
// Entries of the table: characters that may go on a word but need a closer look; never part of a word's set.
inline constexpr uint16_t kJoins = 0x4000;
inline constexpr uint16_t kNotAscii = 0x8000;

consteval std::array<uint16_t, 256> BuildAsciiTable() {
  std::array<uint16_t, 256> table{};
  for (uint16_t c = 'a'; c <= 'z'; ++c) {
    table[c] = kLatinLetter | c;
    table[c - 'a' + 'A'] = kLatinLetter | c;
  }
  for (uint16_t c = '0'; c <= '9'; ++c) table[c] = kAnyDigit | c;
  table['_'] = kAnyConnector | '_';
  for (const char c : {'\'', '.', ':', ',', ';'}) table[static_cast<uint8_t>(c)] = kJoins;
  for (size_t c = 0x80; c < table.size(); ++c) table[c] = kNotAscii;
  return table;
}
inline constexpr std::array<uint16_t, 256> kAsciiTable = BuildAsciiTable();

// Eight bytes of text, asked for the ASCII word characters (letters, digits, underscore) that they begin with.
class AsciiEight {
 public:
  // REQUIRES: eight readable bytes.
  explicit AsciiEight(const uint8_t* bytes) : bytes_(LoadEight(bytes)) {
    const uint64_t low = bytes_ & ~kTopBits;
    const uint64_t folded = low | kEachLane * 0x20;
    letters_ = LanesAtLeast(folded, 'a') & ~LanesAtLeast(folded, 'z' + 1) & ~bytes_;
    digits_ = LanesAtLeast(low, '0') & ~LanesAtLeast(low, '9' + 1) & ~bytes_;
    const uint64_t underscores = ~(LanesUnlike(low, '_') | bytes_);
    others_ = ~(letters_ | digits_ | underscores) & kTopBits;
  }

  // How many ASCII word characters the bytes begin with, 0 to 8.
  size_t word_characters() const { return static_cast<size_t>(std::countr_zero(others_)) / 8; }

  // The set of the kinds of these characters.
  uint16_t MadeOf() const {
    // All bits below the first other byte; all bits when there is none.
    const uint64_t counted = (others_ & (~others_ + 1)) - 1;
    const uint64_t letters = letters_ & counted;
    const uint64_t digits = digits_ & counted;
    const uint64_t underscores = kTopBits & counted & ~(letters | digits);
    const uint16_t only_letters = letters != 0 ? kLatinLetter : 0;
    if ((digits | underscores) == 0) [[likely]]
      return only_letters;
    return static_cast<uint16_t>(only_letters | (digits != 0 ? kAnyDigit : 0) | (underscores != 0 ? kAnyConnector : 0));
  }

  // Writes all eight bytes, letters in lower case.
  void StoreLower(char* out) const { StoreEight(bytes_ | letters_ >> 2, out); }

 private:
  uint64_t bytes_;
  uint64_t letters_;  // this member and those below are masks
  uint64_t digits_;
  uint64_t others_;
};

}  // namespace freshdex::analysis
