// Texts as the analyzers cut them, in forms that tests compare.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/analysis/analyzer.h"
#include "native/analysis/unicode.h"
#include "test/native/harness.h"

namespace freshdex::analysis {

using Words = std::vector<std::string>;

// Every token stands where AnalyzeWithPlaces() says: the bytes there give that token and no other.
inline void ExpectPlaces(Preset preset, std::string_view text, const TokenList& list) {
  TokenList placed;
  std::vector<TextPlace> places;
  AnalyzeWithPlaces(preset, text, &placed, &places);
  EXPECT_EQ(placed.bytes, list.bytes);
  EXPECT_EQ(places.size(), list.tokens.size());
  uint32_t begin = 0;
  for (size_t i = 0; i < places.size() && i < 1000; ++i) {
    EXPECT(places[i].begin >= begin && places[i].begin < places[i].end && places[i].end <= text.size());
    begin = places[i].begin;
    TokenList alone;
    Analyze(preset, text.substr(begin, places[i].end - begin), &alone);
    EXPECT_EQ(alone.tokens.size(), 1);
    EXPECT_EQ(alone.bytes, std::string(list.text(list.tokens[i])));
  }
}

// The text is analysed in a block of exactly its size, so that a sanitizer sees any read past the end.
inline TokenList AnalyzeExact(Preset preset, std::string_view text) {
  const auto block = std::make_unique<char[]>(text.size());
  if (!text.empty()) std::memcpy(block.get(), text.data(), text.size());
  TokenList list;
  Analyze(preset, {block.get(), text.size()}, &list);
  ExpectPlaces(preset, {block.get(), text.size()}, list);
  return list;
}

inline Words WordsOf(const TokenList& list) {
  Words words;
  for (const TokenList::Token& token : list.tokens) words.emplace_back(list.text(token));
  return words;
}

inline Words Standard(std::string_view text) { return WordsOf(AnalyzeExact(Preset::kStandard, text)); }
inline Words English(std::string_view text) { return WordsOf(AnalyzeExact(Preset::kEnglish, text)); }

inline std::string Repeat(std::string_view piece, size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (size_t i = 0; i < count; ++i) text += piece;
  return text;
}

inline std::string Utf8(char32_t code_point) {
  char bytes[kMaxUtf8Bytes];
  return {bytes, EncodeUtf8(code_point, bytes)};
}

// Token offsets are left out: they follow from the lengths.
struct Flat {
  std::string bytes;
  std::vector<std::pair<uint16_t, uint16_t>> tokens;
  uint32_t trailing_holes;
  uint64_t truncated;
  bool operator==(const Flat&) const = default;
};

inline Flat Flatten(const TokenList& list) {
  Flat flat{list.bytes, {}, list.trailing_holes, list.truncated};
  uint32_t begin = 0;
  for (const TokenList::Token& token : list.tokens) {
    EXPECT_EQ(token.begin, begin);
    EXPECT(token.length >= 1 && token.length <= kMaxTokenBytes);
    begin += token.length;
    flat.tokens.emplace_back(token.length, token.holes_before);
  }
  EXPECT_EQ(begin, list.bytes.size());
  return flat;
}

}  // namespace freshdex::analysis
