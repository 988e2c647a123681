// Cuts UTF-8 text into words: the word boundary rules of UAX #29 for alphabetic scripts, bigrams for CJK.
//
//   word   letters, digits and connectors with their marks, and between two letters or two digits one character that
//          joins these (WB5 to WB13b); at least one letter or digit
//   CJK    a run of n >= 2 characters gives its n - 1 overlapping pairs; a lone character gives itself
//
// Differences from the standard, on purpose: ignorable characters are left out of the word, so that a soft hyphen does
// not make another word; an emoji is no part of a word, even if joined to it (WB3c); scripts without spaces outside CJK
// (Thai, Khmer…) give one word for each run; the quotation rules for Hebrew (WB7a to WB7c) are left out; a narrow
// no-break space separates.
//
// Invariants:
//   I1  White space ends every word and run, and nothing is remembered across it: cutting a text at white space and
//       joining the tokens of the parts gives the tokens of the whole.
//   I2  Time is linear in the text, whatever the length of a word and of the marks on a character.
//   I3  No byte outside the text is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "native/analysis/ascii_eight.h"
#include "native/analysis/token_list.h"
#include "native/analysis/unicode.h"

namespace freshdex::analysis {

// Sink:
//   char* room()                                  where the next word is written; TokenWriter::kRoom bytes
//   void OnWord(size_t length, uint16_t made_of)  a word stands there
//   void OnCut()                                  once for every word that did not fit into kMaxTokenBytes, and every
//                                                 CJK character that with its marks did not fit into half of them
//   void OnPlace(size_t begin, size_t end)        optional: the bytes of the text that the next OnWord() is made of
//
// With `folds`, letters lose their accents and diacritical marks are left out, however a character is composed.
template <typename Sink>
class Segmenter {
 public:
  Segmenter(std::string_view utf8, bool folds, Sink* sink)
      : next_(reinterpret_cast<const uint8_t*>(utf8.data())),
        end_(next_ + utf8.size()),
        begin_(next_),
        folds_(folds),
        sink_(sink) {}

  void Run() {
    while (next_ != end_) {
      const uint16_t entry = kAsciiTable[*next_];
      if ((entry & kWordCharacters) != 0) {
        ScanWord();
      } else if (entry == kNotAscii) {
        ScanFromNonAscii();
      } else {
        ++next_;
      }
    }
  }

 private:
  void ScanFromNonAscii() {
    const Decoded here = DecodeUtf8(next_, end_);
    switch (ClassOf(here.code_point)) {
      case WordClass::kLetter:
      case WordClass::kDigit:
      case WordClass::kConnector:
        return ScanWord();
      case WordClass::kCjk:
        return ScanCjkRun();
      default:
        next_ += here.length;
    }
  }

  // REQUIRES: next_ is at a letter, digit or connector.
  //
  // Most words are ASCII letters up to a blank: these pass here, eight bytes in one step. State lives in locals, since
  // for all the compiler knows a store through char* changes the members.
  void ScanWord() {
    const uint8_t* next = next_;
    const uint8_t* const end = end_;
    if constexpr (kWantsPlaces) word_begin_ = next;
    char* const text = sink_->room();
    size_t length = 0;
    uint16_t made_of = 0;
    bool ended = false;
    while (end - next >= 8 && length + 8 <= kMaxTokenBytes) {
      const AsciiEight eight(next);
      eight.StoreLower(text + length);
      made_of |= eight.MadeOf();
      const size_t count = eight.word_characters();
      length += count;
      next += count;
      if (count < 8) {
        ended = kAsciiTable[*next] == 0;
        break;
      }
    }
    last_ = next == next_ ? 0 : kAsciiTable[next[-1]] & kWordCharacters;
    next_ = next;
    if (!ended) return FinishWord(text, length, made_of);
    if ((made_of & (kLetters | kAnyDigit)) != 0) Emit(length, made_of);
  }

  // Hands over the word that stands in the sink's room and ends at next_.
  void Emit(size_t length, uint16_t made_of) {
    if constexpr (kWantsPlaces) {
      sink_->OnPlace(static_cast<size_t>(word_begin_ - begin_), static_cast<size_t>(next_ - begin_));
    }
    sink_->OnWord(length, made_of);
  }

  // Goes on with a word, character by character.
  void FinishWord(char* text, size_t length, uint16_t made_of) {
    text_ = text;
    length_ = length;
    limit_ = kMaxTokenBytes;
    cut_ = false;
    made_of_ = made_of;
    while (next_ != end_) {
      if (!TakeOneAscii() && !TakeUnusual()) break;
    }
    if ((made_of_ & (kLetters | kAnyDigit)) == 0) return;
    if (cut_) sink_->OnCut();
    Emit(length_, made_of_);
  }

  bool TakeOneAscii() {
    const uint16_t entry = kAsciiTable[*next_];
    if ((entry & kWordCharacters) == 0) return false;
    if (length_ < limit_) {
      text_[length_++] = static_cast<char>(entry & 0xFF);
    } else {
      Cut();
    }
    last_ = entry & kWordCharacters;
    made_of_ |= last_;
    ++next_;
    return true;
  }

  // A character that is not an ASCII letter, digit or underscore; false when it ends the word.
  bool TakeUnusual() {
    const Decoded here = DecodeUtf8(next_, end_);
    const WordClass word_class = ClassOf(here.code_point);
    switch (word_class) {
      case WordClass::kLetter:
        TakeLetter(here);
        return true;
      case WordClass::kDigit:
        last_ = kAnyDigit;
        Take(here, kAnyDigit);
        return true;
      case WordClass::kConnector:
        last_ = kAnyConnector;
        Take(here, kAnyConnector);
        return true;
      case WordClass::kMark:
        if (folds_ && IsDiacritic(here.code_point)) {
          made_of_ |= kWasFolded;
          next_ += here.length;
        } else {
          Take(here, kExtra);
        }
        return true;
      case WordClass::kIgnorable:
        next_ += here.length;
        return true;
      case WordClass::kMidLetter:
      case WordClass::kMidNumber:
      case WordClass::kMidEither:
        if (!JoinsNeighbours(here, word_class)) return false;
        Take(here, here.code_point == U'\'' ? 0 : here.code_point == 0x2019 ? kCurlyApostrophe : kExtra);
        return true;
      default:
        return false;
    }
  }

  void TakeLetter(Decoded here) {
    char32_t lower = ToLower(here.code_point);
    if (folds_) {
      const char32_t base = WithoutAccents(lower);
      if (base != lower) made_of_ |= kWasFolded;
      lower = base;
    }
    last_ = lower < 0x80 ? kLatinLetter : kOtherLetter;
    if (lower == here.code_point) return Take(here, last_);
    char encoded[kMaxUtf8Bytes];
    Write(encoded, EncodeUtf8(lower, encoded));
    made_of_ |= last_;
    next_ += here.length;
  }

  void Take(Decoded here, uint16_t kind) {
    Write(reinterpret_cast<const char*>(next_), here.length);
    made_of_ |= kind;
    next_ += here.length;
  }

  // Whether the character at next_ stands between two letters or two digits, as its class wants. Marks and ignorable
  // characters after it do not count (WB4).
  bool JoinsNeighbours(Decoded here, WordClass word_class) const {
    const bool letters = (last_ & kLetters) != 0 && word_class != WordClass::kMidNumber;
    const bool digits = (last_ & kAnyDigit) != 0 && word_class != WordClass::kMidLetter;
    if (!letters && !digits) return false;
    const uint8_t* after = next_ + here.length;
    while (after != end_) {
      const Decoded there = DecodeUtf8(after, end_);
      const WordClass next_class = ClassOf(there.code_point);
      if (next_class != WordClass::kMark && next_class != WordClass::kIgnorable) {
        return (letters && next_class == WordClass::kLetter) || (digits && next_class == WordClass::kDigit);
      }
      after += there.length;
    }
    return false;
  }

  void Write(const char* bytes, size_t count) {
    if (count > limit_ - length_) return Cut();
    std::memcpy(text_ + length_, bytes, count);
    length_ += count;
  }

  // Nothing more fits: the rest of the word is passed over, also a character that would fit by being shorter.
  void Cut() {
    cut_ = true;
    limit_ = length_;
  }

  // A character with its marks. Two of them always fit into a token.
  struct CjkCharacter {
    char bytes[kMaxTokenBytes / 2];
    size_t length;
    const uint8_t* begin;  // in the text
  };

  // REQUIRES: next_ is at a CJK character.
  void ScanCjkRun() {
    CjkCharacter recent[2];
    size_t count = 0;
    while (next_ != end_ && ClassOf(DecodeUtf8(next_, end_).code_point) == WordClass::kCjk) {
      TakeCjkCharacter(&recent[count % 2]);
      if (count > 0) EmitPair(recent[(count - 1) % 2], recent[count % 2]);
      ++count;
    }
    if (count > 1) return;
    std::memcpy(sink_->room(), recent[0].bytes, recent[0].length);
    word_begin_ = recent[0].begin;
    Emit(recent[0].length, kOtherLetter);
  }

  void TakeCjkCharacter(CjkCharacter* character) {
    const uint32_t base_length = DecodeUtf8(next_, end_).length;
    std::memcpy(character->bytes, next_, base_length);
    character->length = base_length;
    character->begin = next_;
    next_ += base_length;
    bool cut = false;
    while (next_ != end_) {
      const Decoded here = DecodeUtf8(next_, end_);
      const WordClass word_class = ClassOf(here.code_point);
      if (word_class != WordClass::kMark && word_class != WordClass::kIgnorable) break;
      const bool is_kept = word_class == WordClass::kMark && !(folds_ && IsDiacritic(here.code_point));
      if (is_kept && !cut) {
        cut = here.length > sizeof character->bytes - character->length;
        if (!cut) {
          std::memcpy(character->bytes + character->length, next_, here.length);
          character->length += here.length;
        }
      }
      next_ += here.length;
    }
    if (cut) sink_->OnCut();
  }

  void EmitPair(const CjkCharacter& first, const CjkCharacter& second) {
    char* const room = sink_->room();
    std::memcpy(room, first.bytes, first.length);
    std::memcpy(room + first.length, second.bytes, second.length);
    word_begin_ = first.begin;
    Emit(first.length + second.length, kOtherLetter);
  }

  static constexpr bool kWantsPlaces = requires(Sink sink) { sink.OnPlace(size_t{0}, size_t{0}); };

  const uint8_t* next_;
  const uint8_t* const end_;
  const uint8_t* const begin_;
  const bool folds_;
  Sink* const sink_;
  const uint8_t* word_begin_ = nullptr;  // of the word that is being read

  // The word being copied. text_[0, length_) is filled; writing stops at limit_.
  char* text_ = nullptr;
  size_t length_ = 0;
  size_t limit_ = 0;
  bool cut_ = false;
  uint16_t made_of_ = 0;
  uint16_t last_ = 0;  // kind of the latest letter, digit or connector
};

}  // namespace freshdex::analysis
