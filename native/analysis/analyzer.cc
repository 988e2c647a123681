#include "native/analysis/analyzer.h"

#include <cassert>
#include <cstring>

#include "native/analysis/porter2.h"
#include "native/analysis/segmenter.h"
#include "native/analysis/stop_words.h"
#include "native/analysis/token_writer.h"
#include "native/analysis/unicode.h"

namespace freshdex::analysis {
namespace {

// U+2019 is three bytes, the ASCII apostrophe one. Returns the new length.
size_t StraightenApostrophes(char* text, size_t length) {
  size_t kept = 0;
  for (size_t i = 0; i < length; ++i) {
    const bool curly = static_cast<uint8_t>(text[i]) == 0xE2;
    text[kept++] = curly ? '\'' : text[i];
    if (curly) i += 2;
  }
  return kept;
}

class StandardSink {
 public:
  explicit StandardSink(TokenWriter* writer) : writer_(writer) {}

  char* room() { return writer_->room(); }
  void OnWord(size_t length, uint16_t) { writer_->Commit(length); }
  void OnCut() { writer_->AddCut(); }

 private:
  TokenWriter* const writer_;
};

template <bool stems>
class EnglishSink {
 public:
  explicit EnglishSink(TokenWriter* writer) : writer_(writer) {}

  char* room() { return writer_->room(); }

  void OnWord(size_t length, uint16_t made_of) {
    if ((made_of & ~(kLatinLetter | kCurlyApostrophe | kWasFolded)) != 0) return writer_->Commit(length);
    char* const text = writer_->room();
    // A word with accents is another word than the stop word without them.
    if ((made_of & kWasFolded) == 0 && IsStopWord(text, length)) return writer_->AddHole();
    if ((made_of & kCurlyApostrophe) != 0) length = StraightenApostrophes(text, length);
    writer_->Commit(stems ? StemEnglish(text, length) : length, !stems);
  }

  void OnCut() { writer_->AddCut(); }

 private:
  TokenWriter* const writer_;
};

// Passes words on, and notes the place of each that becomes a token.
template <typename Sink>
class PlacingSink {
 public:
  PlacingSink(TokenWriter* writer, const TokenList* list, std::vector<TextPlace>* places)
      : sink_(writer), list_(list), places_(places) {}

  char* room() { return sink_.room(); }
  void OnPlace(size_t begin, size_t end) { place_ = {static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}; }
  void OnWord(size_t length, uint16_t made_of) {
    sink_.OnWord(length, made_of);
    places_->resize(list_->tokens.size(), place_);
  }
  void OnCut() { sink_.OnCut(); }

 private:
  Sink sink_;
  const TokenList* const list_;
  std::vector<TextPlace>* const places_;
  TextPlace place_;
};

template <typename Sink>
void SegmentWithPlaces(std::string_view utf8, bool folds, TokenList* out, std::vector<TextPlace>* places) {
  TokenWriter writer(out, utf8.size());
  PlacingSink<Sink> sink(&writer, out, places);
  Segmenter<PlacingSink<Sink>>(utf8, folds, &sink).Run();
}

template <typename Sink>
void Segment(std::string_view utf8, bool folds, TokenList* out) {
  TokenWriter writer(out, utf8.size());
  Sink sink(&writer);
  Segmenter<Sink>(utf8, folds, &sink).Run();
}

}  // namespace

void Analyze(Preset preset, std::string_view utf8, TokenList* out) {
  assert(utf8.size() <= kMaxTextBytes && out->bytes.size() + 2 * utf8.size() < UINT32_MAX);
  if (IsEnglish(preset)) return Segment<EnglishSink<true>>(utf8, Folds(preset), out);
  Segment<StandardSink>(utf8, Folds(preset), out);
}

void AnalyzeWords(Preset preset, std::string_view utf8, TokenList* out) {
  assert(utf8.size() <= kMaxTextBytes && out->bytes.size() + 2 * utf8.size() < UINT32_MAX);
  if (IsEnglish(preset)) return Segment<EnglishSink<false>>(utf8, Folds(preset), out);
  Segment<StandardSink>(utf8, Folds(preset), out);
}

std::string StemOf(std::string_view word) {
  assert(!word.empty() && word.size() <= kMaxTokenBytes);
  char room[TokenWriter::kRoom] = {};
  std::memcpy(room, word.data(), word.size());
  return {room, StemEnglish(room, word.size())};
}

void AnalyzeWithPlaces(Preset preset, std::string_view utf8, TokenList* out, std::vector<TextPlace>* places) {
  assert(utf8.size() <= kMaxTextBytes && out->tokens.empty() && places->empty());
  if (IsEnglish(preset)) return SegmentWithPlaces<EnglishSink<true>>(utf8, Folds(preset), out, places);
  SegmentWithPlaces<StandardSink>(utf8, Folds(preset), out, places);
}

std::string Normalize(std::string_view utf8, Preset preset) {
  const bool folds = Folds(preset);
  bool has_other = false;
  std::string lower;
  lower.reserve(utf8.size());
  const auto* next = reinterpret_cast<const uint8_t*>(utf8.data());
  const auto* const end = next + utf8.size();
  while (next != end) {
    const Decoded here = DecodeUtf8(next, end);
    next += here.length;
    if (folds && IsDiacritic(here.code_point)) continue;
    const char32_t small = ToLower(here.code_point);
    const char32_t written = folds ? WithoutAccents(small) : small;
    const bool is_letter = written >= U'a' && written <= U'z';
    has_other = has_other || !(is_letter || written == U'\'' || written == 0x2019);
    char encoded[kMaxUtf8Bytes];
    lower.append(encoded, EncodeUtf8(written, encoded));
  }
  if (IsEnglish(preset) && !has_other) lower.resize(StraightenApostrophes(lower.data(), lower.size()));
  return lower;
}

}  // namespace freshdex::analysis
