#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/analysis/unicode.h"
#include "test/native/analyzed_text.h"

namespace freshdex::analysis {

// A naive twin of the segmenter: all code points first, then the rules one by one, without limit of length.
class NaiveSegmenter {
 public:
  explicit NaiveSegmenter(std::string_view text) {
    const auto* next = reinterpret_cast<const uint8_t*>(text.data());
    for (const auto* const end = next + text.size(); next != end;) {
      const Decoded decoded = DecodeUtf8(next, end);
      next += decoded.length;
      if (ClassOf(decoded.code_point) != WordClass::kIgnorable) text_.push_back(decoded.code_point);
    }
  }

  Words Run() {
    for (size_t i = 0; i < text_.size();) {
      const WordClass here = At(i);
      size_t end = i + 1;
      if (here == WordClass::kCjk) {
        while (At(end) == WordClass::kCjk || At(end) == WordClass::kMark) ++end;
        AddPairs(i, end);
      } else if (IsWord(here)) {
        while (Continues(i, end)) ++end;
        AddWord(i, end);
      }
      i = end;
    }
    return std::move(words_);
  }

 private:
  static bool IsWord(WordClass c) {
    return c == WordClass::kLetter || c == WordClass::kDigit || c == WordClass::kConnector;
  }

  WordClass At(size_t i) const { return i < text_.size() ? ClassOf(text_[i]) : WordClass::kOther; }

  bool Continues(size_t begin, size_t i) const {
    const WordClass here = At(i);
    if (IsWord(here) || here == WordClass::kMark) return true;
    size_t before = i - 1;
    while (before > begin && At(before) == WordClass::kMark) --before;
    size_t after = i + 1;
    while (At(after) == WordClass::kMark) ++after;
    if (At(before) != At(after)) return false;
    if (At(after) == WordClass::kLetter) return here == WordClass::kMidLetter || here == WordClass::kMidEither;
    if (At(after) == WordClass::kDigit) return here == WordClass::kMidNumber || here == WordClass::kMidEither;
    return false;
  }

  void AddWord(size_t begin, size_t end) {
    std::string word;
    bool has_content = false;
    for (size_t i = begin; i < end; ++i) {
      word += Utf8(ToLower(text_[i]));
      has_content |= At(i) == WordClass::kLetter || At(i) == WordClass::kDigit;
    }
    if (has_content) words_.push_back(word);
  }

  void AddPairs(size_t begin, size_t end) {
    Words characters;
    for (size_t i = begin; i < end; ++i) {
      if (At(i) == WordClass::kCjk) characters.emplace_back();
      characters.back() += Utf8(text_[i]);
    }
    if (characters.size() == 1) words_.push_back(characters[0]);
    for (size_t i = 1; i < characters.size(); ++i) words_.push_back(characters[i - 1] + characters[i]);
  }

  std::vector<char32_t> text_;
  Words words_;
};

}  // namespace freshdex::analysis
