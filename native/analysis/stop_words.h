// The words that the english analyzer leaves out: the classic English list of Lucene, so that indexes can be compared.
// A change of the list changes tokens, so kEnglishVersion of analyzer.h goes up with it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "native/analysis/packed_words.h"

namespace freshdex::analysis {

inline constexpr std::array<std::string_view, 33> kStopWords = {
    "a",   "an",    "and",  "are",   "as",    "at",   "be",   "but", "by",  "for",  "if",
    "in",  "into",  "is",   "it",    "no",    "not",  "of",   "on",  "or",  "such", "that",
    "the", "their", "then", "there", "these", "they", "this", "to",  "was", "will", "with"};
inline constexpr PackedWords<kStopWords.size()> kStopWordSet(kStopWords);
inline constexpr size_t kLongestStopWord =
    std::ranges::max(kStopWords, {}, [](std::string_view word) { return word.size(); }).size();

// Whether a lower-case word is a stop word. REQUIRES: length >= 1; kMaxPackedBytes readable bytes, whatever the length.
inline bool IsStopWord(const char* text, size_t length) {
  return length <= kLongestStopWord && kStopWordSet.Find(PackWord(text, length)) != kStopWordSet.kNotFound;
}

}  // namespace freshdex::analysis
